internal import Locking

/// Wakes tasks that wait for something to happen, without holding a thread.
final class ArrivalSignal: Sendable {
  /// How often it was given when someone looked.
  struct Ticket: Sendable {
    fileprivate var count: UInt64
  }

  private struct State: Sendable {
    /// Whether nobody waits any more.
    var isOver = false
    var count: UInt64 = 0
    var nextWaiter: UInt64 = 0
    var waiting: [UInt64: CheckedContinuation<Bool, Never>] = [:]
  }

  private let state = Locked(State())

  func ticket() -> Ticket {
    Ticket(count: state.withLock { $0.count })
  }

  func give() { wakeAll(isGiven: true) { $0.count += 1 } }

  /// Nobody waits any more, from now on.
  func end() { wakeAll(isGiven: false) { $0.isOver = true } }

  private func wakeAll(isGiven: Bool, once change: (inout State) -> Void) {
    let woken = state.withLock { state in
      change(&state)
      defer { state.waiting = [:] }
      return state.waiting.values.map { $0 }
    }
    for continuation in woken { continuation.resume(returning: isGiven) }
  }

  /// Waits until it has been given since the ticket was taken.
  ///
  /// - Returns: False if the deadline came first, or the end of all waiting.
  /// - Throws: `CancellationError` if the task is cancelled.
  func isGiven(after ticket: Ticket, before deadline: ContinuousClock.Instant) async throws -> Bool
  {
    guard ContinuousClock.now < deadline else { return false }
    let waiter = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    let timer = Task {
      try await Task.sleep(until: deadline, clock: .continuous)
      self.end(waiter)
    }
    defer { timer.cancel() }
    let wasGiven = await withTaskCancellationHandler {
      await wait(as: waiter, after: ticket, before: deadline)
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
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      let answer: Bool? = state.withLock { state in
        if state.count != ticket.count { return true }
        // Whoever ended the wait until now has found nobody who waits.
        if state.isOver || Task.isCancelled || ContinuousClock.now >= deadline { return false }
        state.waiting[waiter] = continuation
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }

  private func end(_ waiter: UInt64) {
    state.withLock { $0.waiting.removeValue(forKey: waiter) }?.resume(returning: false)
  }
}
