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
  /// The connection broke after the request had begun to leave, before an answer had begun; it may
  /// have been carried out.
  case connectionLost
  /// No complete answer within the time allowed; the request may have been carried out.
  case timedOut
  /// The answer broke the rules of HTTP, broke off, or exceeded the limit in bytes.
  case malformedAnswer
  /// Too many requests are in flight already: nothing was sent.
  case busy
}

/// Reaches a handler by calling it: the same request and response bytes, only the socket is missing.
public struct InProcessTransport: HTTPTransport {
  private let handler: any HTTPHandler
  private let deadline: Duration?
  private let answerLimitBytes: Int

  /// - Parameters:
  ///   - handler: Who answers.
  ///   - deadline: How long an answer may take, where `AnswerDeadline` does not end it before; nil
  ///     waits as long as the handler does.
  ///   - answerLimitBytes: How long an answer's body may be.
  public init(
    to handler: any HTTPHandler,
    deadline: Duration? = nil,
    answerLimitBytes: Int = .max
  ) {
    self.handler = handler
    self.deadline = deadline
    self.answerLimitBytes = answerLimitBytes
  }

  public func send(_ request: Request) async throws(TransportError) -> Response {
    guard let response = await answer(to: request) else { throw .timedOut }
    switch response.deliveryFailure {
    case .refused: throw .refused
    case .reset: throw .connectionLost
    case .truncated: throw .malformedAnswer
    case .timeout: throw .timedOut
    case nil: break
    }
    guard response.body.count <= answerLimitBytes else { throw .malformedAnswer }
    return response
  }

  /// The answer, or nil where it does not come in time.
  private func answer(to request: Request) async -> Response? {
    let rest = AnswerDeadline.current.map { $0 - .now }
    guard let deadline = [deadline, rest].compactMap(\.self).min() else {
      return await handler.respond(to: request)
    }
    guard deadline > .zero else { return nil }
    return await withTaskGroup(of: Response?.self) { group in
      group.addTask { await handler.respond(to: request) }
      group.addTask {
        // Cancelled as soon as the answer is there.
        try? await Task.sleep(for: deadline)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }
}

/// Until when an answer is of use to whoever waits for the page at hand.
///
/// A page may need several calls, one after another; all of them share one deadline, so that the
/// page is answered in time however the calls behave (S27).
public enum AnswerDeadline {
  @TaskLocal public static var current: ContinuousClock.Instant?
}
