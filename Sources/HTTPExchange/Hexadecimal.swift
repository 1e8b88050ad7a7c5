/// Bytes as text, two digits each.
public enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  /// In lower case.
  @inlinable
  public static func text(of bytes: some Sequence<UInt8>) -> String { text(of: Array(bytes)) }

  /// In lower case, of bytes in contiguous memory.
  public static func text(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 0xF)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The value of a digit in either case; nil for any other byte.
  public static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
