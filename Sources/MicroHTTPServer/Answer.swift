internal import CMicroHTTPD
internal import HTTPExchange
internal import HTTPTypes

/// Why an answer is not sent as the handler gave it (S10).
///
/// Nothing is stripped or repaired: a header value that carries a line break is an attack that got
/// through, or a bug.
enum UnsendableAnswer: Error, CustomStringConvertible {
  case status(Int)
  case fieldName(String)
  case fieldValue(name: String)
  case outOfMemory
  case refusedByLibrary

  var description: String {
    switch self {
    case .status(let code): "\(code) is no final status"
    case .fieldName(let name): "\(name) is no name of a header field"
    case .fieldValue(let name): "the value of \(name) has control characters"
    case .outOfMemory: "out of memory"
    case .refusedByLibrary: "libmicrohttpd refused it"
    }
  }
}

/// Hands an answer to the library; on the connection's own thread, inside the access handler (S5).
func queue(
  _ response: Response,
  closes: Bool,
  on pointer: OpaquePointer
) throws(UnsendableAnswer) -> MHD_Result {
  let code = response.status.code
  guard (200...599).contains(code) else { throw .status(code) }
  switch response.deliveryFailure {
  case .refused, .reset, .timeout: return .NO
  case .truncated, nil: break
  }
  let answer = try LibraryResponse(
    body: response.mayHaveBody ? response.body : [],
    isTruncated: response.deliveryFailure == .truncated
  )
  for field in response.headerFields where !field.isFraming {
    try answer.add(field)
  }
  if closes || response.asksToClose { try answer.add(HTTPField(name: .connection, value: "close")) }
  guard answer.queue(status: code, on: pointer) == .YES else { throw .refusedByLibrary }
  return .YES
}

extension Response {
  /// Source: RFC 9110, sections 15.3.5 and 15.4.5.
  fileprivate var mayHaveBody: Bool { status.code != 204 && status.code != 304 }

  fileprivate var asksToClose: Bool {
    headerFields[values: .connection].contains { $0.lowercased() == "close" }
  }
}

extension HTTPField {
  /// Whether the field says where the message ends, which is the server's own business.
  fileprivate var isFraming: Bool {
    name == .contentLength || name == .transferEncoding || name == .connection
  }
}

/// `MHD_CONTENT_READER_END_WITH_ERROR`, a macro that Swift does not import.
private let endOfTruncatedBody = -2

/// The first half of a body whose second half never comes.
private final class Half: Sendable {
  let bytes: [UInt8]

  init(of body: [UInt8]) { bytes = Array(body.prefix((body.count + 1) / 2)) }
}

/// Owns one reference to a `MHD_Response`.
private struct LibraryResponse: ~Copyable {
  private let pointer: OpaquePointer

  /// - Parameters:
  ///   - body: What is announced.
  ///   - isTruncated: Ends the connection once half of it is sent.
  /// - Throws: `UnsendableAnswer.outOfMemory`.
  init(body: [UInt8], isTruncated: Bool) throws(UnsendableAnswer) {
    let pointer = isTruncated ? Self.truncated(body) : Self.whole(body)
    guard let pointer else { throw .outOfMemory }
    self.pointer = pointer
  }

  private static func whole(_ body: [UInt8]) -> OpaquePointer? {
    body.withUnsafeBytes { bytes in
      MHD_create_response_from_buffer(
        bytes.count,
        // The library copies before this returns, and does not write.
        UnsafeMutableRawPointer(mutating: bytes.baseAddress),
        .RESPMEM_MUST_COPY
      )
    }
  }

  private static func truncated(_ body: [UInt8]) -> OpaquePointer? {
    let half = Unmanaged.passRetained(Half(of: body))
    let pointer = MHD_create_response_from_callback(
      UInt64(max(body.count, 2)),
      4096,
      { closure, position, buffer, size in
        guard let closure, let buffer else { return endOfTruncatedBody }
        let half = Unmanaged<Half>.fromOpaque(closure).takeUnretainedValue()
        let part = half.bytes.dropFirst(Int(clamping: position)).prefix(size)
        guard !part.isEmpty else { return endOfTruncatedBody }
        part.withUnsafeBytes { bytes in
          guard let start = bytes.baseAddress else { return }
          UnsafeMutableRawPointer(buffer).copyMemory(from: start, byteCount: bytes.count)
        }
        return part.count
      },
      half.toOpaque(),
      { closure in
        if let closure { Unmanaged<Half>.fromOpaque(closure).release() }
      }
    )
    if pointer == nil { half.release() }
    return pointer
  }

  deinit { MHD_destroy_response(pointer) }

  borrowing func add(_ field: HTTPField) throws(UnsendableAnswer) {
    let name = field.name.rawName
    guard !name.hasPrefix(":") else { throw .fieldName(name) }
    let added = field.withUnsafeBytesOfValue { value in
      guard !value.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return MHD_Result?.none }
      return Self.withCString(of: value) { MHD_add_response_header(pointer, name, $0) }
    }
    guard let added else { throw .fieldValue(name: name) }
    guard added == .YES else { throw .refusedByLibrary }
  }

  /// The bytes with a NUL behind them; the library copies them before the call returns.
  ///
  /// It takes no empty value; a space is none once it is read (RFC 9110, section 5.5).
  private static func withCString(
    of value: UnsafeBufferPointer<UInt8>,
    _ body: (UnsafePointer<CChar>) -> MHD_Result
  ) -> MHD_Result {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: max(value.count, 1) + 1) { text in
      text[0] = 0x20
      UnsafeMutableRawBufferPointer(text).copyMemory(from: UnsafeRawBufferPointer(value))
      text[text.count - 1] = 0
      return text.baseAddress.map { body($0) } ?? .NO
    }
  }

  borrowing func queue(status: Int, on connection: OpaquePointer) -> MHD_Result {
    MHD_queue_response(connection, UInt32(status), pointer)
  }
}
