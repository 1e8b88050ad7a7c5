/// Reads a catalogue's file: one JSON object whose values are strings (RFC 8259).
struct CatalogueText {
  struct Entry: Hashable {
    var key: String
    var text: String
    var position: CatalogueFault.Position
  }

  private let bytes: [UInt8]
  private let file: String
  private var index = 0
  private var line = 1
  private var lineStart = 0

  private init(_ bytes: [UInt8], file: String) {
    self.bytes = bytes
    self.file = file
  }

  /// All entries in their order.
  ///
  /// - Throws: `CatalogueFault` for what is no such object, and for a key that is there twice.
  static func entries(of bytes: [UInt8], file: String) throws(CatalogueFault) -> [Entry] {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw CatalogueFault(
        .notUTF8,
        in: file,
        at: CatalogueFault.Position(ofFirstNonUTF8In: bytes)
      )
    }
    // Some editors write a byte order mark.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var reader = CatalogueText(
      bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes,
      file: file
    )
    return try reader.object()
  }

  private var position: CatalogueFault.Position {
    let column = bytes[lineStart..<min(index, bytes.count)].reduce(1) { count, byte in
      UTF8.isContinuation(byte) ? count : count + 1
    }
    return CatalogueFault.Position(line: line, column: column)
  }

  private func fault(_ expected: String) -> CatalogueFault {
    CatalogueFault(.noJSON(expected: expected), in: file, at: position)
  }

  private mutating func object() throws(CatalogueFault) -> [Entry] {
    var entries: [Entry] = []
    var seen: Set<String> = []
    try take("{")
    guard peek() != UInt8(ascii: "}") else { return try end(entries) }
    while true {
      _ = peek()
      let place = position
      let key = try string()
      guard seen.insert(key).inserted else {
        throw CatalogueFault(.repeatedKey, in: file, at: place, key: key)
      }
      try take(":")
      _ = peek()
      let position = position
      entries.append(Entry(key: key, text: try string(), position: position))
      guard peek() == UInt8(ascii: ",") else { return try end(entries) }
      index += 1
    }
  }

  private mutating func end(_ entries: [Entry]) throws(CatalogueFault) -> [Entry] {
    try take("}")
    guard peek() == nil else { throw fault("the end of the file") }
    return entries
  }

  /// Skips white space and returns the next byte without consuming it.
  private mutating func peek() -> UInt8? {
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\n"):
        line += 1
        lineStart = index + 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
      default: return bytes[index]
      }
      index += 1
    }
    return nil
  }

  private mutating func take(_ sign: Unicode.Scalar) throws(CatalogueFault) {
    guard peek() == UInt8(ascii: sign) else { throw fault("a \(sign)") }
    index += 1
  }

  private mutating func string() throws(CatalogueFault) -> String {
    guard peek() == UInt8(ascii: "\"") else { throw fault("a text in quotes") }
    index += 1
    var text: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): try escape(into: &text)
      case 0..<0x20: throw fault("a \" on the same line")
      default:
        text.append(byte)
        index += 1
      }
    }
    throw fault("a \"")
  }

  private mutating func escape(into text: inout [UInt8]) throws(CatalogueFault) {
    let sign = index + 1 < bytes.count ? bytes[index + 1] : 0
    switch Unicode.Scalar(sign) {
    case "\"", "\\", "/": text.append(sign)
    case "n": text.append(UInt8(ascii: "\n"))
    case "t": text.append(UInt8(ascii: "\t"))
    case "r": text.append(UInt8(ascii: "\r"))
    case "b": text.append(8)
    case "f": text.append(12)
    case "u":
      text += try codePoint()
      return
    default: throw fault("an escape that JSON knows")
    }
    index += 2
  }

  /// `\u00e9`, or two of them for what UTF-16 writes as a pair.
  private mutating func codePoint() throws(CatalogueFault) -> [UInt8] {
    var units: [UInt16] = []
    repeat {
      let digits = bytes[min(index + 2, bytes.count)..<min(index + 6, bytes.count)]
      guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
        bytes[index + 1] == UInt8(ascii: "u"), digits.count == 4,
        digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
        let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
      else { throw fault("four digits of a code point") }
      units.append(unit)
      index += 6
    } while units.count == 1 && UTF16.isLeadSurrogate(units[0])
    guard let text = String(validating: units, as: UTF16.self) else {
      throw fault("a pair of UTF-16")
    }
    return Array(text.utf8)
  }
}
