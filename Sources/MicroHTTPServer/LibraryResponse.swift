internal import CMicroHTTPD
internal import HTTPTypes

/// The first half of a body whose second half is never sent.
private final class Half: Sendable {
  let bytes: [UInt8]

  init(of body: [UInt8]) { bytes = Array(body.prefix((body.count + 1) / 2)) }
}

/// Owns one reference to a `MHD_Response`; each `init` throws `UnsendableAnswer.outOfMemory`.
struct LibraryResponse: ~Copyable {
  // Macros that Swift does not import.
  private static let endOfStream = -1
  private static let endWithError = -2
  private static let sizeUnknown = UInt64.max

  private let pointer: OpaquePointer

  /// A body that is in memory as a whole.
  init(_ body: [UInt8]) throws(UnsendableAnswer) {
    let pointer = body.withUnsafeBytes { bytes in
      MHD_create_response_from_buffer(
        bytes.count,
        // The library copies before this returns, and does not write.
        UnsafeMutableRawPointer(mutating: bytes.baseAddress),
        .RESPMEM_MUST_COPY
      )
    }
    guard let pointer else { throw .outOfMemory }
    self.pointer = pointer
  }

  /// A declared length without a body.
  init(announcing length: UInt64) throws(UnsendableAnswer) {
    pointer = try Self.reading(from: Half(of: []), count: length) { _, _, _, _ in
      Self.endWithError
    }
  }

  /// A body of which the whole length is declared and half is sent.
  init(firstHalfOf body: [UInt8]) throws(UnsendableAnswer) {
    pointer = try Self.reading(from: Half(of: body), count: UInt64(max(body.count, 2))) {
      closure,
      position,
      buffer,
      size in
      guard let closure, let buffer else { return Self.endWithError }
      let half = Unmanaged<Half>.fromOpaque(closure).takeUnretainedValue()
      let part = half.bytes.dropFirst(Int(clamping: position)).prefix(size)
      UnsafeMutableRawBufferPointer(start: buffer, count: size).copyBytes(from: part)
      return part.isEmpty ? Self.endWithError : part.count
    }
  }

  /// A body in pieces: chunked, or over HTTP/1.0 up to the end of the connection.
  init(_ stream: AnswerStream) throws(UnsendableAnswer) {
    pointer = try Self.reading(from: stream, count: Self.sizeUnknown) { closure, _, buffer, size in
      guard let closure, let buffer else { return Self.endWithError }
      let stream = Unmanaged<AnswerStream>.fromOpaque(closure).takeUnretainedValue()
      switch stream.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size)) {
      case .bytes(let count): return count
      case .later: return 0
      case .end: return Self.endOfStream
      case .failure: return Self.endWithError
      }
    }
  }

  /// A body for which the library calls `read`; it holds a reference to `source` until it is done.
  private static func reading(
    from source: any AnyObject & Sendable,
    count: UInt64,
    by read: @escaping MHD_ContentReaderCallback
  ) throws(UnsendableAnswer) -> OpaquePointer {
    let closure = Unmanaged<AnyObject>.passRetained(source)
    let pointer = MHD_create_response_from_callback(count, 32768, read, closure.toOpaque()) {
      closure in
      if let closure { Unmanaged<AnyObject>.fromOpaque(closure).release() }
    }
    guard let pointer else {
      closure.release()
      throw .outOfMemory
    }
    return pointer
  }

  deinit { MHD_destroy_response(pointer) }

  borrowing func add(_ field: HTTPField) throws(UnsendableAnswer) {
    // Header fields have no pseudo-header's name: their collection takes none.
    let name = field.name.rawName
    let added = field.withUnsafeBytesOfValue { value in
      // Branchless and without an early exit, so that many bytes are checked in one step.
      var controls: UInt8 = 0
      for byte in value { controls |= (byte < 0x20 ? 1 : 0) | (byte == 0x7F ? 1 : 0) }
      guard controls == 0 else { return MHD_Result?.none }
      return name.withCString { name in
        Self.withCString(of: value) { MHD_add_response_header(pointer, name, $0) }
      }
    }
    guard let added else { throw .fieldValue(name: name) }
    guard added == .YES else { throw .refusedByLibrary }
  }

  /// Passes the bytes with a NUL after them; the library copies them before the call returns.
  ///
  /// The library accepts no empty value, so a space is passed instead, which a reader trims away
  /// (RFC 9110, section 5.5).
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
