/// Base64 with the URL alphabet and without padding: safe in cookies, addresses and HTML.
///
/// Source: RFC 4648, section 5; RFC 7515, section 2.
public enum Base64URL {
  private static let alphabet: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

  @inlinable
  public static func text(of bytes: some Sequence<UInt8>) -> String {
    text(of: Array(bytes))
  }

  /// Over memory, since every page carries a sealed visit and a form token.
  public static func text(of bytes: [UInt8]) -> String {
    let letters = alphabet.utf8Start
    return String(unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { text in
      var written = 0
      var bits: UInt32 = 0
      var bitCount: UInt32 = 0
      for byte in bytes {
        bits = bits << 8 | UInt32(byte)
        bitCount += 8
        while bitCount >= 6 {
          bitCount -= 6
          text.initializeElement(at: written, to: letters[Int(bits >> bitCount & 63)])
          written += 1
        }
      }
      if bitCount > 0 {
        text.initializeElement(at: written, to: letters[Int(bits << (6 - bitCount) & 63)])
        written += 1
      }
      return written
    }
  }

  /// The bytes again, of a text that others wrote: in either alphabet of base64, padded or not.
  public static func bytes(ofAnyBase64 text: some StringProtocol) -> [UInt8]? {
    let letters = text.utf8.filter { $0 != UInt8(ascii: "=") }.map { letter in
      switch letter {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: letter
      }
    }
    return bytes(of: String(decoding: letters, as: UTF8.self))
  }

  /// The bytes again; nil for what is not that alphabet.
  @inlinable
  public static func bytes(of text: some StringProtocol) -> [UInt8]? {
    bytes(ofLetters: Array(text.utf8))
  }

  @usableFromInline
  static func bytes(ofLetters letters: [UInt8]) -> [UInt8]? {
    guard letters.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(letters.count * 3 / 4)
    var bits: UInt32 = 0
    var bitCount: UInt32 = 0
    for letter in letters {
      guard let value = value(of: letter) else { return nil }
      bits = bits << 6 | value
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
      }
    }
    // One text for one value: what is left of the last letter says nothing (RFC 4648, section 3.5).
    return bits & (1 << bitCount - 1) == 0 ? bytes : nil
  }

  private static func value(of letter: UInt8) -> UInt32? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
