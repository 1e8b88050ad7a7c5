import Foundation
import Vestibule

/// The settings that come as environment variables: `VESTIBULE_` and an option's name.
///
/// An empty variable counts as none: that is how many tools unset one.
struct Environment {
  /// A value, and how to call what it came from when it is bad.
  struct Setting {
    var text: String
    /// `--port` or `VESTIBULE_PORT`.
    var name: String
    var isFromVariable: Bool

    /// What is typed wrongly is bad usage; what stands in the environment, a bad configuration.
    func failure(_ reason: String) -> StartFailure {
      StartFailure(isFromVariable ? .configuration : .usage, "\(name) \(reason): \(text)")
    }

    /// What is good by itself and not with the others.
    func clash(_ reason: String) -> StartFailure {
      StartFailure(.configuration, "\(name) \(reason): \(text)")
    }
  }

  private let variables: [String: String]
  private let certificates: String?
  private static let prefix = "VESTIBULE_"
  /// Read by the package's own build, tests and measurements, never by the program: who has exported one for
  /// those starts it all the same.
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

  /// The option where it was given, else its variable.
  func setting(_ given: String?, _ option: String) -> Setting? {
    if let given { return Setting(text: given, name: "--\(option)", isFromVariable: false) }
    let name = Self.name(of: option)
    guard let text = variables[name], !text.isEmpty else { return nil }
    return Setting(text: text, name: name, isFromVariable: true)
  }

  /// What the option or its variable says.
  func value(_ given: String?, _ option: String) -> String? { setting(given, option)?.text }

  /// What is listened on: this machine alone, unless told otherwise.
  ///
  /// An IPv6 address may stand in brackets, as in a URL; capitals do not count.
  func host(_ given: String?) -> String {
    let host = (value(given, "host") ?? "127.0.0.1").lowercased()
    return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
  }

  /// A folder that is written to; nil where none is said.
  ///
  /// - Throws: `StartFailure` for an option of no text, as of a shell's variable that is not set: whatever it
  ///   were taken for would be written to.
  func folder(_ given: String?, _ option: String) throws(StartFailure) -> String? {
    guard let setting = setting(given, option) else { return nil }
    guard !setting.text.isEmpty else {
      throw StartFailure(.usage, "\(setting.name) is empty: it names a folder to write to")
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

  /// A switch: the flag given, or the variable `1`, `true`, `on`, `yes` (or their opposites).
  ///
  /// - Throws: `StartFailure` where the variable is anything else.
  func flag(_ given: Bool, _ option: String) throws(StartFailure) -> Bool {
    guard !given, let setting = setting(nil, option) else { return given }
    return try isOn(setting)
  }

  /// An option that is `on` or `off`; nil where it is not set.
  ///
  /// - Throws: `StartFailure` where it is neither.
  func choice(_ given: String?, _ option: String) throws(StartFailure) -> Bool? {
    guard let setting = setting(given, option) else { return nil }
    return try isOn(setting)
  }

  private func isOn(_ setting: Setting) throws(StartFailure) -> Bool {
    switch setting.text.lowercased() {
    case "1", "true", "on", "yes": return true
    case "0", "false", "off", "no": return false
    default: throw setting.failure("is neither on nor off")
    }
  }

  /// A number of a port.
  ///
  /// - Throws: `StartFailure` where it is none.
  func port(_ given: String?, _ option: String) throws(StartFailure) -> Int? {
    guard let setting = setting(given, option) else { return nil }
    guard let number = Int(setting.text), (0...65_535).contains(number),
      setting.text.allSatisfy(\.isNumber)
    else { throw setting.failure("is not a port from 0 to 65535") }
    return number
  }

  /// The file of authorities that programs of many kinds take from `SSL_CERT_FILE`.
  ///
  /// - Throws: `StartFailure` where it holds no certificate.
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

  /// A misspelt variable would otherwise change nothing, silently (S30).
  ///
  /// - Throws: `StartFailure` naming the first variable that belongs to no option.
  func refuseUnknown(besides options: [String]) throws(StartFailure) {
    let known = Set(options.map(Self.name(of:)))
    if let unknown = variables.keys.sorted().first(where: { !known.contains($0) }) {
      throw StartFailure(.configuration, "There is no setting \(unknown)")
    }
  }

  private static func name(of option: String) -> String {
    prefix + option.uppercased().replacing("-", with: "_")
  }
}
