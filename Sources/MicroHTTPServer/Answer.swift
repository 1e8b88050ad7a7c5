internal import CMicroHTTPD
internal import HTTPExchange
internal import HTTPTypes

/// Why the handler's answer cannot be sent (S10).
///
/// Nothing is stripped or repaired: a field value with a line break in it is either an attack that
/// got through or a bug.
enum UnsendableAnswer: Error, CustomStringConvertible {
  case status(Int)
  case fieldValue(name: String)
  case outOfMemory
  case refusedByLibrary

  var description: String {
    switch self {
    case .status(let code): "\(code) is not a final status"
    case .fieldValue(let name): "the value of \(name) has control characters"
    case .outOfMemory: "out of memory"
    case .refusedByLibrary: "libmicrohttpd refused it"
    }
  }
}

/// Hands an answer to the library.
///
/// Called on the connection's own thread, inside the access handler (S5).
/// - Parameters:
///   - response: The answer.
///   - closes: Whether the connection ends with it.
///   - pointer: The connection.
///   - stream: Makes the stream that sends a body in pieces.
/// - Returns: The access handler's result.
/// - Throws: `UnsendableAnswer`, with nothing sent.
func queue(
  _ response: Response,
  closes: Bool,
  on pointer: OpaquePointer,
  stream: (BodyPieces) -> AnswerStream
) throws(UnsendableAnswer) -> MHD_Result {
  let code = response.status.code
  guard (200...599).contains(code) else { throw .status(code) }
  switch response.deliveryFailure {
  case .refused, .reset, .timeout: return .NO
  case .truncated, nil: break
  }
  let answer: LibraryResponse
  switch response.mayHaveBody ? response.content : .whole([]) {
  case _ where response.status.code == 304:
    answer = try LibraryResponse(announcing: response.declaredLength)
  // The length of a body in pieces is not known, and so neither is its half: none of it is sent.
  case .pieces where response.deliveryFailure == .truncated:
    answer = try LibraryResponse(firstHalfOf: [])
  case .pieces(let pieces): answer = try LibraryResponse(stream(pieces))
  case .whole(let body) where response.deliveryFailure == .truncated:
    answer = try LibraryResponse(firstHalfOf: body)
  case .whole(let body): answer = try LibraryResponse(body)
  }
  var closes = closes
  for field in response.headerFields {
    switch field.concern {
    case .message: try answer.add(field)
    case .connection: closes = closes || field.value.lowercased() == "close"
    case .framing: continue
    }
  }
  if closes { try answer.add(HTTPField(name: .connection, value: "close")) }
  guard answer.queue(status: code, on: pointer) == .YES else { throw .refusedByLibrary }
  return .YES
}

extension Response {
  /// Source: RFC 9110, sections 15.3.5 and 15.4.5.
  fileprivate var mayHaveBody: Bool { status.code != 204 && status.code != 304 }

  /// The length of the content that the handler declares without sending it.
  ///
  /// Source: RFC 9110, section 8.6.
  fileprivate var declaredLength: UInt64 {
    headerFields[.contentLength].flatMap(UInt64.init) ?? 0
  }
}

extension HTTPField {
  /// What a field of an answer is about.
  fileprivate enum Concern {
    case message
    /// Where the message ends, which the server decides itself.
    case framing
    case connection
  }

  fileprivate var concern: Concern {
    // The length first: it alone rules out nearly every field.
    switch name.rawName.utf8.count {
    case 10 where name == .connection: .connection
    case 14 where name == .contentLength, 17 where name == .transferEncoding: .framing
    default: .message
    }
  }
}
