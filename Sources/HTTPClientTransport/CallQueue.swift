internal import CCurl
internal import HTTPExchange
internal import Locking
internal import Synchronization

/// Hands the tasks' calls to the event loop's thread, and the outcomes back to the tasks.
///
/// Each call is answered once: by the loop, by the cancellation of its task, or at shutdown.
final class CallQueue: Sendable {
  typealias ID = Int
  typealias Outcome = Result<Response, Fault>

  /// A task's request to the loop.
  struct Call {
    var id: ID
    var request: Request
    var timeout: Duration
  }

  /// What has come in since the loop last looked.
  struct Arrivals {
    var calls: [Call] = []
    var cancelled: [ID] = []
    var isStopping = false
  }

  private struct State {
    /// The loop's multi handle, to be woken; nil before the loop runs and after it.
    var sleeper: OpaquePointer?
    var isAsleep = false
    var hasEnded = false
    var arrivals = Arrivals()
    var waiting: [ID: CheckedContinuation<Outcome, Never>] = [:]
    var waitingForEnd: [CheckedContinuation<Void, Never>] = []

    /// Called under the lock, so that the handle still exists while it is woken.
    mutating func wake(_ curl: CurlLibrary) {
      guard isAsleep, let sleeper else { return }
      isAsleep = false
      _ = curl.multi_wakeup(sleeper)
    }
  }

  private let curl: CurlLibrary
  private let limit: Int
  private let lastID = Atomic(0)
  private let state = Locked(State())

  /// - Parameters:
  ///   - curl: Wakes the loop.
  ///   - limit: How many calls may be in flight at once.
  init(_ curl: CurlLibrary, limit: Int) {
    self.curl = curl
    self.limit = limit
  }
}

// MARK: - The tasks' side

extension CallQueue {
  /// Has the loop make a call, and waits for its outcome.
  func outcome(of request: Request, within timeout: Duration) async -> Outcome {
    let id = lastID.wrappingAdd(1, ordering: .relaxed).newValue
    let call = Call(id: id, request: request, timeout: timeout)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Checked before the loop can see the call, which it would begin to send.
        guard !Task.isCancelled else { return continuation.resume(returning: .failure(.cancelled)) }
        if let fault = add(call, continuation) { continuation.resume(returning: .failure(fault)) }
        // A cancellation since that check has found no call to cancel.
        if Task.isCancelled { cancel(id) }
      }
    } onCancel: {
      cancel(id)
    }
  }

  /// - Returns: Why the call is not made; the continuation is then still the caller's to resume.
  private func add(
    _ call: Call,
    _ continuation: CheckedContinuation<Outcome, Never>
  ) -> Fault? {
    state.withLock { state in
      guard !state.arrivals.isStopping else { return .shutDown }
      guard state.waiting.count < limit else { return .tooManyCalls }
      state.waiting[call.id] = continuation
      state.arrivals.calls.append(call)
      state.wake(curl)
      return nil
    }
  }

  private func cancel(_ id: ID) {
    let continuation = state.withLock { state in
      let continuation = state.waiting.removeValue(forKey: id)
      guard continuation != nil else { return continuation }
      if let index = state.arrivals.calls.firstIndex(where: { $0.id == id }) {
        // Nothing of it has been sent, and nothing will be.
        state.arrivals.calls.remove(at: index)
      } else {
        state.arrivals.cancelled.append(id)
        state.wake(curl)
      }
      return continuation
    }
    continuation?.resume(returning: .failure(.cancelled))
  }

  /// Fails all calls at once; the loop ends soon after.
  func stop() {
    let waiting = state.withLock { state in
      defer { state.waiting = [:] }
      state.arrivals.isStopping = true
      state.wake(curl)
      return state.waiting.values
    }
    for continuation in waiting { continuation.resume(returning: .failure(.connectionLost)) }
  }

  /// Returns when the loop has ended.
  func end() async {
    await withCheckedContinuation { continuation in
      let hasEnded = state.withLock { state in
        if !state.hasEnded { state.waitingForEnd.append(continuation) }
        return state.hasEnded
      }
      if hasEnded { continuation.resume() }
    }
  }
}

// MARK: - The loop's side

extension CallQueue {
  /// Sets the handle to wake from now on.
  func begin(_ sleeper: OpaquePointer) {
    state.withLock { $0.sleeper = sleeper }
  }

  /// Returns what has come in; the loop counts as awake.
  func take() -> Arrivals {
    state.withLock { state in
      state.isAsleep = false
      let arrivals = state.arrivals
      state.arrivals = Arrivals(isStopping: arrivals.isStopping)
      return arrivals
    }
  }

  /// Whether nothing has come in meanwhile, so that the loop may sleep; anything that comes later wakes it.
  func maySleep() -> Bool {
    state.withLock { state in
      let arrivals = state.arrivals
      state.isAsleep =
        arrivals.calls.isEmpty && arrivals.cancelled.isEmpty && !arrivals.isStopping
      return state.isAsleep
    }
  }

  /// Answers a call, unless its task has gone.
  func settle(_ id: ID, _ outcome: Outcome) {
    state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: outcome)
  }

  /// Forgets the handle to wake: nobody uses the pointer after this.
  func retire() {
    state.withLock { $0.sleeper = nil }
  }

  /// Notes that the loop has ended, and fails every remaining call.
  func finish() {
    stop()
    let waiting = state.withLock { state in
      defer { state.waitingForEnd = [] }
      state.hasEnded = true
      return state.waitingForEnd
    }
    for continuation in waiting { continuation.resume() }
  }
}
