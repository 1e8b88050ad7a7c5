/// The escape sequences of JSON strings.
///
/// Source: RFC 8259, section 7.
public enum JSONEscapes {
  /// The byte that a letter after a backslash stands for; nil if it stands for none.
  public static func byte(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }

  /// The value of four hexadecimal digits; nil for anything else.
  public static func codeUnit(_ digits: some Collection<UInt8>) -> UInt16? {
    guard digits.count == 4 else { return nil }
    var unit: UInt16 = 0
    for digit in digits {
      guard let value = Hexadecimal.value(of: digit) else { return nil }
      unit = unit << 4 | UInt16(value)
    }
    return unit
  }

  /// Decodes a string with escapes; nil if half of a surrogate pair is missing.
  static func text(of escaped: ArraySlice<UInt8>) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(escaped.count)
    var rest = escaped
    while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
      bytes += rest[..<backslash]
      rest = rest[(backslash + 1)...]
      guard let letter = rest.popFirst() else { return nil }
      if let byte = byte(letter) {
        bytes.append(byte)
      } else {
        guard let scalar = scalar(from: &rest) else { return nil }
        bytes += String(scalar).utf8
      }
    }
    return String(utf8: bytes + rest)
  }

  /// Decodes the character whose digits come next, after a `\u`.
  private static func scalar(from rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
    guard let first = nextUnit(from: &rest) else { return nil }
    guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
    guard rest.starts(with: "\\u".utf8) else { return nil }
    rest = rest.dropFirst(2)
    guard let second = nextUnit(from: &rest), UTF16.isTrailSurrogate(second) else { return nil }
    return UTF16.decode(UTF16.EncodedScalar([first, second]))
  }

  private static func nextUnit(from rest: inout ArraySlice<UInt8>) -> UInt16? {
    defer { rest = rest.dropFirst(4) }
    return codeUnit(rest.prefix(4))
  }
}
