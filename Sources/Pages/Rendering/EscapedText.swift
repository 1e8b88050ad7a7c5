import Mustache

/// Escapes text for HTML by bytes, as an HTML parser reads it.
///
/// The content type that comes with swift-mustache goes by grapheme clusters: a `"` or `<` with a
/// combining mark after it is one cluster that its table does not know, and ends the attribute or
/// opens a tag all the same. Every template gets this one from the loader (S17).
struct EscapedText: MustacheContentType {
  static let name = "ESCAPED"

  /// Makes the content type known to the parser.
  static func register() { MustacheContentTypes.register(EscapedText(), named: name) }

  func escapeText(_ text: String) -> String {
    var text = text
    return text.withUTF8 { bytes in
      guard bytes.contains(where: Self.isSpecial) else {
        return String(decoding: bytes, as: UTF8.self)
      }
      var escaped: [UInt8] = []
      escaped.reserveCapacity(bytes.count + 32)
      for byte in bytes {
        switch byte {
        case UInt8(ascii: "&"): escaped += "&amp;".utf8
        case UInt8(ascii: "<"): escaped += "&lt;".utf8
        case UInt8(ascii: ">"): escaped += "&gt;".utf8
        case UInt8(ascii: "\""): escaped += "&quot;".utf8
        case UInt8(ascii: "'"): escaped += "&#39;".utf8
        // The HTML parser drops or replaces it, whatever is meant.
        case 0: escaped += "\u{FFFD}".utf8
        default: escaped.append(byte)
        }
      }
      return String(decoding: escaped, as: UTF8.self)
    }
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
      UInt8(ascii: "'"), 0:
      true
    default: false
    }
  }
}
