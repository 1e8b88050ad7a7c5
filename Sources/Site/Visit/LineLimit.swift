internal import Locking

/// How many lines the log has of an event that anybody can bring about as often as they like.
///
/// What is left out is counted, and told with the next line.
final class LineLimit: Sendable {
  private struct State {
    var begin: ContinuousClock.Instant
    /// Lines since then.
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
  /// - Returns: How many there have been since the last line, this one included; nil where there is to be no line
  ///   of it.
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
