import Foundation
import Vestibule

/// Every option of any command, by which its environment variable is named.
private let allOptions = [
  "api", "publishable-key", "frontend-api-url", "authority", "client-id", "scopes",
  "upstream-proxy", "host", "port",
  "allow-non-loopback", "allow-host",
  "data", "in-memory", "instance", "users", "emulator-port", "emulator-public-url", "templates",
  "public",
  "reload-templates", "public-url", "allow-redirect-origin", "trusted-proxy", "throttle",
  "own-words", "language", "key-file", "tls-certificate", "tls-key", "log-level", "log-format",
  "out",
]

/// What `serve` was told, resolved to a configuration.
struct ServeSettings {
  let options: ServeOptions
  let environment: Environment

  init(_ options: ServeOptions, environment: Environment) {
    self.options = options
    self.environment = environment
  }

  /// - Throws: `StartFailure` for the first setting that is bad.
  func configuration() throws(StartFailure) -> Configuration {
    try environment.refuseUnknown(besides: allOptions)
    var configuration = Configuration()
    (configuration.authAPI, configuration.publishableKey) = try authAPI()
    configuration.scopes = environment.value(options.api.scopes, "scopes").map { text in
      text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
    if !configuration.authAPI.isEmulated {
      configuration.trustedAuthorities = try environment.trustedAuthorities()
      let proxy = environment.setting(options.api.upstreamProxy, "upstream-proxy")
      configuration.upstreamProxy = try proxy.map { setting throws(StartFailure) in
        do {
          return try Configuration.upstreamProxy(at: setting.text)
        } catch {
          throw StartFailure(.configuration, "\(setting.name) is not good: \(error)")
        }
      }
    }
    try configuration.apply(options.place, environment)
    configuration.publicURL = environment.value(options.place.publicURL, "public-url")
    configuration.pages = Configuration.Address(
      host: environment.value(options.place.host, "host") ?? "127.0.0.1",
      port: try environment.port(options.place.port, "port") ?? 8080
    )
    try configuration.apply(options.emulator, environment)
    try configuration.apply(options.pages, environment)
    if configuration.emulator == nil, configuration.emulatorPublicURL != nil {
      throw StartFailure(.configuration, "--emulator-public-url belongs to --emulator-port")
    }
    if configuration.emulator != nil, !configuration.authAPI.isEmulated {
      throw StartFailure(
        .configuration,
        "--emulator-port has no emulator to serve: the auth API is a real one"
      )
    }
    return configuration
  }

  private func authAPI() throws(StartFailure) -> (Configuration.AuthAPI, PublishableKey?) {
    if let entra = try entraAPI() { return (entra, nil) }
    let url = environment.setting(options.api.frontendAPIURL, "frontend-api-url")
    let key = environment.value(options.api.publishableKey, "publishable-key")
    let parsedKey = try key.map { key throws(StartFailure) in
      do {
        return try PublishableKey(key)
      } catch {
        throw StartFailure(.configuration, "\(error)")
      }
    }
    if let url {
      do {
        return (try .clerk(at: url.text), parsedKey)
      } catch {
        throw StartFailure(.configuration, "\(url.name) is not good: \(error)")
      }
    }
    guard let parsedKey else { return (.emulatedClerk, nil) }
    return (try .clerk(at: "https://\(parsedKey.frontendAPIHost)"), parsedKey)
  }

  /// Entra's API where it is asked for, by name or by an authority; nil where Clerk's is.
  private func entraAPI() throws(StartFailure) -> Configuration.AuthAPI? {
    let api = try environment.emulatedAPI(options.api.api)
    let isNamed = environment.value(options.api.api, "api") != nil
    let authority = environment.setting(options.api.authority, "authority")
    let clientID = environment.setting(options.api.clientID, "client-id")
    let ofClerk = [
      environment.setting(options.api.frontendAPIURL, "frontend-api-url"),
      environment.setting(options.api.publishableKey, "publishable-key"),
    ].compactMap(\.self).first
    let ofEntra = [authority, clientID].compactMap(\.self).first
    guard case .emulatedEntra = api else {
      guard let ofEntra else { return nil }
      guard !isNamed, ofClerk == nil else { throw ofEntra.failure("belongs to --api entra") }
      return try tenant(authority, clientID)
    }
    if let ofClerk { throw ofClerk.failure("belongs to --api clerk") }
    return ofEntra == nil ? .emulatedEntra : try tenant(authority, clientID)
  }

  private func tenant(
    _ authority: Environment.Setting?,
    _ clientID: Environment.Setting?
  ) throws(StartFailure) -> Configuration.AuthAPI {
    switch (authority, clientID) {
    case (let authority?, let clientID?):
      do {
        return try .entra(authority: authority.text, clientID: clientID.text)
      } catch {
        throw StartFailure(.configuration, "\(authority.name) is not good: \(error)")
      }
    case (let setting?, nil), (nil, let setting?):
      throw setting.failure("is alone: --authority and --client-id belong together")
    case (nil, nil): return .emulatedEntra
    }
  }
}

/// What `emulate` was told, resolved to a configuration.
struct EmulateSettings {
  let options: EmulateOptions
  let environment: Environment

  init(_ options: EmulateOptions, environment: Environment) {
    self.options = options
    self.environment = environment
  }

  /// - Throws: `StartFailure` for the first setting that is bad.
  func configuration() throws(StartFailure) -> Configuration {
    try environment.refuseUnknown(besides: allOptions)
    var configuration = Configuration()
    configuration.authAPI = try environment.emulatedAPI(options.api)
    configuration.pages = nil
    try configuration.apply(options.place, environment)
    configuration.emulatorPublicURL = environment.value(options.place.publicURL, "public-url")
    configuration.emulator = Configuration.Address(
      host: environment.value(options.place.host, "host") ?? "127.0.0.1",
      port: try environment.port(options.place.port, "port") ?? 4010
    )
    try configuration.apply(options.emulator, environment)
    return configuration
  }
}

/// What is to be drawn, and where to.
struct AtlasOrder {
  var folder: AtlasFolder
  var destination: String
}

/// What `atlas` was told.
struct AtlasSettings {
  let options: AtlasOptions
  let environment: Environment

  init(_ options: AtlasOptions, environment: Environment) {
    self.options = options
    self.environment = environment
  }

  /// - Throws: `StartFailure` for the first setting that is bad.
  func order() throws(StartFailure) -> AtlasOrder {
    try environment.refuseUnknown(besides: allOptions)
    guard let destination = environment.value(options.out, "out") else {
      throw StartFailure(.usage, "--out is missing: the folder to write to")
    }
    let (templates, publicFolder) = environment.folders(options.files)
    return AtlasOrder(
      folder: AtlasFolder(templates: templates, publicFolder: publicFolder),
      destination: destination
    )
  }
}

extension Environment {
  fileprivate func folders(_ options: FileOptions) -> (templates: String, publicFolder: String) {
    (
      value(options.templates, "templates") ?? SettingsFile.found("templates"),
      value(options.public, "public") ?? SettingsFile.found("Public")
    )
  }

  fileprivate func emulatedAPI(
    _ given: String?
  ) throws(StartFailure) -> Configuration.AuthAPI {
    guard let setting = setting(given, "api") else { return .emulatedClerk }
    switch setting.text {
    case "clerk": return .emulatedClerk
    case "entra": return .emulatedEntra
    default: throw setting.failure("is not an auth API that is spoken here (clerk, entra)")
    }
  }
}

extension Configuration {
  fileprivate mutating func apply(
    _ options: PlaceOptions,
    _ environment: Environment
  ) throws(StartFailure) {
    tls = try tls(options, environment)
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
    _ environment: Environment
  ) throws(StartFailure) {
    dataFolder =
      try environment.flag(options.inMemory, "in-memory")
      ? nil : environment.value(options.data, "data") ?? ".vestibule"
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
    emulator = try environment.port(options.emulatorPort, "emulator-port").map {
      Address(port: $0)
    }
    (templates, publicFolder) = environment.folders(options.files)
    reloadsTemplates = try environment.flag(options.reloadTemplates, "reload-templates")
    emulatorPublicURL = environment.value(options.emulatorPublicURL, "emulator-public-url")
    redirectOrigins = environment.settings(
      options.allowRedirectOrigin,
      "allow-redirect-origin"
    ).map(\.text)
    throttle = try environment.choice(options.throttle, "throttle")
    usesOwnWords = try environment.choice(options.ownWords, "own-words") ?? true
    try environment.refuseUnknownLanguage(options.language)
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
        "--tls-certificate and --tls-key belong together: one is missing"
      )
    }
  }
}

extension Environment {
  /// The pages speak English alone: another tag would promise what is not there.
  fileprivate func refuseUnknownLanguage(_ given: String?) throws(StartFailure) {
    guard let setting = setting(given, "language") else { return }
    let primary = setting.text.lowercased().prefix { $0 != "-" && $0 != "_" }
    guard primary == "en" else {
      throw setting.failure("is not a language that the pages speak (en)")
    }
  }
}
