internal import AuthFlow

/// An object of a story's file while it is read: members that were not taken are unknown keys.
struct StoryObject {
  private var members: [String: JSONValue]
  /// The names asked for so far, in that order.
  private var known: [String] = []
  let place: String

  /// - Throws: `StoryFault` if the value is not an object.
  init(_ value: JSONValue, at place: String) throws(StoryFault) {
    guard case .object(let members) = value else {
      throw StoryFault(place: place, reason: "it is not an object")
    }
    self.place = place
    self.members = Dictionary(members.map { ($0.name, $0.value) }) { $1 }
  }

  func place(of name: String) -> String { place.isEmpty ? name : "\(place).\(name)" }

  func fault(at name: String, _ reason: String) -> StoryFault {
    StoryFault(place: place(of: name), reason: reason)
  }

  /// - Throws: `StoryFault` for the first member that was not taken, with those that could have been.
  func finish() throws(StoryFault) {
    guard let unknown = members.keys.min() else { return }
    let words = "\(known.count < 2 ? "the only known key is" : "known keys are") \(known.listed)"
    throw StoryFault(place: place, reason: "unknown key '\(unknown)': \(words)")
  }

  /// The names of the members that were not taken yet.
  var names: [String] { members.keys.sorted() }

  mutating func has(_ name: String) -> Bool {
    if !known.contains(name) { known.append(name) }
    return members[name] != nil
  }

  mutating func take(_ name: String) -> JSONValue? {
    has(name) ? members.removeValue(forKey: name) : nil
  }

  mutating func text(_ name: String) throws(StoryFault) -> String? {
    switch take(name) {
    case nil: return nil
    case .string(let text): return text
    default: throw fault(at: name, "it is not text")
    }
  }

  /// The text, or null if the member is null; nil if there is no such member.
  mutating func textOrNull(_ name: String) throws(StoryFault) -> JSONValue? {
    if members[name] == .null { return take(name) }
    return try text(name).map(JSONValue.string)
  }

  mutating func requiredText(_ name: String) throws(StoryFault) -> String {
    guard let text = try text(name) else { throw fault(at: name, "it is missing") }
    guard !text.allSatisfy(\.isWhitespace) else { throw fault(at: name, "it is empty") }
    return text
  }

  mutating func number(_ name: String) throws(StoryFault) -> Int? {
    switch take(name) {
    case nil: return nil
    case .number(let number): return number
    default: throw fault(at: name, "it is not a whole number")
    }
  }

  mutating func list(_ name: String) throws(StoryFault) -> [JSONValue] {
    switch take(name) {
    case nil: return []
    case .array(let values): return values
    default: throw fault(at: name, "it is not a list")
    }
  }

  mutating func flag(_ name: String) throws(StoryFault) -> Bool? {
    switch take(name) {
    case nil: return nil
    case .bool(let flag): return flag
    default: throw fault(at: name, "it is neither true nor false")
    }
  }

  /// A text that is one of a closed set of names.
  mutating func name(
    _ name: String,
    of names: ClosedNames
  ) throws(StoryFault) -> String? {
    guard let text = try text(name) else { return nil }
    try names.check(text, at: place(of: name))
    return text
  }

  /// An object that is passed on unread.
  mutating func object(_ name: String) throws(StoryFault) -> JSONValue? {
    guard let value = take(name) else { return nil }
    guard case .object = value else { throw fault(at: name, "it is not an object") }
    return value
  }

  mutating func requiredObject(_ name: String) throws(StoryFault) -> JSONValue {
    guard let value = try object(name) else { throw fault(at: name, "it is missing") }
    return value
  }

  /// An object whose members are read in turn.
  mutating func opened(_ name: String) throws(StoryFault) -> StoryObject? {
    guard let value = take(name) else { return nil }
    return try StoryObject(value, at: place(of: name))
  }
}

extension [String] {
  /// The texts as in a sentence: `a, b and c`.
  var listed: String {
    count < 2 ? joined() : "\(dropLast().joined(separator: ", ")) and \(self[count - 1])"
  }
}
