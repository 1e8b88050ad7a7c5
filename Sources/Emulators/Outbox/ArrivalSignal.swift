internal import Locking

/// Wakes tasks that wait for something to happen, without holding a thread.
final class ArrivalSignal: Sendable {
  /// How often the signal had been given when the ticket was taken.
  struct Ticket: Sendable {
    fileprivate var count: UInt64
  }

  private struct State: Sendable {
    /// Why waiting has ended; nil while tasks may wait.
    var end: Outbox.WaitingEnd?
    var count: UInt64 = 0
    var nextWaiter: UInt64 = 0
    var waiting: [UInt64: CheckedContinuation<Bool, any Error>] = [:]
  }

  private let state = Locked(State())

  func ticket() -> Ticket {
    Ticket(count: state.withLock { $0.count })
  }

  func give() { wakeAll(with: .success(true)) { $0.count += 1 } }

  /// Ends all waits, present and future.
  func end(because end: Outbox.WaitingEnd) { wakeAll(with: .failure(end)) { $0.end = end } }

  private func wakeAll(with answer: Result<Bool, any Error>, once change: (inout State) -> Void) {
    let woken = state.withLock { state in
      change(&state)
      defer { state.waiting = [:] }
      return state.waiting.values.map { $0 }
    }
    for continuation in woken { continuation.resume(with: answer) }
  }

  /// Waits until the signal has been given since the ticket was taken.
  ///
  /// - Returns: False if the deadline came first.
  /// - Throws: `Outbox.WaitingEnd` if that came first; `CancellationError` if the task is cancelled.
  func isGiven(after ticket: Ticket, before deadline: ContinuousClock.Instant) async throws -> Bool
  {
    // An end is told also to whoever comes too late to wait.
    guard ContinuousClock.now < deadline else {
      if let end = state.withLock({ $0.end }) { throw end }
      return false
    }
    let waiter = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    let timer = Task {
      try await Task.sleep(until: deadline, clock: .continuous)
      self.end(waiter)
    }
    defer { timer.cancel() }
    let wasGiven = try await withTaskCancellationHandler {
      try await wait(as: waiter, after: ticket, before: deadline)
    } onCancel: {
      end(waiter)
    }
    try Task.checkCancellation()
    return wasGiven
  }

  private func wait(
    as waiter: UInt64,
    after ticket: Ticket,
    before deadline: ContinuousClock.Instant
  ) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      let answer: Result<Bool, any Error>? = state.withLock { state in
        if state.count != ticket.count { return .success(true) }
        // Anything that ended the wait before this found no continuation to resume.
        if let end = state.end { return .failure(end) }
        if Task.isCancelled || ContinuousClock.now >= deadline { return .success(false) }
        state.waiting[waiter] = continuation
        return nil
      }
      if let answer { continuation.resume(with: answer) }
    }
  }

  private func end(_ waiter: UInt64) {
    state.withLock { $0.waiting.removeValue(forKey: waiter) }?.resume(returning: false)
  }
}
