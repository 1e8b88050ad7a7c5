import ArgumentParser
import Foundation
import Logging
import Vestibule

/// Every option of either command, by which its environment variable is named.
private let allOptions = [
  "api", "publishable-key", "frontend-api-url", "host", "port", "allow-non-loopback", "allow-host",
  "data", "in-memory", "instance", "users", "emulator-port", "templates", "public",
  "reload-templates", "public-url", "allow-redirect-origin", "key-file", "tls-certificate",
  "tls-key", "log-level", "log-format",
]

/// What `serve` was told, resolved to a configuration.
struct ServeSettings {
  let command: ServeCommand
  let environment: Environment

  init(_ command: ServeCommand, environment: Environment) {
    self.command = command
    self.environment = environment
  }

  func run() async throws {
    try await Program.run { () throws(StartFailure) -> (Configuration, Logger) in
      (try configuration(), try LogSettings(command.logs, environment).logger())
    }
  }

  /// - Throws: `StartFailure` for the first setting that is bad.
  func configuration() throws(StartFailure) -> Configuration {
    try environment.refuseUnknown(besides: allOptions)
    var configuration = Configuration()
    configuration.authAPI = try authAPI()
    try apply(command.place, to: &configuration, environment)
    configuration.pages = Configuration.Address(
      host: environment.value(command.place.host, "host") ?? "127.0.0.1",
      port: try environment.port(command.place.port, "port") ?? 8080
    )
    configuration.emulator = try environment.port(command.pages.emulatorPort, "emulator-port").map {
      Configuration.Address(port: $0)
    }
    if configuration.emulator != nil, !configuration.authAPI.isEmulated {
      throw StartFailure(
        .configuration,
        "--emulator-port has no emulator to serve: the auth API is a real one"
      )
    }
    try apply(command.emulator, to: &configuration, environment)
    let pages = command.pages
    configuration.templates =
      environment.value(pages.templates, "templates") ?? found("templates")
    configuration.publicFolder = environment.value(pages.public, "public") ?? found("Public")
    configuration.reloadsTemplates = try environment.flag(
      pages.reloadTemplates,
      "reload-templates"
    )
    configuration.publicURL = environment.value(pages.publicURL, "public-url")
    configuration.redirectOrigins = try environment.values(
      pages.allowRedirectOrigin,
      "allow-redirect-origin"
    ).map { origin throws(StartFailure) in try checkedOrigin(origin) }
    configuration.keyFile = environment.value(pages.keyFile, "key-file")
    configuration.tls = try tls()
    return configuration
  }

  private func authAPI() throws(StartFailure) -> Configuration.AuthAPI {
    try refuseUnknownAPI(environment.value(command.api.api, "api"))
    let address: String
    if let url = environment.value(command.api.frontendAPIURL, "frontend-api-url") {
      address = url
    } else if let text = environment.value(command.api.publishableKey, "publishable-key") {
      do {
        address = "https://\(try PublishableKey(text).frontendAPIHost)"
      } catch {
        throw StartFailure(.configuration, "\(error)")
      }
    } else {
      return .emulatedClerk
    }
    return try .clerk(at: address)
  }

  private func tls() throws(StartFailure) -> Configuration.TLSFiles? {
    let certificate = environment.value(command.pages.tlsCertificate, "tls-certificate")
    let key = environment.value(command.pages.tlsKey, "tls-key")
    switch (certificate, key) {
    case (nil, nil): return nil
    case (let certificate?, let key?):
      return Configuration.TLSFiles(certificate: certificate, key: key)
    case (nil, _?), (_?, nil):
      throw StartFailure(
        .configuration,
        "--tls-certificate and --tls-key belong together: one is missing"
      )
    }
  }
}

/// What `emulate` was told, resolved to a configuration.
struct EmulateSettings {
  let command: EmulateCommand
  let environment: Environment

  init(_ command: EmulateCommand, environment: Environment) {
    self.command = command
    self.environment = environment
  }

  func run() async throws {
    try await Program.run { () throws(StartFailure) -> (Configuration, Logger) in
      (try configuration(), try LogSettings(command.logs, environment).logger())
    }
  }

  /// - Throws: `StartFailure` for the first setting that is bad.
  func configuration() throws(StartFailure) -> Configuration {
    try environment.refuseUnknown(besides: allOptions)
    try refuseUnknownAPI(environment.value(command.api, "api"))
    var configuration = Configuration()
    configuration.pages = nil
    try apply(command.place, to: &configuration, environment)
    configuration.emulator = Configuration.Address(
      host: environment.value(command.place.host, "host") ?? "127.0.0.1",
      port: try environment.port(command.place.port, "port") ?? 4010
    )
    try apply(command.emulator, to: &configuration, environment)
    return configuration
  }
}

private func refuseUnknownAPI(_ text: String?) throws(StartFailure) {
  guard text == nil || text == "clerk" else {
    throw StartFailure(
      .configuration,
      "--api is not one that is spoken here (clerk): \(text ?? "")"
    )
  }
}

private func apply(
  _ options: PlaceOptions,
  to configuration: inout Configuration,
  _ environment: Environment
) throws(StartFailure) {
  configuration.allowsNonLoopback = try environment.flag(
    options.allowNonLoopback,
    "allow-non-loopback"
  )
  configuration.allowedHosts = environment.values(options.allowHost, "allow-host")
  if configuration.allowedHosts.contains(where: { $0.contains("*") }) {
    throw StartFailure(.configuration, "--allow-host takes names, no wildcards")
  }
}

private func apply(
  _ options: EmulatorOptions,
  to configuration: inout Configuration,
  _ environment: Environment
) throws(StartFailure) {
  configuration.dataFolder =
    try environment.flag(options.inMemory, "in-memory")
    ? nil : environment.value(options.data, "data") ?? ".vestibule"
  if let path = environment.value(options.instance, "instance") {
    configuration.instance = try decoded(path, "instance settings")
  }
  if let path = environment.value(options.users, "users") {
    configuration.users = try decoded(path, "demo users")
  }
}

/// - Throws: `StartFailure` that names the file, and the key or value that is bad.
private func decoded<Value: Decodable>(
  _ path: String,
  _ what: String
) throws(StartFailure) -> Value {
  guard let data = FileManager.default.contents(atPath: path) else {
    throw StartFailure(.configuration, "The file of \(what) cannot be read: \(path)")
  }
  do {
    return try JSONDecoder().decode(Value.self, from: data)
  } catch let error as DecodingError {
    throw StartFailure(.configuration, "The file of \(what) is not good: \(path): \(error.told)")
  } catch {
    throw StartFailure(.configuration, "The file of \(what) is not good: \(path): \(error)")
  }
}

/// An origin as browsers write it; never a wildcard (S15, S30).
private func checkedOrigin(_ text: String) throws(StartFailure) -> String {
  guard let url = URL(string: text), let scheme = url.scheme?.lowercased(),
    ["http", "https"].contains(scheme), let host = url.host(percentEncoded: true),
    !host.isEmpty, !host.contains("*"), url.path().isEmpty, url.query() == nil,
    url.fragment() == nil, url.user() == nil
  else {
    throw StartFailure(
      .configuration,
      "--allow-redirect-origin is not scheme://host[:port]: \(text)"
    )
  }
  return text.lowercased()
}

/// The folder of that name beside the program, then in the working directory.
private func found(_ name: String) -> String {
  let program = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
  if let beside = program?.appendingPathComponent(name).path,
    FileManager.default.fileExists(atPath: beside)
  {
    return beside
  }
  return name
}

extension DecodingError {
  /// One line, with the place in the document.
  fileprivate var told: String {
    let context: Context
    switch self {
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
      .dataCorrupted(let found):
      context = found
    @unknown default: return "it cannot be read"
    }
    let place = context.codingPath.map { key in
      key.intValue.map { "[\($0)]" } ?? key.stringValue
    }.joined(separator: ".")
    return place.isEmpty ? context.debugDescription : "\(place): \(context.debugDescription)"
  }
}
