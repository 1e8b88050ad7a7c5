/// A JSON value whose objects keep the order in which they were written.
///
/// Source: RFC 8259.
public enum JSON: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([Member])

  public struct Member: Sendable, Hashable {
    public var name: String
    public var value: JSON

    public init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }

    /// Compares code units: names that only look alike are different (RFC 8259, section 8.3).
    fileprivate func isNamed(_ name: String) -> Bool {
      self.name == name && self.name.utf8.elementsEqual(name.utf8)
    }
  }

  /// The value of the first member with the name; nil if this is not an object or has none.
  public subscript(_ name: String) -> JSON? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.first { $0.isNamed(name) }?.value
    }
    set {
      guard case .object(var members) = self else { return }
      // Releases the members, so that they are changed in place, not copied.
      self = .null
      if let index = members.firstIndex(where: { $0.isNamed(name) }) {
        if let newValue { members[index].value = newValue } else { members.remove(at: index) }
      } else if let newValue {
        members.append(Member(name, newValue))
      }
      self = .object(members)
    }
  }

  /// This object with the members of another one appended; the two must not share a name.
  func followed(by other: JSON) -> JSON {
    guard case .object(let members) = self, case .object(let others) = other else { return self }
    return .object(members + others)
  }

  /// The element at the index; nil if this is not an array or has no such element.
  public subscript(_ index: Int) -> JSON? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  public var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  public var integer: Int64? {
    guard case .integer(let number) = self else { return nil }
    return number
  }

  /// The value of a number, whole or not.
  public var double: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    case .null, .bool, .string, .array, .object: nil
    }
  }

  public var bool: Bool? {
    guard case .bool(let flag) = self else { return nil }
    return flag
  }

  public var array: [JSON]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The names of an object's members; none for any other value.
  var memberNames: Set<String> {
    guard case .object(let members) = self else { return [] }
    return Set(members.map(\.name))
  }

  /// The text as a string, or null for nil.
  package static func optional(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }
  static func optional(_ instant: EpochMilliseconds?) -> JSON {
    instant.map { .integer($0.rawValue) } ?? .null
  }
  static func strings(_ texts: [String]) -> JSON { .array(texts.map(JSON.string)) }
  static func instant(_ instant: EpochMilliseconds) -> JSON { .integer(instant.rawValue) }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(nilLiteral: ()) { self = .null }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member($0, $1) })
  }
}

extension JSON {
  /// Reads a value from JSON text; nil if it is malformed.
  public init?(decoding bytes: [UInt8]) {
    // Callers of this initialiser have no use for the offset of the fault.
    guard let json = try? JSONReader.value(of: bytes) else { return nil }
    self = json
  }
}
