internal import AuthFlow

extension JSONValue {
  /// The names of the elements that a list lacks, and of those that it has beyond another; empty
  /// where an element has no name.
  ///
  /// - Parameters:
  ///   - values: The list.
  ///   - parts: The list that it should be.
  /// - Returns: Words to follow the numbers: `: help is missing, sign-up is not expected`.
  static func namedDifferences(of values: [JSONValue], from parts: [JSONValue]) -> String {
    let changes = values.difference(from: parts) { part, value in value.isNamed(like: part) }
    var missing: [String] = []
    var further: [String] = []
    for change in changes.removals + changes.insertions {
      switch change {
      case .remove(_, let element, _):
        guard let name = element.nameInWords else { return "" }
        missing.append(name)
      case .insert(_, let element, _):
        guard let name = element.nameInWords else { return "" }
        further.append(name)
      }
    }
    let words: [String?] = [
      missing.isEmpty ? nil : "\(missing.listed) \(missing.count == 1 ? "is" : "are") missing",
      further.isEmpty ? nil : "\(further.listed) \(further.count == 1 ? "is" : "are") not expected",
    ]
    return ": \(words.compactMap(\.self).joined(separator: ", "))"
  }

  /// What an element of a list is called: a form or link by its name, an error by its code, a call
  /// by method and path, a message by recipient and purpose.
  private var nameInWords: String? {
    if let name = text(of: "name") ?? text(of: "code") { return name }
    if let method = text(of: "method"), let path = text(of: "path") { return "\(method) \(path)" }
    return text(of: "to").map { to in
      text(of: "purpose").map { "a message to \(to) (\($0))" } ?? "a message to \(to)"
    }
  }

  /// Whether an element may be the one that is expected, going by its name.
  private func isNamed(like part: JSONValue) -> Bool {
    if let to = part.text(of: "to") {
      let purpose = part.text(of: "purpose")
      return to == text(of: "to") && purpose ?? text(of: "purpose") == text(of: "purpose")
    }
    if let path = text(of: "path"), let pattern = part["path"] {
      return text(of: "method") == part.text(of: "method") && path.isCovered(by: pattern)
    }
    return nameInWords == part.nameInWords
  }

  private func text(of member: String) -> String? {
    if case .string(let text)? = self[member] { return text }
    return nil
  }
}

extension String {
  /// Whether the pattern stands for this path: in it, `*` is any one segment, as in faults.
  func isCovered(by pattern: JSONValue) -> Bool {
    guard case .string(let pattern) = pattern else { return false }
    let segments = split(separator: "/", omittingEmptySubsequences: false)
    let patterns = pattern.split(separator: "/", omittingEmptySubsequences: false)
    return segments.count == patterns.count
      && zip(patterns, segments).allSatisfy { $0 == "*" && !$1.isEmpty || $0 == $1 }
  }
}
