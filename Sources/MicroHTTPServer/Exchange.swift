internal import CMicroHTTPD
internal import HTTPExchange
internal import Locking

/// One request and its answer, and the executor of its handler: the connection's own thread, as long
/// as the answer is owed.
///
/// A handler that has waited continues there too: whatever it waited for (libcurl's thread, a hash or
/// the database) wakes the connection's thread and no other. Tasks that a handler creates run in the
/// pool, unless they are its child tasks.
///
/// The library's slot for the request holds one reference, taken when the request line is read and
/// given back in the *completed* callback, the only one that runs however the request ends; the
/// handler's task holds another.
final class Exchange: Sendable {
  /// What has come in so far.
  enum Intake {
    /// Only the target, undecoded.
    case requestLine(target: [UInt8])
    case body(FramedRequest, received: Int)
    /// The rest of the body is read and dropped, then this refusal is answered.
    case swallowing(MicroHTTPServer.Refusal, Request, received: Int)
    /// A handler runs or has run, or an answer has been queued.
    case answering
  }

  /// How long the server waits for a handler.
  struct Patience {
    /// Cancels the handler.
    var cancel: @Sendable () -> Void
    var deadline: ContinuousClock.Instant
  }

  /// The state of the answer.
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
    /// Jobs with which the handler can continue; empty while the connection is suspended.
    var jobs: [UnownedJob] = []
    /// Nil until the handler waits for the first time.
    var patience: Patience?
    /// Whether the client was found to have gone while the handler waited.
    var hasDeparted = false

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
  /// Whether this exchange counts among the requests in flight; accessed as `intake` is.
  nonisolated(unsafe) var isCounted = false
  /// Whether the connection ends with this answer, so that no further request is read; accessed as
  /// `intake` is.
  nonisolated(unsafe) var isLast = false
  /// The answer's body if it is sent in pieces; accessed as `intake` is.
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
  /// Runs a job on the connection's thread, or in the pool if no answer is owed any more.
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

  /// Runs the jobs with which the handler can continue.
  ///
  /// Jobs that are enqueued meanwhile are left for the next turn, after other connections have had
  /// theirs. Called on the connection's own thread.
  /// - Returns: False if there is neither an answer owed nor one to send.
  func goOn() -> Bool {
    let jobs = state.withLock { state -> [UnownedJob]? in
      switch state.phase {
      case .none, .abandoned, .over: nil
      // The remaining jobs are left to `end`.
      case .running where state.hasDeparted: nil
      case .running, .suspended, .answered: state.takeJobs()
      }
    }
    guard let jobs else { return false }
    for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
    return true
  }

  /// Notes that the client of a waiting handler has gone, and wakes the connection, so that the library
  /// closes it; can be called from any thread.
  ///
  /// A connection that is having its turn has to be noted again, should it be suspended after that.
  func noteDeparture() {
    state.withLock { state in
      guard case .suspended(let connection) = state.phase else { return }
      state.hasDeparted = true
      state.phase = .running
      // Under the lock, as above.
      connection.resume()
    }
  }

  /// Notes that the connection's thread does not come back to this exchange: the handler's remaining
  /// jobs run in the pool, and nobody reads its answer.
  ///
  /// Called when the answer has been sent, and when a resumed connection turns out to have lost its
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

  /// What happened to a handler's answer.
  enum Reception {
    case sent
    /// The client that it was owed to has gone.
    case unread
    /// There already was an answer.
    case late
  }

  /// Stores the answer and wakes a suspended connection; only the first answer counts.
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

  /// Takes the answer if there is one, and suspends the connection otherwise.
  ///
  /// Called on the connection's own thread.
  /// - Parameters:
  ///   - pointer: The library's connection.
  ///   - patience: How long to wait for the handler; evaluated only if there is no answer yet, and kept
  ///     only the first time.
  /// - Returns: The answer, or nil if the connection has been suspended, perhaps only until its next turn.
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
        // There are jobs already: its turn comes again once the others have had theirs.
        connection.resume()
      }
      return nil
    }
  }

  /// The function that cancels a waiting handler if it is past its deadline; without a time, the one
  /// of any handler that has waited.
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
