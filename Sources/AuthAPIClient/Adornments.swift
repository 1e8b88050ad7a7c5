extension KeyedDecodingContainer {
  /// The value where it is there and well formed; else nil.
  ///
  /// For what only adorns an answer: a broken adornment must not hide the answer, which is why the
  /// reason is dropped here.
  public func adornment<Value: Decodable>(_ type: Value.Type, at key: Key) -> Value? {
    try? decodeIfPresent(type, forKey: key)
  }

  /// The elements that are well formed; a list that is null or missing is empty.
  ///
  /// - Throws: `DecodingError` where it is not a list.
  public func elements<Element: Decodable>(_ type: Element.Type, at key: Key) throws -> [Element] {
    try decodeIfPresent([Lenient<Element>].self, forKey: key)?.compactMap(\.value) ?? []
  }

  /// The text, an empty one counting as missing.
  public func text(at key: Key) -> String? {
    adornment(String.self, at: key).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A text that is needed, and not empty.
  ///
  /// - Throws: `DecodingError` where it is missing, empty or no text.
  public func requiredText(at key: Key) throws -> String {
    let text = try decode(String.self, forKey: key)
    guard !text.isEmpty else {
      throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "empty")
    }
    return text
  }
}

/// An element of a list that may be broken without breaking the list.
public struct Lenient<Value: Decodable>: Decodable {
  /// Nil where it is not well formed.
  public let value: Value?

  public init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}
