internal import Locking

/// Reaches a handler by calling it, with the same requests and responses as over a socket.
public struct InProcessTransport: HTTPTransport {
  private let handler: any HTTPHandler
  private let deadline: Duration?
  private let answerLimitBytes: Int
  private let givesWay: Bool

  /// - Parameters:
  ///   - handler: Answers the requests.
  ///   - deadline: How long an answer may take, unless `AnswerDeadline` ends earlier; nil waits as long
  ///     as the handler takes.
  ///   - answerLimitBytes: How long an answer's body may be.
  ///   - givesWay: Whether to yield before each call, for a caller that makes hundreds of them on a
  ///     thread that serves others too.
  public init(
    to handler: any HTTPHandler,
    deadline: Duration? = nil,
    answerLimitBytes: Int = .max,
    givesWay: Bool = false
  ) {
    self.handler = handler
    self.deadline = deadline
    self.answerLimitBytes = answerLimitBytes
    self.givesWay = givesWay
  }

  public func send(_ request: Request) async throws(TransportError) -> Response {
    if givesWay { await Task.yield() }
    guard let response = await answer(to: request) else { throw .timedOut }
    switch response.deliveryFailure {
    case .refused: throw .refused
    case .reset, .truncated: throw .connectionLost
    case .timeout: throw .timedOut
    case nil: break
    }
    guard response.body.count <= answerLimitBytes else { throw .malformedAnswer }
    return response
  }

  /// The answer, or nil if it does not come in time.
  private func answer(to request: Request) async -> Response? {
    let rest = AnswerDeadline.current.map { $0 - .now }
    guard let deadline = [deadline, rest].compactMap(\.self).min() else {
      return await wholeAnswer(to: request)
    }
    guard deadline > .zero else { return nil }
    let given = Locked<Response?>(nil)
    // Immediate: a handler that never waits needs no timer.
    let answer = Task.immediate {
      let response = await wholeAnswer(to: request)
      given.withLock { $0 = response }
      return response
    }
    if let response = given.withLock({ $0 }) { return response }
    return await withTaskCancellationHandler {
      let response = await answer.value(within: deadline)
      // Nobody waits for the answer any more.
      if response == nil { answer.cancel() }
      return response
    } onCancel: {
      answer.cancel()
    }
  }

  private func wholeAnswer(to request: Request) async -> Response {
    await handler.respond(to: request).collected(limitBytes: answerLimitBytes)
  }
}
