import Glibc

extension [UInt8] {
  mutating func append(_ markup: StaticString) { markup.withUTF8Buffer { self += $0 } }

  /// Escapes text for HTML by bytes, as an HTML parser reads it (S17).
  ///
  /// As a `Character`, `"` or `<` followed by a combining mark would compare unequal and pass, but
  /// still end the attribute or open a tag. Control characters that HTML does not allow become
  /// U+FFFD: parsers take some for something else, and a terminal that shows the page obeys them.
  ///
  /// Source: HTML Living Standard, "Preprocessing the input stream".
  mutating func append(escapedForHTML text: String) {
    // Most texts have none of these characters; `strcspn` stops at a NUL, and the lengths then
    // differ.
    if text.withCString({ strcspn($0, "&<>\"'") }) == text.utf8.count {
      var text = text
      let isPlain = text.withUTF8 { bytes in
        guard !Self.mayHoldControls(bytes) else { return false }
        self += bytes
        return true
      }
      if isPlain { return }
    }
    append(text, escaping: .html) { byte, bytes in
      switch byte {
      case UInt8(ascii: "&"): bytes.append("&amp;")
      case UInt8(ascii: "<"): bytes.append("&lt;")
      case UInt8(ascii: ">"): bytes.append("&gt;")
      case UInt8(ascii: "\""): bytes.append("&quot;")
      case UInt8(ascii: "'"): bytes.append("&#39;")
      default: bytes.append("\u{FFFD}")
      }
    }
  }

  /// Whether the bytes have any control character, including blanks; branch-free, so that the
  /// compiler vectorises it.
  private static func mayHoldControls(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var found: UInt8 = 0
    for byte in bytes { found |= (byte < 0x20 ? 1 : 0) | (byte == 0x7F ? 1 : 0) }
    return found != 0
  }

  /// Escapes text for a JSON string (RFC 8259, section 7).
  mutating func append(escapedForJSON text: String) {
    append(text, escaping: .json) { byte, bytes in
      switch byte {
      case UInt8(ascii: "\n"): bytes.append(#"\n"#)
      case UInt8(ascii: "\r"): bytes.append(#"\r"#)
      case UInt8(ascii: "\t"): bytes.append(#"\t"#)
      case 0..<0x20:
        bytes.append(byte < 0x10 ? #"\u000"# : #"\u001"#)
        bytes += String(byte & 0xF, radix: 16).utf8
      default: bytes += [UInt8(ascii: "\\"), byte]
      }
    }
  }

  /// Appends text, calling `escape` for each byte of the set.
  private mutating func append(
    _ text: String,
    escaping set: ASCIISet,
    by escape: (UInt8, inout [UInt8]) -> Void
  ) {
    var text = text
    text.withUTF8 { text in
      guard let bytes = text.baseAddress else { return }
      let count = text.count
      var start = 0
      var index = 0
      while index < count {
        if set.contains(bytes[index]) {
          self += text[start..<index]
          escape(bytes[index], &self)
          start = index + 1
        }
        index += 1
      }
      self += text[start...]
    }
  }
}

/// A set of ASCII characters as a bit mask, for a lookup without a branch per character.
private struct ASCIISet {
  /// `&`, `<`, `>`, both quotes, and all control characters except white space.
  static let html = ASCIISet("&<>\"'\u{7F}", andBelow: 0x20, but: "\t\n\u{C}\r")
  /// `"`, `\` and everything below the space.
  static let json = ASCIISet("\"\\", andBelow: 0x20)

  private let low: UInt64
  private let high: UInt64

  private init(_ signs: String, andBelow bound: UInt8, but others: String = "") {
    let bytes = Array(0..<bound).filter { !others.utf8.contains($0) } + signs.utf8
    low = bytes.filter { $0 < 64 }.reduce(0) { $0 | 1 << UInt64($1) }
    high = bytes.filter { $0 >= 64 }.reduce(0) { $0 | 1 << UInt64($1 - 64) }
  }

  func contains(_ byte: UInt8) -> Bool {
    byte < 64
      ? low & (1 &<< UInt64(byte)) != 0 : byte < 128 && high & (1 &<< UInt64(byte)) != 0
  }
}
