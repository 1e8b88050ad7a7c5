/// The counterpart of `HTTPHandler`: calls one auth API, whose address is fixed at the start (S26).
public protocol HTTPTransport: Sendable {
  /// Sends the request and returns the whole answer, whatever its status.
  ///
  /// Nothing is retried and no redirect is followed.
  /// - Throws: `TransportError` when there is no complete answer.
  func send(_ request: Request) async throws(TransportError) -> Response
}

/// Why a request brought no answer.
public enum TransportError: Error, Hashable, Sendable {
  /// There is no network, no such host, or the call could not be made at all: nothing was sent.
  case offline
  /// No connection was made: it was refused, not accepted in time, or not let through by a proxy; or the request is not
  /// valid for that address. Nothing was sent.
  case refused
  /// The connection cannot be trusted: its certificate is not valid for that host or at this time, or TLS failed in
  /// another way. Nothing was sent.
  case tlsFailed
  /// The connection broke before the answer was complete; the request may have been sent and carried out.
  case connectionLost
  /// No complete answer within the time allowed; the request may have been carried out.
  case timedOut
  /// The answer broke the rules of HTTP, or exceeded the limit in bytes.
  case malformedAnswer
  /// Too many requests are in flight already: nothing was sent.
  case busy
}

extension TransportError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .offline: "there is no network, or no such host"
    case .refused: "no connection could be made"
    case .tlsFailed: "no trusted connection could be made (TLS)"
    case .connectionLost: "the connection broke before the answer was complete"
    case .timedOut: "there was no complete answer in time"
    case .malformedAnswer: "the answer is not HTTP, or is too long"
    case .busy: "too many requests are in flight already"
    }
  }
}
