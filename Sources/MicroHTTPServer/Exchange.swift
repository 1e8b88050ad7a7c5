internal import CMicroHTTPD
internal import HTTPExchange
internal import Locking

/// One request and its answer.
///
/// The library's slot for the request holds one reference, taken when the request line is read and
/// given back in the *completed* callback, the one place that runs on every ending; the handler's
/// task holds another.
final class Exchange: Sendable {
  /// What has come in so far.
  enum Intake {
    /// The target, and whether a handler has seen it yet.
    case requestLine(target: [UInt8])
    case body(FramedRequest, received: Int)
    /// The body is read away, then this is answered.
    case swallowing(MicroHTTPServer.Refusal, Request, received: Int)
    /// A handler runs or has run, or an answer has been queued.
    case answering
  }

  /// Where the answer stands.
  private enum Phase {
    case none
    /// The handler runs, on this thread so far.
    case running
    /// The handler waits for something, and the connection for the handler.
    case suspended(Suspension)
    case answered(Response)
    case taken
  }

  private struct Suspension {
    var connection: SuspendedConnection
    /// Cancels the handler.
    var cancel: @Sendable () -> Void
    var deadline: ContinuousClock.Instant
  }

  let connection: Connection
  /// Touched on the connection's own thread only: by the access handler and *completed*, which
  /// the library never runs at the same time for one connection.
  nonisolated(unsafe) var intake: Intake
  /// As `intake`: whether this exchange counts in the ledger.
  nonisolated(unsafe) var isCounted = false
  /// As `intake`: whether the connection ends with its answer, so that nothing behind it is read.
  nonisolated(unsafe) var isLast = false
  /// As `intake`: the answer's body where it is sent piece by piece.
  nonisolated(unsafe) var stream: AnswerStream?
  private let phase = Locked(Phase.none)
  private let gauge: Gauge

  init(target: [UInt8], connection: Connection, gauge: Gauge) {
    intake = .requestLine(target: target)
    self.connection = connection
    self.gauge = gauge
    gauge.add(1)
  }

  deinit { gauge.add(-1) }
}

// MARK: - From the handler to the socket

extension Exchange {
  /// Marks the handler as running.
  func begin() {
    phase.withLock { $0 = .running }
  }

  /// Stores the answer and wakes the connection if it sleeps; only the first answer counts.
  ///
  /// - Returns: Whether this was the first answer.
  func answer(with response: Response) -> Bool {
    phase.withLock { phase in
      switch phase {
      case .none, .running:
        phase = .answered(response)
        return true
      case .suspended(let suspension):
        phase = .answered(response)
        // Under the lock: no second answer can get between, and the library only sets a flag here.
        suspension.connection.resume()
        return true
      case .answered, .taken:
        return false
      }
    }
  }

  /// Suspends the connection unless the answer is there already.
  ///
  /// Called on the connection's own thread.
  /// - Returns: The answer, or nil where the connection has been suspended.
  func answerOrSuspend(
    _ pointer: OpaquePointer,
    cancel: @escaping @Sendable () -> Void,
    deadline: @autoclosure () -> ContinuousClock.Instant
  ) -> Response? {
    if let response = takeAnswer() { return response }
    let deadline = deadline()
    return phase.withLock { phase in
      switch phase {
      case .answered(let response):
        phase = .taken
        return response
      case .none, .running, .suspended, .taken:
        let connection = SuspendedConnection(suspending: pointer)
        phase = .suspended(Suspension(connection: connection, cancel: cancel, deadline: deadline))
        return nil
      }
    }
  }

  /// The answer, once.
  func takeAnswer() -> Response? {
    phase.withLock { phase in
      guard case .answered(let response) = phase else { return nil }
      phase = .taken
      return response
    }
  }

  /// What cancels a handler that is past its deadline, or any that waits where no time is given.
  func cancellation(overdueAt now: ContinuousClock.Instant?) -> (@Sendable () -> Void)? {
    phase.withLock { phase in
      guard case .suspended(let suspension) = phase else { return nil }
      if let now, suspension.deadline > now { return nil }
      return suspension.cancel
    }
  }
}
