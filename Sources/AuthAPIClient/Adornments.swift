extension KeyedDecodingContainer {
  /// The value if it is present and well formed; otherwise nil.
  ///
  /// For parts that an answer can do without: a malformed one must not make the answer unreadable,
  /// so the error is dropped.
  public func adornment<Value: Decodable>(_ type: Value.Type, at key: Key) -> Value? {
    try? decodeIfPresent(type, forKey: key)
  }

  /// The elements that are well formed; a list that is null or missing is empty.
  ///
  /// - Throws: `DecodingError` if it is not a list.
  public func elements<Element: Decodable>(_ type: Element.Type, at key: Key) throws -> [Element] {
    try decodeIfPresent([Lenient<Element>].self, forKey: key)?.compactMap(\.value) ?? []
  }

  /// The text, an empty one counting as missing.
  public func text(at key: Key) -> String? {
    adornment(String.self, at: key).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A required text, which is not empty.
  ///
  /// - Throws: `DecodingError` if it is missing, empty or not a text.
  public func requiredText(at key: Key) throws -> String {
    let text = try decode(String.self, forKey: key)
    guard !text.isEmpty else {
      throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "empty")
    }
    return text
  }
}

/// An element that may be malformed without making its list unreadable.
public struct Lenient<Value: Decodable>: Decodable {
  /// Nil if it is malformed.
  public let value: Value?

  public init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}
