extension [UInt8] {
  mutating func append(_ markup: StaticString) { markup.withUTF8Buffer { self += $0 } }

  /// Escapes text for HTML by bytes, as an HTML parser reads it (S17).
  ///
  /// By characters a `"` or `<` with a combining mark after it would be something else, and end the
  /// attribute or open a tag all the same.
  mutating func append(escapedForHTML text: String) {
    append(text) { byte, bytes in
      switch byte {
      case UInt8(ascii: "&"): bytes.append("&amp;")
      case UInt8(ascii: "<"): bytes.append("&lt;")
      case UInt8(ascii: ">"): bytes.append("&gt;")
      case UInt8(ascii: "\""): bytes.append("&quot;")
      case UInt8(ascii: "'"): bytes.append("&#39;")
      // The HTML parser drops or replaces it, whatever is meant.
      case 0: bytes.append("\u{FFFD}")
      default: return false
      }
      return true
    }
  }

  /// Escapes text for a JSON string (RFC 8259, section 7).
  mutating func append(escapedForJSON text: String) {
    append(text) { byte, bytes in
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): bytes.append(#"\n"#)
      case UInt8(ascii: "\r"): bytes.append(#"\r"#)
      case UInt8(ascii: "\t"): bytes.append(#"\t"#)
      case 0..<0x20:
        bytes.append(byte < 0x10 ? #"\u000"# : #"\u001"#)
        bytes += String(byte & 0xF, radix: 16).utf8
      default: return false
      }
      return true
    }
  }

  /// The function writes another sign for a byte, or tells that it stays as it is.
  private mutating func append(_ text: String, escape: (UInt8, inout [UInt8]) -> Bool) {
    var text = text
    text.withUTF8 { text in
      var start = 0
      var escaped = [UInt8]()
      for index in text.indices where escape(text[index], &escaped) {
        self += text[start..<index]
        self += escaped
        escaped.removeAll(keepingCapacity: true)
        start = index + 1
      }
      self += text[start...]
    }
  }
}
