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
///
/// - Parameters:
///   - response: The answer.
///   - closes: Whether the connection ends with it.
///   - pointer: The connection.
///   - stream: Makes what sends a body in pieces.
/// - Returns: What the access handler returns.
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
  // Of pieces that are yet to be made nobody knows the half: none is sent.
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

  /// How long the content would be of which nothing is sent.
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
    /// Where the message ends, which is the server's own business.
    case framing
    case connection
  }

  fileprivate var concern: Concern {
    // By length first: nearly all fields are told apart by it.
    switch name.rawName.utf8.count {
    case 10 where name == .connection: .connection
    case 14 where name == .contentLength, 17 where name == .transferEncoding: .framing
    default: .message
    }
  }
}
