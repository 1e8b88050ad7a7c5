internal import Foundation

/// Why a document of settings or accounts is refused, in words for the person who wrote it.
public struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String

  public init(_ description: String) {
    self.description = description
  }
}

struct DocumentKey: CodingKey {
  var stringValue: String
  var intValue: Int?

  init(stringValue: String) { self.stringValue = stringValue }

  init?(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}

/// One of a few values that a document calls by name.
protocol NamedValue: Decodable, CaseIterable, RawRepresentable<String> {}

extension Decoder {
  /// Refuses an object that has a key besides those named.
  func refuseKeys<Key: CodingKey & CaseIterable>(besides known: Key.Type) throws {
    let container = try container(keyedBy: DocumentKey.self)
    let names = Set(known.allCases.map(\.stringValue))
    let unknown = container.allKeys.map(\.stringValue).filter { !names.contains($0) }.sorted()
    guard let name = unknown.first else { return }
    throw DecodingError.dataCorrupted(
      .init(codingPath: codingPath, debugDescription: "unknown key '\(name)'")
    )
  }
}

extension KeyedDecodingContainer {
  /// Decodes a value that may be left out, but is not null.
  func decode<Value: Decodable>(_ key: Key, default value: Value) throws -> Value {
    contains(key) ? try decode(Value.self, forKey: key) : value
  }

  /// Decodes one of the few values of an enum, and names them where it is none.
  func decode<Value: NamedValue>(_ key: Key, default value: Value) throws -> Value {
    guard contains(key) else { return value }
    return try named(decode(String.self, forKey: key), for: key)
  }

  /// As above, for a list of them.
  func decode<Value: NamedValue>(_ key: Key, default values: [Value]) throws -> [Value] {
    guard contains(key) else { return values }
    return try decode([String].self, forKey: key).map { try named($0, for: key) }
  }

  private func named<Value: NamedValue>(_ text: String, for key: Key) throws -> Value {
    if let value = Value(rawValue: text) { return value }
    let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
    throw refusal(key, "'\(text)' is not one of \(names)")
  }

  func refusal(_ key: Key, _ reason: String) -> any Error {
    DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: reason)
  }
}

/// Reads a document and words what is wrong with it: where, then what.
func decodeDocument<Value: Decodable>(
  _ type: Value.Type,
  from data: Data
) throws(DocumentError) -> Value {
  do {
    return try JSONDecoder().decode(type, from: data)
  } catch let error as DecodingError {
    throw DocumentError(describe(error))
  } catch {
    throw DocumentError(String(describing: error))
  }
}

private func describe(_ error: DecodingError) -> String {
  switch error {
  case .dataCorrupted(let context)
  where context.codingPath.isEmpty && context.underlyingError != nil:
    "not valid JSON"
  case .dataCorrupted(let context):
    place(context.codingPath) + context.debugDescription
  case .keyNotFound(let key, let context):
    place(context.codingPath) + "'\(key.stringValue)' is missing"
  case .typeMismatch(_, let context), .valueNotFound(_, let context):
    place(context.codingPath) + "wrong type"
  @unknown default:
    String(describing: error)
  }
}

private func place(_ path: [any CodingKey]) -> String {
  guard !path.isEmpty else { return "" }
  let steps = path.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
  let text = steps.joined()
  return "'\(text.hasPrefix(".") ? String(text.dropFirst()) : text)': "
}
