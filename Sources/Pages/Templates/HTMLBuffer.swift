/// The bytes of a document that is being written.
struct HTMLBuffer {
  private(set) var bytes: [UInt8] = []

  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  mutating func append(_ markup: [UInt8]) { bytes += markup }
  mutating func append(_ markup: StaticString) { markup.withUTF8Buffer { bytes += $0 } }

  /// Escapes text for HTML by bytes, as an HTML parser reads it (S17).
  ///
  /// By characters a `"` or `<` with a combining mark after it would be something else, and end the
  /// attribute or open a tag all the same.
  mutating func append(escaping text: String) {
    var text = text
    text.withUTF8 { text in
      var start = 0
      for index in text.indices {
        guard let entity = Self.entity(of: text[index]) else { continue }
        bytes += text[start..<index]
        append(entity)
        start = index + 1
      }
      bytes += text[start...]
    }
  }

  private static func entity(of byte: UInt8) -> StaticString? {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    case UInt8(ascii: "'"): "&#39;"
    // The HTML parser drops or replaces it, whatever is meant.
    case 0: "\u{FFFD}"
    default: nil
    }
  }
}
