/// Percent-encodes the bytes that are not allowed literally in some part of a URL.
///
/// Source: RFC 3986, section 2.1.
public enum PercentEncoding {
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// The text as one path segment: only letters, digits, `_` and `-` stay, so that no id changes the path's structure.
  public static func segment(_ text: String) -> String { escaped(text, keeping: "_-") }

  /// The text with everything escaped except ASCII letters, digits and those marks.
  public static func escaped(_ text: String, keeping marks: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if byte.isASCIILetterOrDigit || marks.utf8.contains(byte) {
        bytes.append(byte)
      } else {
        escape(byte, into: &bytes)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func escape(_ byte: UInt8, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "%"))
    bytes.append(digits[Int(byte >> 4)])
    bytes.append(digits[Int(byte & 0xF)])
  }
}
