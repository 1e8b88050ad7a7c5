/// Reads JSON from bytes step by step, so that a long document need not stand in memory as a tree.
///
/// Source: RFC 8259.
struct JSONReader {
  /// That the bytes are not JSON from an offset on.
  struct Malformed: Error, Hashable, Sendable {
    var offset: Int
  }

  /// How deep arrays and objects may lie in each other.
  static let depthLimit = 256

  private let bytes: [UInt8]
  private let end: Int
  private var offset: Int
  private var depth = 0
  /// Whether an array or object was entered whose first element has not been read.
  private var isAtFirst = false

  /// - Parameters:
  ///   - bytes: UTF-8, with or without a byte order mark.
  ///   - range: Where the value stands in them; nil for all.
  init(_ bytes: [UInt8], in range: Range<Int>? = nil) {
    let range = range ?? bytes.startIndex..<bytes.endIndex
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let hasMark = range.lowerBound == 0 && bytes.starts(with: mark)
    self.bytes = bytes
    offset = hasMark ? mark.count : range.lowerBound
    end = range.upperBound
  }

  /// The one value that the bytes are, with nothing after it.
  static func value(of bytes: [UInt8], in range: Range<Int>? = nil) throws(Malformed) -> JSON {
    var reader = JSONReader(bytes, in: range)
    let value = try reader.value()
    try reader.finish()
    return value
  }

  /// - Throws: `Malformed` unless nothing but white space is left.
  mutating func finish() throws(Malformed) {
    skipSpace()
    guard offset == end else { throw malformed }
  }

  // MARK: Values

  /// Reads the value that comes next.
  mutating func value() throws(Malformed) -> JSON {
    switch try peek() {
    case UInt8(ascii: "{"):
      var members: [JSON.Member] = []
      try enterObject()
      while let name = try nextName() { members.append(JSON.Member(name, try value())) }
      return .object(members)
    case UInt8(ascii: "["):
      var elements: [JSON] = []
      try enterArray()
      while try hasNextElement() { elements.append(try value()) }
      return .array(elements)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  /// Goes past the value that comes next, and says where it stands.
  mutating func skip() throws(Malformed) -> Range<Int> {
    let first = try peek()
    let begin = offset
    switch first {
    case UInt8(ascii: "{"):
      try enterObject()
      while try nextName() != nil { _ = try skip() }
    case UInt8(ascii: "["):
      try enterArray()
      while try hasNextElement() { _ = try skip() }
    default: _ = try value()
    }
    return begin..<offset
  }

  // MARK: Arrays and objects

  mutating func enterObject() throws(Malformed) { try enter(UInt8(ascii: "{")) }

  mutating func enterArray() throws(Malformed) { try enter(UInt8(ascii: "[")) }

  /// The name of the next member, whose value is to be read or skipped then; nil at the end.
  mutating func nextName() throws(Malformed) -> String? {
    guard try goesOn(until: UInt8(ascii: "}")) else { return nil }
    guard try peek() == UInt8(ascii: "\"") else { throw malformed }
    let name = try string()
    guard try peek() == UInt8(ascii: ":") else { throw malformed }
    offset += 1
    return name
  }

  /// Whether there is another element, which is to be read or skipped then.
  mutating func hasNextElement() throws(Malformed) -> Bool {
    try goesOn(until: UInt8(ascii: "]"))
  }

  private mutating func enter(_ bracket: UInt8) throws(Malformed) {
    guard try peek() == bracket, depth < Self.depthLimit else { throw malformed }
    offset += 1
    depth += 1
    isAtFirst = true
  }

  private mutating func goesOn(until bracket: UInt8) throws(Malformed) -> Bool {
    let byte = try peek()
    if byte == bracket {
      offset += 1
      depth -= 1
      isAtFirst = false
      return false
    }
    if !isAtFirst {
      guard byte == UInt8(ascii: ",") else { throw malformed }
      offset += 1
    }
    isAtFirst = false
    return true
  }

  // MARK: Scalars

  private mutating func word(_ text: StaticString, _ value: JSON) throws(Malformed) -> JSON {
    let length = text.utf8CodeUnitCount
    let isThere = text.withUTF8Buffer { word in
      end - offset >= length && word.elementsEqual(bytes[offset..<offset + length])
    }
    guard isThere else { throw malformed }
    offset += length
    return value
  }

  private mutating func number() throws(Malformed) -> JSON {
    let begin = offset
    if offset < end, bytes[offset] == UInt8(ascii: "-") { offset += 1 }
    let firstDigit = offset
    let digitCount = skipDigits()
    guard digitCount > 0, digitCount == 1 || bytes[firstDigit] != UInt8(ascii: "0") else {
      throw malformed
    }
    var isWhole = true
    if offset < end, bytes[offset] == UInt8(ascii: ".") {
      isWhole = false
      offset += 1
      guard skipDigits() > 0 else { throw malformed }
    }
    if offset < end, bytes[offset] | 0x20 == UInt8(ascii: "e") {
      isWhole = false
      offset += 1
      if offset < end, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[offset]) {
        offset += 1
      }
      guard skipDigits() > 0 else { throw malformed }
    }
    let text = String(decoding: bytes[begin..<offset], as: UTF8.self)
    if isWhole, let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else { throw malformed }
    return .number(number)
  }

  private mutating func skipDigits() -> Int {
    let begin = offset
    while offset < end, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[offset]) {
      offset += 1
    }
    return offset - begin
  }

  private mutating func string() throws(Malformed) -> String {
    offset += 1
    let begin = offset
    while offset < end, bytes[offset] >= 0x20 {
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        defer { offset += 1 }
        return try text(Array(bytes[begin..<offset]))
      case UInt8(ascii: "\\"): return try escapedString(after: Array(bytes[begin..<offset]))
      default: offset += 1
      }
    }
    throw malformed
  }

  private mutating func escapedString(after prefix: [UInt8]) throws(Malformed) -> String {
    var read = prefix
    while offset < end, bytes[offset] >= 0x20 {
      let byte = bytes[offset]
      offset += 1
      switch byte {
      case UInt8(ascii: "\""): return try text(read)
      case UInt8(ascii: "\\"): read += try escape()
      default: read.append(byte)
      }
    }
    throw malformed
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F,
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A,
    UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
  ]

  /// What stands after a backslash, as UTF-8.
  private mutating func escape() throws(Malformed) -> [UInt8] {
    guard offset < end else { throw malformed }
    let letter = bytes[offset]
    offset += 1
    if let byte = Self.escapes[letter] { return [byte] }
    guard letter == UInt8(ascii: "u") else { throw malformed }
    var units = [try codeUnit()]
    if UTF16.isLeadSurrogate(units[0]) {
      guard offset + 1 < end, bytes[offset] == UInt8(ascii: "\\"),
        bytes[offset + 1] == UInt8(ascii: "u")
      else { throw malformed }
      offset += 2
      units.append(try codeUnit())
    }
    guard let text = String(validating: units, as: UTF16.self) else { throw malformed }
    return Array(text.utf8)
  }

  private static let hexadecimals = Set("0123456789abcdefABCDEF".utf8)

  private mutating func codeUnit() throws(Malformed) -> UInt16 {
    guard end - offset >= 4 else { throw malformed }
    let digits = bytes[offset..<offset + 4]
    let isHexadecimal = digits.allSatisfy { Self.hexadecimals.contains($0) }
    guard isHexadecimal, let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw malformed }
    offset += 4
    return unit
  }

  private func text(_ read: [UInt8]) throws(Malformed) -> String {
    guard let text = String(validating: read, as: UTF8.self) else { throw malformed }
    return text
  }

  // MARK: Bytes

  private var malformed: Malformed { Malformed(offset: offset) }

  /// The next byte that is no white space.
  private mutating func peek() throws(Malformed) -> UInt8 {
    skipSpace()
    guard offset < end else { throw malformed }
    return bytes[offset]
  }

  private mutating func skipSpace() {
    while offset < end {
      switch bytes[offset] {
      case 0x20, 0x0A, 0x0D, 0x09: offset += 1
      default: return
      }
    }
  }
}
