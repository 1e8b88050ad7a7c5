internal import HTTPExchange

/// Reads JSON step by step, so that a long document is never in memory as a whole: neither as a tree
/// nor, if its text is in a file, as text.
///
/// Source: RFC 8259.
struct JSONReader {
  typealias Malformed = JSONText.Malformed

  /// How deeply arrays and objects may be nested.
  static let depthLimit = 256

  private var text: JSONText
  private var depth = 0
  /// Whether an array or object has just been entered and its first element has not been read.
  private var isAtFirst = false

  /// - Parameters:
  ///   - content: UTF-8, with or without a byte order mark.
  ///   - range: The range of the value in the content; nil for all.
  init(_ content: Request.Content, in range: Range<Int>? = nil) {
    text = JSONText(content, in: range)
  }

  /// The value of JSON text that has nothing after it.
  static func value(of bytes: [UInt8]) throws(Malformed) -> JSON {
    try value(of: .whole(bytes))
  }

  /// The value of JSON content that has nothing after it.
  static func value(
    of content: Request.Content,
    in range: Range<Int>? = nil
  ) throws(Malformed) -> JSON {
    var reader = JSONReader(content, in: range)
    let value = try reader.value()
    try reader.finish()
    return value
  }

  /// - Throws: `Malformed` if anything other than white space is left.
  mutating func finish() throws(Malformed) {
    try text.skipSpace()
    guard try text.peek() == nil else { throw text.malformed }
  }

  // MARK: Values

  /// Reads the next value.
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
    default: return try text.scalar()
    }
  }

  /// Skips the next value and returns its byte range.
  mutating func skip() throws(Malformed) -> Range<Int> {
    let first = try peek()
    let begin = text.offset
    switch first {
    case UInt8(ascii: "{"):
      try enterObject()
      while try nextName() != nil { _ = try skip() }
    case UInt8(ascii: "["):
      try enterArray()
      while try hasNextElement() { _ = try skip() }
    default: _ = try text.scalar()
    }
    return begin..<text.offset
  }

  // MARK: Arrays and objects

  mutating func enterObject() throws(Malformed) { try enter(UInt8(ascii: "{")) }

  mutating func enterArray() throws(Malformed) { try enter(UInt8(ascii: "[")) }

  /// The name of the next member, or nil at the end; the caller must then read or skip its value.
  mutating func nextName() throws(Malformed) -> String? {
    guard try goesOn(until: UInt8(ascii: "}")) else { return nil }
    guard try peek() == UInt8(ascii: "\"") else { throw text.malformed }
    let name = try text.string()
    guard try peek() == UInt8(ascii: ":") else { throw text.malformed }
    text.skip()
    return name
  }

  /// Whether there is another element; if so, the caller must then read or skip it.
  mutating func hasNextElement() throws(Malformed) -> Bool {
    try goesOn(until: UInt8(ascii: "]"))
  }

  private mutating func enter(_ bracket: UInt8) throws(Malformed) {
    guard try peek() == bracket, depth < Self.depthLimit else { throw text.malformed }
    text.skip()
    depth += 1
    isAtFirst = true
  }

  private mutating func goesOn(until bracket: UInt8) throws(Malformed) -> Bool {
    let byte = try peek()
    if byte == bracket {
      text.skip()
      depth -= 1
      isAtFirst = false
      return false
    }
    if !isAtFirst {
      guard byte == UInt8(ascii: ",") else { throw text.malformed }
      text.skip()
    }
    isAtFirst = false
    return true
  }

  /// The next byte that is not white space, without reading it.
  private mutating func peek() throws(Malformed) -> UInt8 {
    try text.skipSpace()
    guard let byte = try text.peek() else { throw text.malformed }
    return byte
  }
}
