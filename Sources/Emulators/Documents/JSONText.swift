internal import HTTPExchange

/// A JSON text and the reader's position in it; of a text in a file, only a window is in memory.
struct JSONText {
  /// The error for a text that is not JSON from an offset on, or cannot be read there.
  struct Malformed: Error, Hashable, Sendable {
    var offset: Int
    /// Why no more of the text could be read; nil if the text itself is at fault.
    var unreadable: SpooledBody.Failure?
  }

  private static let windowBytes = 64 * 1024

  /// The window: the whole text, or the part of a file that is in memory.
  private var bytes: [UInt8]
  private var end: Int
  private var index: Int
  /// The offset of the window in the text.
  private var base: Int
  /// The file with the rest of the text, and the end of the text in it.
  private let file: (body: SpooledBody, end: Int)?

  /// - Parameters:
  ///   - content: UTF-8, with or without a byte order mark.
  ///   - range: The range of the text in the content; nil for all.
  init(_ content: Request.Content, in range: Range<Int>?) {
    let range = range ?? 0..<content.count
    switch content {
    case .whole(let bytes):
      self.bytes = bytes
      (base, index, end) = (0, range.lowerBound, range.upperBound)
      file = nil
    case .spooled(let body):
      bytes = []
      (base, index, end) = (range.lowerBound, 0, 0)
      file = (body, range.upperBound)
    }
  }

  /// The offset of the next byte.
  var offset: Int { base + index }

  var malformed: Malformed { Malformed(offset: offset) }

  /// Whether there is another byte; moves the window to it if needed.
  private mutating func hasMore() throws(Malformed) -> Bool {
    if index < end { return true }
    return try moveWindow()
  }

  private mutating func moveWindow() throws(Malformed) -> Bool {
    let begin = base + end
    guard let file, begin < file.end else { return false }
    do throws(SpooledBody.Failure) {
      bytes = try file.body.bytes(in: begin..<min(begin + Self.windowBytes, file.end))
    } catch {
      throw Malformed(offset: begin, unreadable: error)
    }
    (base, index, end) = (begin, 0, bytes.count)
    return true
  }
}

// MARK: - Bytes

extension JSONText {
  /// The next byte, without reading it; nil at the end.
  mutating func peek() throws(Malformed) -> UInt8? {
    try hasMore() ? bytes[index] : nil
  }

  /// Reads the next byte.
  mutating func next() throws(Malformed) -> UInt8 {
    guard try hasMore() else { throw malformed }
    defer { index += 1 }
    return bytes[index]
  }

  /// Skips a byte that has been peeked at.
  mutating func skip() { index += 1 }

  /// Reads the next byte if it is one of the letters.
  mutating func take(_ letters: StaticString) throws(Malformed) -> UInt8? {
    guard try hasMore() else { return nil }
    let byte = bytes[index]
    guard letters.withUTF8Buffer({ $0.contains(byte) }) else { return nil }
    index += 1
    return byte
  }

  /// Reads the bytes of a string that need no decoding, up to the end of the window.
  mutating func takePlain() -> ArraySlice<UInt8> {
    let begin = index
    while index < end {
      switch bytes[index] {
      case ..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"): return bytes[begin..<index]
      default: index += 1
      }
    }
    return bytes[begin..<index]
  }

  /// Skips white space, and a byte order mark at the beginning of the text.
  mutating func skipSpace() throws(Malformed) {
    if offset == 0, try hasMore(), bytes[..<end].starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    while try hasMore() {
      switch bytes[index] {
      case 0x20, 0x0A, 0x0D, 0x09: index += 1
      default: return
      }
    }
  }
}
