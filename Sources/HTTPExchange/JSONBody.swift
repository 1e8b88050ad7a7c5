internal import Foundation

/// The body of an answer as JSON: at most 1 MiB, nested at most 32 deep (S27).
public enum JSONBody {
  private static let limitBytes = 1 << 20
  private static let depthLimit = 32

  /// Reads what an answer's body says.
  ///
  /// Why it cannot be read is dropped on purpose: it would quote the body, which may hold secrets
  /// (S28).
  /// - Returns: Nil where the body is beyond the limits or of another shape.
  public static func decode<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) -> Value? {
    guard isWithinLimits(body) else { return nil }
    return try? JSONDecoder().decode(type, from: Data(body))
  }

  /// Looks at brackets outside of strings alone; whether it is JSON, the decoder finds out.
  static func isWithinLimits(_ body: [UInt8]) -> Bool {
    guard body.count <= limitBytes else { return false }
    return body.withUnsafeBufferPointer { body in
      var open = 0
      var index = 0
      while index < body.count {
        switch body[index] {
        case UInt8(ascii: "\""):
          guard let end = endOfString(from: index, in: body) else { return true }
          index = end
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          open += 1
          if open > depthLimit { return false }
        case UInt8(ascii: "}"), UInt8(ascii: "]"): open -= 1
        default: break
        }
        index += 1
      }
      return true
    }
  }

  /// The place of the quotation mark that ends what one begins; nil where nothing does.
  private static func endOfString(
    from start: Int,
    in body: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    guard let base = body.baseAddress else { return nil }
    var next = start + 1
    while let found = memchr(base + next, Int32(UInt8(ascii: "\"")), body.count - next) {
      let end = UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
      // Behind an odd number of backslashes the mark is one of the text.
      var first = end
      while body[first - 1] == UInt8(ascii: "\\") { first -= 1 }
      if (end - first).isMultiple(of: 2) { return end }
      next = end + 1
    }
    return nil
  }
}
