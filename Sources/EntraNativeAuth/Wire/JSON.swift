internal import Foundation
internal import HTTPExchange

/// The JSON decoder behind its limits.
enum JSON {
  /// Nil where the body is beyond the limits or of another shape.
  ///
  /// Why it is so is dropped on purpose: it would quote the body, which may hold secrets (S28).
  static func decode<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) -> Value? {
    guard JSONLimits.admit(body) else { return nil }
    return try? JSONDecoder().decode(type, from: Data(body))
  }

  /// `{"displayName":"Mara"}`: names and texts as one object, in their order.
  static func object(of members: [(name: String, value: String)]) -> String {
    let written = members.map { "\(quoted($0.name)):\(quoted($0.value))" }
    return "{\(written.joined(separator: ","))}"
  }

  private static func quoted(_ text: String) -> String {
    // A string can always be written.
    guard let data = try? JSONEncoder().encode(text) else { return "\"\"" }
    return String(decoding: data, as: UTF8.self)
  }
}

extension KeyedDecodingContainer {
  /// The value where it is there and well formed; else nil.
  ///
  /// For what only adorns an answer: a broken adornment must not hide the answer.
  func adornment<Value: Decodable>(_ type: Value.Type, at key: Key) -> Value? {
    try? decodeIfPresent(type, forKey: key)
  }

  /// A text that is needed and not empty.
  func text(at key: Key) throws -> String {
    let text = try decode(String.self, forKey: key)
    guard !text.isEmpty else {
      throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "empty")
    }
    return text
  }
}
