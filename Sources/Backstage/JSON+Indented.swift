package import Emulators

extension JSON {
  /// For people: on lines of their own, two spaces further in at each level.
  ///
  /// - Parameter level: How far in the first line stands already.
  /// - Returns: The document, without a line feed at its end.
  package func indented(_ level: Int = 0) -> String {
    let outer = String(repeating: "  ", count: level)
    let inner = outer + "  "
    switch self {
    case .array(let elements) where elements.contains(where: \.isNested):
      let lines = elements.map { inner + $0.indented(level + 1) }
      return "[\n\(lines.joined(separator: ",\n"))\n\(outer)]"
    case .array(let elements):
      return "[\(elements.map { $0.indented(level) }.joined(separator: ", "))]"
    case .object(let members) where !members.isEmpty:
      let lines = members.map { member in
        let name = String(decoding: JSON.string(member.name).encoded, as: UTF8.self)
        return "\(inner)\(name): \(member.value.indented(level + 1))"
      }
      return "{\n\(lines.joined(separator: ",\n"))\n\(outer)}"
    case .null, .bool, .integer, .number, .string, .object:
      return String(decoding: encoded, as: UTF8.self)
    }
  }

  private var isNested: Bool {
    switch self {
    case .array(let elements): !elements.isEmpty
    case .object(let members): !members.isEmpty
    case .null, .bool, .integer, .number, .string: false
    }
  }
}
