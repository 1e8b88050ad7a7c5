/// Bytes as text, two digits each.
public enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  /// In lower case.
  @inlinable
  public static func text(of bytes: some Sequence<UInt8>) -> String { text(of: Array(bytes)) }

  /// The same, for those that lie together.
  public static func text(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 0xF)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
