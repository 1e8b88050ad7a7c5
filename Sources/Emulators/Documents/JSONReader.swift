internal import HTTPExchange

/// Reads JSON step by step, so that a long document need not stand in memory: neither as a tree, nor,
/// where it lies in a file, as text.
///
/// Source: RFC 8259.
struct JSONReader {
  typealias Malformed = JSONText.Malformed

  /// How deep arrays and objects may lie in each other.
  static let depthLimit = 256

  private var text: JSONText
  private var depth = 0
  /// Whether an array or object was entered whose first element has not been read.
  private var isAtFirst = false

  /// - Parameters:
  ///   - content: UTF-8, with or without a byte order mark.
  ///   - range: Where the value stands in it; nil for all.
  init(_ content: Request.Content, in range: Range<Int>? = nil) {
    text = JSONText(content, in: range)
  }

  /// The one value that the bytes are, with nothing after it.
  static func value(of bytes: [UInt8]) throws(Malformed) -> JSON {
    try value(of: .whole(bytes))
  }

  /// The one value that a text is, with nothing after it.
  static func value(
    of content: Request.Content,
    in range: Range<Int>? = nil
  ) throws(Malformed) -> JSON {
    var reader = JSONReader(content, in: range)
    let value = try reader.value()
    try reader.finish()
    return value
  }

  /// - Throws: `Malformed` unless nothing but white space is left.
  mutating func finish() throws(Malformed) {
    try text.skipSpace()
    guard try text.peek() == nil else { throw text.malformed }
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
    default: return try text.scalar()
    }
  }

  /// Goes past the value that comes next, and says where it stands.
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

  /// The name of the next member, whose value is to be read or skipped then; nil at the end.
  mutating func nextName() throws(Malformed) -> String? {
    guard try goesOn(until: UInt8(ascii: "}")) else { return nil }
    guard try peek() == UInt8(ascii: "\"") else { throw text.malformed }
    let name = try text.string()
    guard try peek() == UInt8(ascii: ":") else { throw text.malformed }
    text.skip()
    return name
  }

  /// Whether there is another element, which is to be read or skipped then.
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

  /// The next byte that is no white space, which stays to be read.
  private mutating func peek() throws(Malformed) -> UInt8 {
    try text.skipSpace()
    guard let byte = try text.peek() else { throw text.malformed }
    return byte
  }
}
