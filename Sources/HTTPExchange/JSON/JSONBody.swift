/// The body of an answer as JSON: at most 1 MiB, nested at most 32 deep (S27).
///
/// It has a decoder of its own, since every answer of an auth API goes through it: Foundation's takes
/// more than twice as long, and this one reads a value only when it is asked for. It reads the same as
/// Foundation's, except for what is not JSON at all (RFC 8259): unknown escapes, control characters in
/// strings, UTF-16.
public enum JSONBody {
  private static let limitBytes = 1 << 20

  /// Decodes the body of an answer.
  ///
  /// The reason for a failure is dropped on purpose: it would quote the body, which may hold secrets
  /// (S28).
  /// - Parameters:
  ///   - type: A type made of strings, numbers, Booleans, arrays and objects. Foundation's `Data` and
  ///     `URL` decode by their own `init(from:)`, which expects another shape than `JSONDecoder`.
  ///   - body: UTF-8, with or without a byte order mark.
  /// - Returns: Nil if the body exceeds the limits or has another shape.
  public static func decode<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) -> Value? {
    guard body.count <= limitBytes, let document = JSONDocument(body) else { return nil }
    return try? document.value(type, at: document.root)
  }
}
