internal import HTTPExchange

extension FramedRequest {
  /// Reserves memory for the body that the head announces, if it is to stay in memory.
  mutating func reserve(upTo limitBytes: Int) {
    guard case .length(let length) = body, length <= limitBytes else { return }
    request.body.reserveCapacity(length)
  }

  /// Appends the next part of the body.
  ///
  /// A file is written on the server's own thread: the bytes go to the system's cache, at the pace of
  /// the client, and only a few requests may be so long.
  /// - Parameters:
  ///   - bytes: The part.
  ///   - limitBytes: How much is held in memory; a longer body goes to a temporary file.
  /// - Throws: `SpooledBody.Failure`; what has arrived so far is then lost.
  mutating func append(
    _ bytes: UnsafeRawBufferPointer,
    inMemoryUpTo limitBytes: Int
  ) throws(SpooledBody.Failure) {
    switch request.content {
    case .spooled(let file): try file.append(bytes)
    case .whole(var body):
      // Empty the request first, so that the body grows in place instead of being copied each time.
      request.content = .whole([])
      body.append(contentsOf: bytes)
      request.content = body.count > limitBytes ? try Self.spooled(body) : .whole(body)
    }
  }

  private static func spooled(_ body: [UInt8]) throws(SpooledBody.Failure) -> Request.Content {
    let file = try SpooledBody()
    var failure: SpooledBody.Failure?
    body.withUnsafeBytes { bytes in
      do throws(SpooledBody.Failure) { try file.append(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
    return .spooled(file)
  }
}
