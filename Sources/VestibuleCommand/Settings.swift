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
    let authAPI = try authAPI()
    if !authAPI.isEmulated {
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
    configuration.service = .pages(
      at: Configuration.Address(
        host: environment.value(options.place.host, "host") ?? "127.0.0.1",
        port: try environment.port(options.place.port, "port") ?? 8080
      ),
      over: authAPI
    )
    try configuration.apply(options.emulator, environment)
    try configuration.apply(options.pages, environment)
    if configuration.emulator == nil, configuration.emulatorPublicURL != nil {
      throw StartFailure(.configuration, "--emulator-public-url belongs to --emulator-port")
    }
    return configuration
  }

  /// Who answers, and whether it is served on a port of its own.
  private func authAPI() throws(StartFailure) -> AuthAPI {
    let port = try environment.port(options.pages.emulatorPort, "emulator-port")
    switch try namedAPI() {
    case .emulated(let api, _):
      return .emulated(api, at: port.map { Configuration.Address(port: $0) })
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

  private func namedAPI() throws(StartFailure) -> AuthAPI {
    if let entra = try entraAPI() { return entra }
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
        return .remote(try .clerk(at: url.text, key: parsedKey))
      } catch {
        throw StartFailure(.configuration, "\(url.name) is not good: \(error)")
      }
    }
    guard let parsedKey else { return .emulated(.clerk) }
    return .remote(try .clerk(at: "https://\(parsedKey.frontendAPIHost)", key: parsedKey))
  }

  /// Entra's API where it is asked for, by name or by an authority; nil where Clerk's is.
  private func entraAPI() throws(StartFailure) -> AuthAPI? {
    let isNamed = environment.value(options.api.api, "api") != nil
    let authority = environment.setting(options.api.authority, "authority")
    let clientID = environment.setting(options.api.clientID, "client-id")
    let ofClerk = [
      environment.setting(options.api.frontendAPIURL, "frontend-api-url"),
      environment.setting(options.api.publishableKey, "publishable-key"),
    ].compactMap(\.self).first
    let ofEntra = [authority, clientID].compactMap(\.self).first
    switch try environment.apiName(options.api.api) {
    case .clerk:
      guard let ofEntra else { return nil }
      guard !isNamed, ofClerk == nil else { throw ofEntra.failure("belongs to --api entra") }
      return try tenant(authority, clientID)
    case .entra:
      if let ofClerk { throw ofClerk.failure("belongs to --api clerk") }
      return try tenant(authority, clientID)
    }
  }

  /// The tenant that is named, or the emulated one.
  private func tenant(
    _ authority: Environment.Setting?,
    _ clientID: Environment.Setting?
  ) throws(StartFailure) -> AuthAPI {
    let scopes = environment.value(options.api.scopes, "scopes").map { text in
      text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
    switch (authority, clientID) {
    case (let authority?, let clientID?):
      do {
        return .remote(
          try .entra(authority: authority.text, clientID: clientID.text, scopes: scopes ?? [])
        )
      } catch {
        throw StartFailure(.configuration, "\(authority.name) is not good: \(error)")
      }
    case (let setting?, nil), (nil, let setting?):
      throw setting.failure("is alone: --authority and --client-id belong together")
    case (nil, nil): return .emulated(scopes.map(EmulatedAuthAPI.entra(scopes:)) ?? .entra)
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
    try configuration.apply(options.place, environment)
    configuration.emulatorPublicURL = environment.value(options.place.publicURL, "public-url")
    configuration.service = .emulatorOnly(
      try environment.apiName(options.api).emulated,
      at: Configuration.Address(
        host: environment.value(options.place.host, "host") ?? "127.0.0.1",
        port: try environment.port(options.place.port, "port") ?? 4010
      )
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

  /// The auth API that is meant.
  fileprivate enum APIName: String {
    case clerk, entra

    var emulated: EmulatedAuthAPI {
      switch self {
      case .clerk: .clerk
      case .entra: .entra
      }
    }
  }

  fileprivate func apiName(_ given: String?) throws(StartFailure) -> APIName {
    guard let setting = setting(given, "api") else { return .clerk }
    guard let name = APIName(rawValue: setting.text) else {
      throw setting.failure("is not an auth API that is spoken here (clerk, entra)")
    }
    return name
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
