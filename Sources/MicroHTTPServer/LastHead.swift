internal import HTTPExchange
internal import HTTPTypes

/// The lines of the last head on a connection, and what was read in them.
struct LastHead {
  /// The longest head that is kept, including its request line.
  ///
  /// Enough for a browser's head with the one cookie of a visit and those that other programs on this
  /// machine have set.
  static let limitBytes = 8 * 1024
  /// The most lines that are kept, and the most cookies in all of them: each takes a few hundred bytes once read.
  static let lineLimit = 32
  static let cookieLimit = 32

  /// Compared too, because it decides whether a Transfer-Encoding is accepted and an Expect is heeded.
  private let version: [UInt8]
  private let lines: [FieldLine]
  private var fields: FramedFields

  /// - Returns: Nil if the head is too long to be kept.
  init?(_ head: RequestHead, saying framed: FramedFields) {
    guard head.byteCount <= Self.limitBytes, head.fields.count <= Self.lineLimit,
      framed.fields.values(of: .cookie).cookieCount <= Self.cookieLimit
    else { return nil }
    version = head.version
    lines = head.fields.map(\.line)
    fields = framed
  }

  /// The fields of a head whose lines are exactly these; nil for any other head.
  mutating func fields(of head: RequestHead) -> FramedFields? {
    guard head.isAllFields, head.version == version, head.fields.count == lines.count else {
      return nil
    }
    for (field, line) in zip(head.fields, lines) {
      guard field.isOneLine, field.line === line else { return nil }
    }
    if fields.reading == nil { fields.reading = HeadReading(fields.fields) }
    return fields
  }

  /// The line at an index, if it consists of these bytes.
  func line(
    at place: Int,
    name: UnsafeRawBufferPointer,
    value: UnsafeRawBufferPointer
  ) -> FieldLine? {
    guard place < lines.count, lines[place].isMade(ofName: name, value: value) else { return nil }
    return lines[place]
  }
}

extension [String] {
  /// The most cookies that these field values can hold.
  fileprivate var cookieCount: Int {
    reduce(count) { count, header in
      count + header.utf8.count { $0 == UInt8(ascii: ";") }
    }
  }
}
