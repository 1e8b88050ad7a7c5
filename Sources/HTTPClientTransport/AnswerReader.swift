internal import HTTPExchange
internal import HTTPTypes

/// An answer as it arrives: the lines of its head, then the bytes of its body.
struct AnswerReader {
  private let headLimitBytes: Int
  private let bodyLimitBytes: Int
  private var headByteCount = 0
  private var status = 0
  private var fields = HTTPFields()
  private var body: [UInt8] = []
  private(set) var isHeadComplete = false

  init(_ limits: HTTPClientTransport.Limits) {
    headLimitBytes = limits.headLimitBytes
    bodyLimitBytes = limits.answerLimitBytes
  }

  /// Takes a line with its line end: a status line, a field, the empty line, or a trailer field.
  ///
  /// An interim answer (1xx) is forgotten as soon as the next status line comes; trailers are
  /// dropped (RFC 9110, sections 15.2 and 6.5.1).
  /// - Throws: `Fault` for an invalid field, for lengths that contradict each other, and for a head
  ///   beyond the limit.
  mutating func readHeadLine(_ bytes: UnsafeRawBufferPointer) throws(Fault) {
    headByteCount += bytes.count
    guard headByteCount <= headLimitBytes else { throw .answerTooLarge }
    let line = bytes.trimmed { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
    if line.starts(with: "HTTP/".utf8) {
      status = try Self.status(inLine: line)
      fields = HTTPFields()
      isHeadComplete = false
    } else if line.isEmpty {
      isHeadComplete = true
    } else if !isHeadComplete {
      try readField(line)
    }
  }

  /// The status in `HTTP/1.1 200 OK`, or in the line that libcurl writes for an HTTP/2 answer.
  private static func status(inLine line: UnsafeRawBufferPointer) throws(Fault) -> Int {
    let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
    guard parts.count >= 2, versions.contains(where: { parts[0].elementsEqual($0.utf8) }),
      parts[1].count == 3, let code = Int(String(decoding: parts[1], as: UTF8.self))
    else { throw .malformedAnswer }
    return code
  }

  private static let versions = ["HTTP/1.1", "HTTP/1.0", "HTTP/2"]

  private mutating func readField(_ line: UnsafeRawBufferPointer) throws(Fault) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
      let name = HTTPField.Name(String(decoding: line.part(..<colon), as: UTF8.self))
    else { throw .malformedAnswer }
    let text = line.part((colon + 1)...).trimmed { $0.isHTTPBlank }
    let value = String(decoding: text, as: UTF8.self)
    if name == .contentLength {
      if let other = fields[.contentLength], other != value { throw .malformedAnswer }
      body.reserveCapacity(min(max(Int(value) ?? 0, 0), bodyLimitBytes))
    }
    fields.append(HTTPField(name: name, value: value))
  }

  /// Appends a part of the body.
  ///
  /// - Throws: `Fault` as soon as the body exceeds the limit.
  mutating func readBody(_ bytes: UnsafeRawBufferPointer) throws(Fault) {
    guard body.count + bytes.count <= bodyLimitBytes else { throw .answerTooLarge }
    body.append(contentsOf: bytes)
  }

  /// The answer, once nothing more is to come.
  ///
  /// - Throws: `Fault` if the head is not complete or the status is not a final one.
  func response() throws(Fault) -> Response {
    guard isHeadComplete else { throw .connectionLost }
    guard (200...599).contains(status) else { throw .malformedAnswer }
    return Response(
      status: HTTPResponse.Status(code: status),
      headerFields: fields,
      body: body
    )
  }
}

extension UnsafeRawBufferPointer {
  /// A part as a buffer of its own, which a string is decoded from without a look at each byte.
  fileprivate func part(_ range: some RangeExpression<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[range])
  }

  /// The bytes without blanks at either end.
  fileprivate func trimmed(_ isBlank: (UInt8) -> Bool) -> UnsafeRawBufferPointer {
    let start = firstIndex { !isBlank($0) } ?? endIndex
    let end = lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
    return part(start..<end)
  }
}
