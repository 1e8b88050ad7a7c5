internal import HTTPExchange
internal import HTTPTypes

/// The lines of the last head that a connection brought, and what they said.
struct LastHead {
  /// How long the lines may be that are kept, with the request line before them: a browser's, with a visit that
  /// takes one cookie and what other programs of this machine have set.
  static let limitBytes = 8 * 1024
  /// How many lines, and how many cookies in all of them: what is read takes some hundred bytes for each.
  static let lineLimit = 32
  static let cookieLimit = 32

  /// By which a Transfer-Encoding is taken or refused, and an Expect is heard; the connection ends behind either, but
  /// what the lines say would depend on that.
  private let version: [UInt8]
  private let lines: [FieldLine]
  private var fields: FramedFields

  /// - Returns: Nil where the head is too long to be kept.
  init?(_ head: RequestHead, saying framed: FramedFields) {
    guard head.byteCount <= Self.limitBytes, head.fields.count <= Self.lineLimit,
      framed.fields.values(of: .cookie).cookieCount <= Self.cookieLimit
    else { return nil }
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

extension [String] {
  /// How many cookies the values of those fields have, at most.
  fileprivate var cookieCount: Int {
    reduce(count) { count, header in
      count + header.utf8.count { $0 == UInt8(ascii: ";") }
    }
  }
}
