internal import HTTPExchange

/// The lines of the last head that a connection brought, and what they said.
struct LastHead {
  /// How long the lines may be that are kept: enough for a browser's with our cookies, and little where
  /// many connections are open.
  static let limitBytes = 8 * 1024

  private let version: [UInt8]
  private let lines: [FieldLine]
  private var fields: FramedFields

  /// - Returns: Nil where the head is too long to be kept.
  init?(_ head: RequestHead, saying framed: FramedFields) {
    guard head.byteCount <= Self.limitBytes else { return nil }
    version = head.version
    lines = head.fields.map(\.line)
    fields = framed
  }

  /// What a head's fields say, where its lines are the very same.
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

  /// The line at a place, if it is made of these bytes.
  func line(
    at place: Int,
    name: UnsafeRawBufferPointer,
    value: UnsafeRawBufferPointer
  ) -> FieldLine? {
    guard place < lines.count, lines[place].isMade(ofName: name, value: value) else { return nil }
    return lines[place]
  }
}
