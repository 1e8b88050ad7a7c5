internal import CMicroHTTPD
internal import HTTPExchange
internal import Locking

/// One request and its answer, and where its handler runs: on its connection's own thread, as long
/// as the answer is owed.
///
/// A handler that has waited goes on there, too: libcurl's thread, a hash or the database, when it has
/// what was waited for, wakes the connection's thread and no other. Tasks that a handler makes run in the
/// pool, unless they are part of its own.
///
/// The library's slot for the request holds one reference, taken when the request line is read and
/// given back in the *completed* callback, the one place that runs on every ending; the handler's
/// task holds another.
final class Exchange: Sendable {
  /// What has come in so far.
  enum Intake {
    /// Nothing but the target, as it was written.
    case requestLine(target: [UInt8])
    case body(FramedRequest, received: Int)
    /// The body is read away, then this is answered.
    case swallowing(MicroHTTPServer.Refusal, Request, received: Int)
    /// A handler runs or has run, or an answer has been queued.
    case answering
  }

  /// How long a handler that waits is waited for.
  struct Patience {
    /// Cancels the handler.
    var cancel: @Sendable () -> Void
    var deadline: ContinuousClock.Instant
  }

  /// Where the answer stands.
  private enum Phase {
    case none
    /// The handler runs on the connection's thread, or is about to.
    case running
    /// The handler waits for something, and the connection for the handler.
    case suspended(SuspendedConnection)
    case answered(Response)
    /// The handler owes an answer that nobody will read.
    case abandoned
    /// The answer has been taken, or nobody will give one.
    case over
  }

  private struct State {
    var phase = Phase.none
    /// What the handler can go on with; none while the connection is suspended.
    var jobs: [UnownedJob] = []
    /// Nil until the handler waits for the first time.
    var patience: Patience?

    mutating func takeJobs() -> [UnownedJob] {
      defer { jobs = [] }
      return jobs
    }

    mutating func takeAnswer() -> Response? {
      guard case .answered(let response) = phase else { return nil }
      phase = .over
      return response
    }
  }

  let connection: Connection
  /// Touched on the connection's own thread only: by the access handler and *completed*, which
  /// the library never runs at the same time for one connection.
  nonisolated(unsafe) var intake: Intake
  /// As `intake`: whether this exchange counts among the requests in flight.
  nonisolated(unsafe) var isCounted = false
  /// As `intake`: whether the connection ends with its answer, so that nothing behind it is read.
  nonisolated(unsafe) var isLast = false
  /// As `intake`: the answer's body where it is sent piece by piece.
  nonisolated(unsafe) var stream: AnswerStream?
  private let state = Locked(State())
  private let gauge: Gauge

  init(target: [UInt8], connection: Connection, gauge: Gauge) {
    intake = .requestLine(target: target)
    self.connection = connection
    self.gauge = gauge
    gauge.add(1)
  }

  deinit { gauge.add(-1) }
}

// MARK: - Where the handler runs

extension Exchange: TaskExecutor {
  /// Has the connection's thread do it; where no answer is owed any more, any other.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isTaken = state.withLock { state in
      switch state.phase {
      case .none, .running:
        state.jobs.append(job)
        return true
      case .suspended(let connection):
        state.jobs.append(job)
        state.phase = .running
        // Under the lock: nobody else can resume it, and the library only sets a flag here.
        connection.resume()
        return true
      case .answered, .abandoned, .over:
        return false
      }
    }
    if !isTaken { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
  }

  /// Does what the handler can go on with, but not what comes up by that: others have their turn
  /// before.
  ///
  /// Called on the connection's own thread.
  /// - Returns: False where no answer is owed, nor there to be sent.
  func goOn() -> Bool {
    let jobs = state.withLock { state -> [UnownedJob]? in
      switch state.phase {
      case .none, .abandoned, .over: nil
      case .running, .suspended, .answered: state.takeJobs()
      }
    }
    guard let jobs else { return false }
    for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
    return true
  }

  /// The connection's thread will not come by any more: what the handler has still to do it does
  /// elsewhere, and nobody reads its answer.
  ///
  /// So it is when the answer has been sent, and when a connection that is resumed has lost its
  /// client.
  /// - Returns: Whether the handler still owes its answer.
  func end() -> Bool {
    let (isOwed, jobs) = state.withLock { state in
      let isOwed =
        switch state.phase {
        case .running, .suspended, .abandoned: true
        case .none, .answered, .over: false
        }
      state.phase = isOwed ? .abandoned : .over
      return (isOwed, state.takeJobs())
    }
    for job in jobs { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    return isOwed
  }
}

// MARK: - From the handler to the socket

extension Exchange {
  /// Marks the handler as running.
  func begin() {
    state.withLock { $0.phase = .running }
  }

  /// What becomes of an answer.
  enum Reception {
    case sent
    /// It was owed to a client that has gone.
    case unread
    /// There has been one before.
    case late
  }

  /// Stores the answer and wakes the connection if it sleeps; only the first answer counts.
  func answer(with response: Response) -> Reception {
    state.withLock { state in
      switch state.phase {
      case .none, .running:
        state.phase = .answered(response)
        return .sent
      case .suspended(let connection):
        state.phase = .answered(response)
        // Under the lock, as above.
        connection.resume()
        return .sent
      case .abandoned:
        state.phase = .over
        return .unread
      case .answered, .over:
        return .late
      }
    }
  }

  /// Suspends the connection unless the answer is there already.
  ///
  /// Called on the connection's own thread.
  /// - Parameters:
  ///   - pointer: The library's connection.
  ///   - patience: How long the handler is waited for, where it waits for the first time.
  /// - Returns: The answer, or nil where the connection has been suspended, if only until its next turn.
  func answerOrSuspend(
    _ pointer: OpaquePointer,
    patience: @autoclosure () -> Patience? = nil
  ) -> Response? {
    if let response = state.withLock({ $0.takeAnswer() }) { return response }
    let patience = patience()
    return state.withLock { state in
      if let response = state.takeAnswer() { return response }
      state.patience = state.patience ?? patience
      let connection = SuspendedConnection(suspending: pointer)
      if state.jobs.isEmpty {
        state.phase = .suspended(connection)
      } else {
        // Its turn comes again when the others have had theirs.
        connection.resume()
      }
      return nil
    }
  }

  /// What cancels a handler that is past its deadline, or any that has waited where no time is
  /// given.
  func cancellation(overdueAt now: ContinuousClock.Instant?) -> (@Sendable () -> Void)? {
    state.withLock { state in
      switch state.phase {
      case .none, .answered, .over: return nil
      case .running, .suspended, .abandoned: break
      }
      guard let patience = state.patience, now.map({ patience.deadline <= $0 }) ?? true else {
        return nil
      }
      return patience.cancel
    }
  }
}
