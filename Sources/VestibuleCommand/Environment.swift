import Foundation
import Vestibule

/// The settings that come from environment variables: `VESTIBULE_` and an option's name.
///
/// An empty variable counts as unset, since many tools unset one that way.
struct Environment {
  /// A value, and the name of its source for messages about it.
  struct Setting {
    var text: String
    /// `--port` or `VESTIBULE_PORT`.
    var name: String
    var isFromVariable: Bool

    /// The failure for a bad value: an option counts as bad usage, a variable as bad configuration.
    func failure(_ reason: String) -> StartFailure {
      StartFailure(isFromVariable ? .configuration : .usage, "\(name) \(reason): \(text)")
    }

    /// The failure for a value that is good by itself but conflicts with others.
    func clash(_ reason: String) -> StartFailure {
      StartFailure(.configuration, "\(name) \(reason): \(text)")
    }
  }

  private let variables: [String: String]
  private let certificates: String?
  private static let prefix = "VESTIBULE_"
  /// Variables of the package's own build, tests and measurements, which the program ignores: it must start even if
  /// one of them has been exported.
  private static let notOurs: Set<String> = [
    "VESTIBULE_ALLOCATOR", "VESTIBULE_ALONE", "VESTIBULE_COMMIT", "VESTIBULE_CONFORMANCE",
    "VESTIBULE_FLOWS", "VESTIBULE_MUTANTS", "VESTIBULE_PROGRAM", "VESTIBULE_RECORD",
    "VESTIBULE_ROOM",
  ]

  /// The process's own variables.
  static func process() -> Environment { Environment(ProcessInfo.processInfo.environment) }

  init(_ variables: [String: String]) {
    self.variables = variables.filter {
      $0.key.hasPrefix(Self.prefix) && !Self.notOurs.contains($0.key)
    }
    certificates = variables["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The option if it was given, otherwise its variable.
  func setting(_ given: String?, _ option: String) -> Setting? {
    if let given { return Setting(text: given, name: "--\(option)", isFromVariable: false) }
    let name = Self.name(of: option)
    guard let text = variables[name], !text.isEmpty else { return nil }
    return Setting(text: text, name: name, isFromVariable: true)
  }

  /// The value of the option or its variable.
  func value(_ given: String?, _ option: String) -> String? { setting(given, option)?.text }

  /// The address to listen on, by default only this machine's.
  ///
  /// An IPv6 address may have brackets, as in a URL; case is ignored.
  func host(_ given: String?) -> String {
    let host = (value(given, "host") ?? "127.0.0.1").lowercased()
    return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
  }

  /// A folder to write to; nil if it is not set.
  ///
  /// - Throws: `StartFailure` for an option with an empty text, such as a shell variable that is not set: any other
  ///   reading of it would be written to.
  func folder(_ given: String?, _ option: String) throws(StartFailure) -> String? {
    guard let setting = setting(given, option) else { return nil }
    guard !setting.text.isEmpty else {
      throw StartFailure(.usage, "\(setting.name) is empty: name a folder to write to")
    }
    return setting.text
  }

  /// A list: the option repeated, or the variable split at commas.
  func settings(_ given: [String], _ option: String) -> [Setting] {
    if !given.isEmpty {
      return given.map { Setting(text: $0, name: "--\(option)", isFromVariable: false) }
    }
    return setting(nil, option)?.text.split(separator: ",").map { part in
      Setting(
        text: part.trimmingCharacters(in: .whitespaces),
        name: Self.name(of: option),
        isFromVariable: true
      )
    } ?? []
  }

  /// A switch: the flag if given, otherwise the variable, as `1`, `true`, `on` or `yes` (or their opposites).
  ///
  /// - Throws: `StartFailure` if the variable is anything else.
  func flag(_ given: Bool, _ option: String) throws(StartFailure) -> Bool {
    guard !given, let setting = setting(nil, option) else { return given }
    return try isOn(setting)
  }

  /// An option that is `on` or `off`; nil where it is not set.
  ///
  /// - Throws: `StartFailure` if it is neither.
  func choice(_ given: String?, _ option: String) throws(StartFailure) -> Bool? {
    guard let setting = setting(given, option) else { return nil }
    return try isOn(setting)
  }

  private func isOn(_ setting: Setting) throws(StartFailure) -> Bool {
    switch setting.text.lowercased() {
    case "1", "true", "on", "yes": return true
    case "0", "false", "off", "no": return false
    default: throw setting.failure("must be on or off")
    }
  }

  /// A port number.
  ///
  /// - Throws: `StartFailure` if it is not one.
  func port(_ given: String?, _ option: String) throws(StartFailure) -> Int? {
    guard let setting = setting(given, option) else { return nil }
    guard let number = Int(setting.text), (0...65_535).contains(number),
      setting.text.allSatisfy(\.isNumber)
    else { throw setting.failure("is not a port from 0 to 65535") }
    return number
  }

  /// The file of certificate authorities in `SSL_CERT_FILE`, which programs of many kinds read.
  ///
  /// - Throws: `StartFailure` if it cannot be read or holds no certificate.
  func trustedAuthorities() throws(StartFailure) -> [String] {
    guard let certificates else { return [] }
    guard let data = FileManager.default.contents(atPath: certificates),
      String(decoding: data, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----")
    else {
      throw StartFailure(
        .configuration,
        "SSL_CERT_FILE is not a readable file of certificates (PEM): \(certificates)"
      )
    }
    return [certificates]
  }

  /// Refuses unknown variables: a misspelt one would otherwise silently change nothing (S30).
  ///
  /// - Throws: `StartFailure` that names the first variable that belongs to no option, and the one that was probably
  ///   meant.
  func refuseUnknown(besides options: [String]) throws(StartFailure) {
    let known = Set(options.map(Self.name(of:)))
    guard let unknown = variables.keys.sorted().first(where: { !known.contains($0) }) else {
      return
    }
    let typed = unknown.dropFirst(Self.prefix.count).lowercased().replacing("_", with: "-")
    let meant = typed.likeliest(of: options.filter { !toldByRun.contains($0) })
    let question = meant.map { ". Did you mean \(Self.name(of: $0))?" } ?? ""
    throw StartFailure(.configuration, "There is no setting \(unknown)\(question)")
  }

  private static func name(of option: String) -> String {
    prefix + option.uppercased().replacing("-", with: "_")
  }
}
