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
    var open = 0
    var inString = false
    var escaped = false
    for byte in body {
      if inString {
        if escaped {
          escaped = false
        } else if byte == UInt8(ascii: "\\") {
          escaped = true
        } else if byte == UInt8(ascii: "\"") {
          inString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): inString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open += 1
        if open > depthLimit { return false }
      case UInt8(ascii: "}"), UInt8(ascii: "]"): open -= 1
      default: break
      }
    }
    return true
  }
}
