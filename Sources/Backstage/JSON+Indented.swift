package import Emulators

extension JSON {
  /// The document in several lines for people, indented by two spaces per level.
  ///
  /// - Parameter level: The level at which the first line already is.
  /// - Returns: The document, without a trailing line feed.
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
