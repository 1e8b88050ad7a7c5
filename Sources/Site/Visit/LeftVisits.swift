internal import Locking

/// The visits that somebody has just got in or out of, so that an answer worked out for another tab does not
/// put one of them back into the browser (S16).
///
/// Two tabs send the same cookies. Where one gets somebody in or out while the other asks for something, the
/// browser would keep whichever answer comes last, and with it a visit that nobody is in any more. Each
/// replica knows of those that it has answered itself.
final class LeftVisits: Sendable {
  private struct State {
    var moments: [String: ContinuousClock.Instant] = [:]
    var nextSweep: ContinuousClock.Instant
  }

  /// Longer than any answer takes, and than one is on its way.
  private static let memory = Duration.seconds(15)

  private let state: Locked<State>
  private let now: @Sendable () -> ContinuousClock.Instant

  /// - Parameter now: The machine's monotonic clock.
  init(now: @escaping @Sendable () -> ContinuousClock.Instant) {
    self.now = now
    state = Locked(State(nextSweep: now() + Self.memory))
  }

  /// Says that an answer has given the visit another id.
  func note(_ id: String) {
    let now = now()
    state.withLock { state in
      if state.nextSweep <= now {
        state.moments = state.moments.filter { now - $0.value <= Self.memory }
        state.nextSweep = now + Self.memory
      }
      state.moments[id] = now
    }
  }

  func contains(_ id: String) -> Bool {
    let now = now()
    return state.withLock { state in
      state.moments[id].map { now - $0 <= Self.memory } ?? false
    }
  }
}
