/// Finds the values of a JSON text, in one pass over its bytes.
///
/// Source: RFC 8259.
struct JSONScanner {
  private typealias Node = JSONDocument.Node

  /// From an offset on, a text is not JSON or is nested too deep.
  struct Malformed: Error {
    let offset: Int
    /// Whether it is JSON up to there, and what follows is nested too deep.
    var isTooDeep = false
  }

  private var malformed: Malformed { Malformed(offset: min(index, bytes.count)) }

  private let bytes: [UInt8]
  private let depthLimit: Int
  private var index = 0
  private var nodes: [Node] = []

  private init(_ bytes: [UInt8], depthLimit: Int) {
    self.bytes = bytes
    self.depthLimit = depthLimit
    // An auth API's answer has about one node for every dozen bytes.
    nodes.reserveCapacity(bytes.count / 10 + 1)
  }

  /// - Throws: `Malformed` if the bytes are not JSON, or nested too deep.
  static func nodes(
    of bytes: [UInt8],
    depthLimit: Int = JSONDocument.depthLimit
  ) throws(Malformed) -> [JSONDocument.Node] {
    var scanner = Self(bytes, depthLimit: depthLimit)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.index = 3 }
    try scanner.value(within: 0)
    guard scanner.nextSign() == nil else { throw scanner.malformed }
    return scanner.nodes
  }

  // MARK: Values

  /// Moves past the next value.
  ///
  /// - Parameter depth: How many arrays and objects it is in.
  /// - Throws: `Malformed` if there is none.
  private mutating func value(within depth: Int) throws(Malformed) {
    switch nextSign() {
    case UInt8(ascii: "\""): try text()
    case UInt8(ascii: "{"): try members(within: depth + 1)
    case UInt8(ascii: "["): try elements(within: depth + 1)
    case UInt8(ascii: "t"): try word("true", .true)
    case UInt8(ascii: "f"): try word("false", .false)
    case UInt8(ascii: "n"): try word("null", .null)
    default: try number()
    }
  }

  private mutating func members(within depth: Int) throws(Malformed) {
    let place = try enter(.object, depth)
    if try !take(UInt8(ascii: "}")) {
      repeat {
        guard nextSign() == UInt8(ascii: "\"") else { throw malformed }
        try text()
        guard try take(UInt8(ascii: ":")) else { throw malformed }
        try value(within: depth)
      } while try goesOn(until: UInt8(ascii: "}"))
    }
    leave(place)
  }

  private mutating func elements(within depth: Int) throws(Malformed) {
    let place = try enter(.array, depth)
    if try !take(UInt8(ascii: "]")) {
      repeat { try value(within: depth) } while try goesOn(until: UInt8(ascii: "]"))
    }
    leave(place)
  }

  /// Moves past the bracket that opens an array or object, and returns the place of its node.
  private mutating func enter(_ kind: Node.Kind, _ depth: Int) throws(Malformed) -> Int {
    guard depth <= depthLimit else { throw Malformed(offset: index, isTooDeep: true) }
    append(kind, from: index, to: index)
    index += 1
    return nodes.count - 1
  }

  private mutating func leave(_ place: Int) { nodes[place].next = nodes.count }

  /// Whether there is another element or member; if not, moves past the closing bracket.
  private mutating func goesOn(until bracket: UInt8) throws(Malformed) -> Bool {
    if try take(UInt8(ascii: ",")) { return true }
    guard try take(bracket) else { throw malformed }
    return false
  }

  private mutating func word(_ word: StaticString, _ kind: Node.Kind) throws(Malformed) {
    let end = index + word.utf8CodeUnitCount
    guard end <= bytes.count else { throw malformed }
    for place in 0..<word.utf8CodeUnitCount where bytes[index + place] != word.utf8Start[place] {
      throw malformed
    }
    append(kind, from: index, to: end)
    index = end
  }

  private mutating func number() throws(Malformed) {
    let begin = index
    skip(UInt8(ascii: "-"))
    let first = index
    try digits()
    guard bytes[first] != UInt8(ascii: "0") || index == first + 1 else { throw malformed }
    if skip(UInt8(ascii: ".")) { try digits() }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      if !skip(UInt8(ascii: "+")) { skip(UInt8(ascii: "-")) }
      try digits()
    }
    append(.number, from: begin, to: index)
  }

  /// Moves past one or more digits.
  private mutating func digits() throws(Malformed) {
    let begin = index
    while index < bytes.count, bytes[index].isASCIIDigit { index += 1 }
    guard index > begin else { throw malformed }
  }

  // MARK: Texts

  private mutating func text() throws(Malformed) {
    let begin = index + 1
    var hasEscapes = false
    index = endOfPlain(from: begin)
    while index < bytes.count, bytes[index] == UInt8(ascii: "\\") {
      hasEscapes = true
      try skipEscape()
      index = endOfPlain(from: index)
    }
    guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { throw malformed }
    append(hasEscapes ? .escapedText : .text, from: begin, to: index)
    index += 1
  }

  private mutating func skipEscape() throws(Malformed) {
    guard index + 1 < bytes.count else { throw malformed }
    let letter = bytes[index + 1]
    index += 2
    guard JSONEscapes.byte(letter) == nil else { return }
    guard letter == UInt8(ascii: "u"), JSONEscapes.codeUnit(bytes[index...].prefix(4)) != nil else {
      throw malformed
    }
    index += 4
  }

  /// The place of the first byte that ends or escapes part of a string, or the end if there is none.
  ///
  /// Eight bytes are examined at a time: strings make up most of a document.
  private func endOfPlain(from begin: Int) -> Int {
    bytes.withUnsafeBytes { bytes in
      var index = begin
      while index + 8 <= bytes.count {
        let eight = UInt64(
          littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        )
        let signs = EightBytes.signs(in: eight)
        if signs != 0 { return index + signs.trailingZeroBitCount / 8 }
        index += 8
      }
      while index < bytes.count, !EightBytes.isSign(bytes[index]) { index += 1 }
      return index
    }
  }

  private enum EightBytes {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// Whether a byte does not stand for itself in a string.
    static func isSign(_ byte: UInt8) -> Bool {
      byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// The highest bit is set in the first such byte and clear in those before it; in later ones it means nothing.
    static func signs(in eight: UInt64) -> UInt64 {
      let marks = eight ^ (ones &* 0x22)
      let backslashes = eight ^ (ones &* 0x5C)
      // Subtracting sets the highest bit of a byte less than the number; `~` drops bytes that had it before.
      let low = (eight &- ones &* 0x20) & ~eight
      let mark = (marks &- ones) & ~marks
      let backslash = (backslashes &- ones) & ~backslashes
      return (low | mark | backslash) & highs
    }
  }

  // MARK: Bytes

  /// The next byte that is not white space, without moving past it; nil at the end.
  private mutating func nextSign() -> UInt8? {
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x0A, 0x0D, 0x09: index += 1
      case let byte: return byte
      }
    }
    return nil
  }

  /// Moves past the next byte that is not white space if it is this one.
  private mutating func take(_ sign: UInt8) throws(Malformed) -> Bool {
    guard let next = nextSign() else { throw malformed }
    if next == sign { index += 1 }
    return next == sign
  }

  /// Moves past the next byte if it is this one.
  @discardableResult
  private mutating func skip(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  private mutating func append(_ kind: Node.Kind, from begin: Int, to end: Int) {
    nodes.append(
      Node(kind: kind, bytes: UInt32(begin)..<UInt32(end), next: nodes.count + 1)
    )
  }
}
