/// What is let into the JSON decoder: at most 1 MiB, nested at most 32 deep (S27).
public enum JSONLimits {
  public static let bytes = 1 << 20
  public static let depth = 32

  /// Looks at brackets outside of strings alone; whether it is JSON, the decoder finds out.
  public static func admit(_ body: [UInt8]) -> Bool {
    guard body.count <= bytes else { return false }
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
        if open > depth { return false }
      case UInt8(ascii: "}"), UInt8(ascii: "]"): open -= 1
      default: break
      }
    }
    return true
  }
}
