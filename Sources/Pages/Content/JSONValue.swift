public import Foundation

/// A JSON value whose members keep their order (RFC 8259).
public indirect enum JSONValue: Sendable {
  public struct Member: Sendable {
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
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// The text, or null.
  public static func string(orNull text: String?) -> JSONValue {
    text.map(JSONValue.string) ?? .null
  }

  /// The moment as `2026-11-21T14:35:00Z`, or null.
  public static func time(orNull date: Date?) -> JSONValue { .string(orNull: date?.timestamp) }
}
