import Foundation
import Vestibule

/// Every option of any command; environment variables are named after them.
let allOptions =
  AuthAPIOptions.names + [
    "upstream-proxy", "host", "port",
    "allow-non-loopback", "allow-host",
    "data", "in-memory", "instance", "users", "emulator-port", "emulator-public-url", "templates",
    "public",
    "brand", "reload-templates", "public-url", "allow-redirect-origin", "trusted-proxy", "throttle",
    "own-words", "language", "key-file", "metrics-port", "tls-certificate", "tls-key", "log-level",
    "log-format",
    "out", "force", "all", "junit",
  ]
/// Variables that `run` sets for its command, and that must not disturb that command if it is this program.
let toldByRun = ["url", "emulator-url"]

/// The settings of `serve`, resolved to a configuration.
struct ServeSettings {
  /// The values of settings that are not given.
  struct Defaults {
    var port: Int
    /// Nil: the emulated API has no port of its own.
    var emulatorPort: Int?
    var data: DataPlace

    /// For people: a fixed port, and data that last.
    static let lasting = Defaults(port: 8080, emulatorPort: nil, data: .lasting)
    /// For a test run: free ports, and nothing left behind.
    static let transient = Defaults(port: 0, emulatorPort: 0, data: .ifAsked)
    /// For handlers that are called without a socket, with nothing left behind.
    static let called = Defaults(port: 8080, emulatorPort: nil, data: .none)
  }

  /// Where a command keeps its data.
  enum DataPlace {
    /// In the folder that the option or its variable names, by default `.vestibule`.
    case lasting
    /// In the option's folder, by default in memory.
    ///
    /// The variable is ignored: if it is exported for a service, tests would otherwise write into the service's data,
    /// or reset them.
    case ifAsked
    /// Only in memory: the worlds are reset, and a stored one would be lost.
    case none
  }

  let options: ServeOptions
  let environment: Environment
  private let defaults: Defaults

  init(_ options: ServeOptions, environment: Environment, defaults: Defaults = .lasting) {
    self.options = options
    self.environment = environment
    self.defaults = defaults
  }

  /// - Throws: `StartFailure` for the first setting that is bad.
  func configuration() throws(StartFailure) -> Configuration {
    try environment.refuseUnknown(besides: allOptions + toldByRun)
    var configuration = Configuration()
    let authAPI = try authAPI()
    // Read even if no call goes through it: a bad value is still an error, and `check` notes a good one.
    let proxySetting = environment.setting(options.api.upstreamProxy, "upstream-proxy")
    configuration.upstreamProxy = try proxySetting.map { setting throws(StartFailure) in
      do {
        return try Configuration.upstreamProxy(at: setting.text)
      } catch {
        throw StartFailure(.configuration, "\(setting.name) is invalid: \(error)")
      }
    }
    if !authAPI.isEmulated {
      configuration.trustedAuthorities = try environment.trustedAuthorities()
      let ofEmulator = [
        environment.setting(options.emulator.instance, "instance"),
        environment.setting(options.emulator.users, "users"),
      ]
      if let setting = ofEmulator.compactMap(\.self).first {
        throw setting.clash("is only for the emulated API, but the auth API is a real one")
      }
    }
    try configuration.apply(options.place, environment)
    configuration.publicURL = environment.value(options.place.publicURL, "public-url")
    configuration.service = .pages(
      at: Configuration.Address(
        host: environment.host(options.place.host),
        port: try environment.port(options.place.port, "port") ?? defaults.port
      ),
      over: authAPI
    )
    try configuration.apply(options.emulator, environment, data: defaults.data)
    try configuration.apply(options.pages, environment)
    if configuration.emulator == nil, configuration.emulatorPublicURL != nil {
      throw StartFailure(.configuration, "--emulator-public-url needs --emulator-port")
    }
    return configuration
  }

  /// The auth API, and whether an emulated one has a port of its own.
  private func authAPI() throws(StartFailure) -> AuthAPI {
    let port = try environment.port(options.pages.emulatorPort, "emulator-port")
    switch try environment.authAPI(options.api) {
    case .emulated(let api, _):
      let port = port ?? defaults.emulatorPort
      let host = environment.host(options.place.host)
      return .emulated(api, at: port.map { Configuration.Address(host: host, port: $0) })
    case .remote(let api):
      guard port == nil else {
        throw StartFailure(
          .configuration,
          "--emulator-port has no emulator to serve: the auth API is a real one"
        )
      }
      return .remote(api)
    }
  }
}

/// The settings of `emulate`, resolved to a configuration.
struct EmulateSettings {
  let options: EmulateCommand
  let environment: Environment

  init(_ options: EmulateCommand, environment: Environment) {
    self.options = options
    self.environment = environment
  }

  /// - Throws: `StartFailure` for the first setting that is bad.
  func configuration() throws(StartFailure) -> Configuration {
    try environment.refuseUnknown(besides: allOptions + toldByRun)
    var configuration = Configuration()
    try configuration.apply(options.place, environment)
    configuration.emulatorPublicURL = environment.value(options.place.publicURL, "public-url")
    configuration.service = .emulatorOnly(
      try environment.apiName(options.api).emulated,
      at: Configuration.Address(
        host: environment.host(options.place.host),
        port: try environment.port(options.place.port, "port") ?? 4010
      )
    )
    try configuration.apply(options.emulator, environment, data: .lasting)
    configuration.templates = environment.value(options.templates, "templates")
    if let path = environment.value(options.brand, "brand") { try configuration.readBrand(path) }
    return configuration
  }
}

extension Configuration {
  fileprivate mutating func apply(
    _ options: PlaceOptions,
    _ environment: Environment
  ) throws(StartFailure) {
    tls = try tls(options, environment)
    metrics = try environment.port(options.metricsPort, "metrics-port").map {
      Address(host: environment.host(options.host), port: $0)
    }
    allowsNonLoopback = try environment.flag(options.allowNonLoopback, "allow-non-loopback")
    allowedHosts = environment.settings(options.allowHost, "allow-host").map(\.text)
    trustedProxies = try environment.settings(options.trustedProxy, "trusted-proxy").map {
      setting throws(StartFailure) in
      guard let address = Configuration.proxyAddress(setting.text) else {
        throw setting.failure("is not a numeric address")
      }
      return address
    }
  }

  fileprivate mutating func apply(
    _ options: EmulatorOptions,
    _ environment: Environment,
    data place: ServeSettings.DataPlace
  ) throws(StartFailure) {
    if options.inMemory, options.data != nil {
      throw StartFailure(.configuration, "--in-memory and --data cannot be combined")
    }
    // Both are read whatever becomes of them, so that a bad value is always refused; an option wins over a variable.
    let keepsNothing = try environment.flag(options.inMemory, "in-memory") && options.data == nil
    let folder = try environment.folder(options.data, "data")
    switch place {
    case .lasting: dataFolder = keepsNothing ? nil : folder ?? ".vestibule"
    case .ifAsked: dataFolder = options.data
    case .none:
      guard options.data == nil else {
        throw StartFailure(.configuration, "--data has no effect: nothing is written to disk")
      }
      dataFolder = nil
    }
    if let path = environment.value(options.instance, "instance") {
      try readInstance(path)
    }
    if let path = environment.value(options.users, "users") {
      try readUsers(path)
    }
  }

  fileprivate mutating func apply(
    _ options: PageOptions,
    _ environment: Environment
  ) throws(StartFailure) {
    templates = environment.value(options.files.templates, "templates")
    publicFolder = environment.value(options.files.public, "public")
    if let path = environment.value(options.brand, "brand") { try readBrand(path) }
    reloadsTemplates = try environment.flag(options.reloadTemplates, "reload-templates")
    emulatorPublicURL = environment.value(options.emulatorPublicURL, "emulator-public-url")
    redirectOrigins = environment.settings(
      options.allowRedirectOrigin,
      "allow-redirect-origin"
    ).map(\.text)
    throttle = try environment.choice(options.throttle, "throttle")
    usesOwnWords = try environment.choice(options.ownWords, "own-words") ?? true
    if let setting = environment.setting(options.language, "language") {
      language = setting.text
      if let reason = try languageObstacle() { throw setting.failure(reason) }
    }
    keyFile = environment.value(options.keyFile, "key-file")
  }

  private func tls(
    _ options: PlaceOptions,
    _ environment: Environment
  ) throws(StartFailure) -> TLSFiles? {
    let certificate = environment.value(options.tlsCertificate, "tls-certificate")
    let key = environment.value(options.tlsKey, "tls-key")
    switch (certificate, key) {
    case (nil, nil): return nil
    case (let certificate?, let key?): return TLSFiles(certificate: certificate, key: key)
    case (nil, _?), (_?, nil):
      throw StartFailure(
        .configuration,
        "--tls-certificate and --tls-key must be set together: one is missing"
      )
    }
  }
}
