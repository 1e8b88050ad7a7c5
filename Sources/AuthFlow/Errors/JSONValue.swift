/// A JSON value whose members keep their order (RFC 8259).
public indirect enum JSONValue: Hashable, Sendable {
  public struct Member: Hashable, Sendable {
    public var name: String
    public var value: JSONValue

    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  case null
  case bool(Bool)
  case number(Int)
  case decimal(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// The text, or null.
  public static func string(orNull text: String?) -> JSONValue {
    text.map(JSONValue.string) ?? .null
  }

  /// The value of the member of that name; nil where there is none, or where this is not an object.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }
}

extension JSONValue: Codable {
  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Sorts the members of objects by name, since a decoder does not keep their order.
  public init(from decoder: any Decoder) throws {
    // Strings first: most values are strings, and each wrong guess costs a thrown error.
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let object = try? decoder.container(keyedBy: Name.self) {
      let names = object.allKeys.sorted { $0.stringValue < $1.stringValue }
      self = .object(
        try names.map { Member($0.stringValue, try object.decode(JSONValue.self, forKey: $0)) }
      )
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .number(value)
    } else if let value = try? container.decode(Double.self) {
      self = .decimal(value)
    } else {
      self = .array(try container.decode([JSONValue].self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    if case .object(let members) = self {
      var container = encoder.container(keyedBy: Name.self)
      for member in members {
        try container.encode(member.value, forKey: Name(stringValue: member.name))
      }
      return
    }
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .decimal(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let values): try container.encode(values)
    case .object: return
    }
  }
}

extension JSONValue {
  /// The approximate size as JSON, in bytes.
  var size: Int {
    switch self {
    case .null, .bool: 5
    case .number, .decimal: 20
    case .string(let text): text.utf8.count + 2
    case .array(let values): values.reduce(2) { $0 + $1.size + 1 }
    case .object(let members): members.reduce(2) { $0 + $1.name.utf8.count + $1.value.size + 4 }
    }
  }

  /// The same value with every string transformed, given the name of the member that holds it.
  func mapTexts(
    named name: String?,
    _ transform: (_ name: String?, _ text: String) -> String
  ) -> JSONValue {
    switch self {
    case .null, .bool, .number, .decimal: self
    case .string(let text): .string(transform(name, text))
    case .array(let values): .array(values.map { $0.mapTexts(named: name, transform) })
    case .object(let members):
      .object(
        members.map { Member($0.name, $0.value.mapTexts(named: $0.name, transform)) }
      )
    }
  }
}
