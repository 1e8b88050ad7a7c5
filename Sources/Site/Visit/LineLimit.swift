internal import Locking

/// Limits the log lines for an event that anybody can cause at will.
///
/// Events without a line are counted, and reported with the next line.
final class LineLimit: Sendable {
  private struct State {
    var begin: ContinuousClock.Instant
    /// Lines since `begin`.
    var lineCount = 0
    /// Events since the last line.
    var eventCount = 0
  }

  static let lineCount = 10
  static let period = Duration.seconds(60)

  private let now: @Sendable () -> ContinuousClock.Instant
  private let state: Locked<State>

  init(now: @escaping @Sendable () -> ContinuousClock.Instant) {
    self.now = now
    state = Locked(State(begin: now()))
  }

  /// Counts an event.
  ///
  /// - Returns: The number of events since the last line, including this one; nil where no line is
  ///   due.
  func counted() -> Int? {
    let now = now()
    return state.withLock { state in
      state.eventCount += 1
      if now - state.begin >= Self.period {
        state.begin = now
        state.lineCount = 0
      }
      guard state.lineCount < Self.lineCount else { return nil }
      state.lineCount += 1
      defer { state.eventCount = 0 }
      return state.eventCount
    }
  }
}
