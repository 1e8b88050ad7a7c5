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
      func write(_ bits: UInt32, letterCount: UInt32) {
        for place in 0..<letterCount {
          let letter = letters[Int(bits &>> (18 &- 6 &* place) & 63)]
          text.initializeElement(at: written, to: letter)
          written += 1
        }
      }
      // Three bytes make four letters; a shorter rest is filled up with zero bits.
      var index = 0
      while index + 3 <= bytes.count {
        write(
          UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]),
          letterCount: 4
        )
        index += 3
      }
      switch bytes.count - index {
      case 1: write(UInt32(bytes[index]) << 16, letterCount: 2)
      case 2: write(UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8, letterCount: 3)
      default: break
      }
      return written
    }
  }

  /// Decodes a text from elsewhere: in either alphabet of base64, padded or not.
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

  /// Decodes a text; nil if it is not in this alphabet.
  @inlinable
  public static func bytes(of text: some StringProtocol) -> [UInt8]? {
    bytes(ofLetters: Array(text.utf8))
  }

  /// Decodes letters in contiguous memory.
  public static func bytes(ofLetters letters: [UInt8]) -> [UInt8]? {
    guard letters.count % 4 != 1 else { return nil }
    // The unused bits of the last letter must be zero: one text for each value (RFC 4648, section 3.5).
    var rest: UInt32 = 0
    // All values combined, so that one check at the end finds a byte outside the alphabet.
    var seen: UInt32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: letters.count * 3 / 4) { bytes, written in
      func write(_ bits: UInt32, shiftedBy shift: UInt32) {
        bytes.initializeElement(at: written, to: UInt8(truncatingIfNeeded: bits >> shift))
        written += 1
      }
      values.withUnsafeBufferPointer { values in
        letters.withUnsafeBufferPointer { letters in
          func value(at place: Int) -> UInt32 {
            let value = UInt32(values[Int(letters[place])])
            seen |= value
            return value
          }
          // Four letters are three bytes.
          var place = 0
          while place + 4 <= letters.count {
            let bits =
              value(at: place) << 18 | value(at: place + 1) << 12 | value(at: place + 2) << 6
              | value(at: place + 3)
            write(bits, shiftedBy: 16)
            write(bits, shiftedBy: 8)
            write(bits, shiftedBy: 0)
            place += 4
          }
          switch letters.count - place {
          case 2:
            let bits = value(at: place) << 6 | value(at: place + 1)
            write(bits, shiftedBy: 4)
            rest = bits & 0xF
          case 3:
            let bits =
              value(at: place) << 12 | value(at: place + 1) << 6 | value(at: place + 2)
            write(bits, shiftedBy: 10)
            write(bits, shiftedBy: 2)
            rest = bits & 0x3
          default: break
          }
        }
      }
    }
    return seen < noLetter && rest == 0 ? bytes : nil
  }

  private static let noLetter: UInt32 = 64

  /// The value of each byte as a letter.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: UInt8(noLetter), count: 256)
    alphabet.withUTF8Buffer { letters in
      for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
    }
    return values
  }()
}
