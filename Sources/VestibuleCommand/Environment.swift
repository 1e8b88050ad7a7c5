import Foundation
import Vestibule

/// The settings that come as environment variables: `VESTIBULE_` and an option's name.
struct Environment {
  private let variables: [String: String]
  private static let prefix = "VESTIBULE_"
  /// Read by the package's own build, never by the program.
  private static let notOurs: Set<String> = ["VESTIBULE_ROOM"]

  /// The process's own variables.
  static func process() -> Environment { Environment(ProcessInfo.processInfo.environment) }

  init(_ variables: [String: String]) {
    self.variables = variables.filter {
      $0.key.hasPrefix(Self.prefix) && !Self.notOurs.contains($0.key)
    }
  }

  /// What the variable of that option says, where the option itself was not given.
  func value(_ given: String?, _ option: String) -> String? {
    given ?? variables[Self.name(of: option)]
  }

  /// A list: the option repeated, or the variable split at commas.
  func values(_ given: [String], _ option: String) -> [String] {
    guard given.isEmpty else { return given }
    return variables[Self.name(of: option)]?.split(separator: ",").map {
      $0.trimmingCharacters(in: .whitespaces)
    } ?? []
  }

  /// A switch: the flag given, or the variable `1`, `true`, `on`, `yes` (or their opposites).
  ///
  /// - Throws: `StartFailure` where the variable is anything else.
  func flag(_ given: Bool, _ option: String) throws(StartFailure) -> Bool {
    guard !given, let text = variables[Self.name(of: option)] else { return given }
    switch text.lowercased() {
    case "1", "true", "on", "yes": return true
    case "0", "false", "off", "no", "": return false
    default:
      throw StartFailure(
        .configuration,
        "\(Self.name(of: option)) is neither on nor off: \(text)"
      )
    }
  }

  /// A number.
  ///
  /// - Throws: `StartFailure` where it is none.
  func port(_ given: String?, _ option: String) throws(StartFailure) -> Int? {
    guard let text = value(given, option) else { return nil }
    guard let number = Int(text), (0...65_535).contains(number) else {
      throw StartFailure(.configuration, "--\(option) is not a port from 0 to 65535: \(text)")
    }
    return number
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
