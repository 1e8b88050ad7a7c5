/// The other direction of `HTTPHandler`: asks one auth API, whose address was fixed at start (S26).
public protocol HTTPTransport: Sendable {
  /// Sends the request and returns the whole answer, whatever its status.
  ///
  /// Nothing is retried and no redirect is followed.
  /// - Throws: `TransportError` when there is no complete answer.
  func send(_ request: Request) async throws(TransportError) -> Response
}

/// Why a request brought no answer.
public enum TransportError: Error, Hashable, Sendable {
  /// There is no network, or no such host: nothing was sent.
  case offline
  /// The address refused the connection, or did not take it in time: nothing was sent.
  case refused
  /// The connection broke after the request had begun to leave; it may have been carried out.
  case connectionLost
  /// No complete answer within the time allowed; the request may have been carried out.
  case timedOut
  /// The answer broke the rules of HTTP, or exceeded the limit in bytes.
  case malformedAnswer
  /// Too many requests are in flight already: nothing was sent.
  case busy

  /// Whether the request certainly had no effect, so that sending it again repeats nothing.
  public var neverLeft: Bool {
    switch self {
    case .offline, .refused, .busy: true
    case .connectionLost, .timedOut, .malformedAnswer: false
    }
  }
}

/// Reaches a handler by calling it: the same request and response bytes, only the socket is missing.
public struct InProcessTransport: HTTPTransport {
  private let handler: any HTTPHandler

  public init(to handler: any HTTPHandler) {
    self.handler = handler
  }

  public func send(_ request: Request) async throws(TransportError) -> Response {
    await handler.respond(to: request)
  }
}

/// Until when an answer is of use to whoever waits for the page at hand.
///
/// A page may need several calls, one after another; all of them share one deadline, so that the
/// page is answered in time however the calls behave (S27).
public enum AnswerDeadline {
  @TaskLocal public static var current: ContinuousClock.Instant?
}
