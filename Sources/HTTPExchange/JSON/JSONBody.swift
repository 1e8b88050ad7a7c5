/// The body of an answer as JSON: at most 1 MiB, nested at most 32 deep (S27).
///
/// Read by a decoder of our own, since every answer of an auth API goes through it: Foundation's takes
/// more than twice as long, and this one reads a value when somebody asks for it. What it reads is what
/// Foundation's reads, but for what is no JSON at all (RFC 8259): an escape that there is none of, a
/// control character within a text, UTF-16.
public enum JSONBody {
  private static let limitBytes = 1 << 20

  /// Reads what an answer's body says.
  ///
  /// Why it cannot be read is dropped on purpose: it would quote the body, which may hold secrets
  /// (S28).
  /// - Parameters:
  ///   - type: Of texts, numbers, flags, arrays and objects. Foundation's `Data` and `URL` are read as
  ///     they read themselves, which is another shape than `JSONDecoder` has for them.
  ///   - body: UTF-8, with or without a byte order mark.
  /// - Returns: Nil where the body is beyond the limits or of another shape.
  public static func decode<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) -> Value? {
    guard body.count <= limitBytes, let document = JSONDocument(body) else { return nil }
    return try? document.value(type, at: document.root)
  }
}
