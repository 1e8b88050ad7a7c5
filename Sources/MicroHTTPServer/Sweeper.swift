internal import Dispatch
internal import Locking

/// Looks at regular intervals for what is past its deadline, as long as there is anything to look at.
///
/// On a queue of its own, not on the server's threads: these may be busy with the very handlers
/// whose time is up. It rests while nobody is there, so that a program which nobody asks sleeps.
final class Sweeper: Sendable {
  private struct State {
    var isResting = true
    /// Whether somebody has come since the last look began, which may have missed them.
    var isWanted = false
    var isStopped = false
  }

  private let interval: DispatchTimeInterval
  private let queue = DispatchQueue(label: "vestibule.sweeper")
  private let state = Locked(State())

  init(interval: Duration) {
    let (seconds, attoseconds) = interval.components
    self.interval = .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
  }

  /// Begins to look, where it rests.
  ///
  /// - Parameter sweep: Looks once; returns whether anything is left that needs another look.
  func wake(_ sweep: @escaping @Sendable () -> Bool) {
    let wasResting = state.withLock { state in
      state.isWanted = true
      guard state.isResting, !state.isStopped else { return false }
      state.isResting = false
      return true
    }
    if wasResting { schedule(sweep) }
  }

  private func schedule(_ sweep: @escaping @Sendable () -> Bool) {
    queue.asyncAfter(deadline: .now() + interval) { [self] in look(sweep) }
  }

  private func look(_ sweep: @escaping @Sendable () -> Bool) {
    let isStopped = state.withLock { state in
      state.isWanted = false
      return state.isStopped
    }
    guard !isStopped else { return }
    let isLeft = sweep()
    let isResting = state.withLock { state in
      state.isResting = !isLeft && !state.isWanted
      return state.isResting
    }
    if !isResting { schedule(sweep) }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
  }

  var isResting: Bool { state.withLock(\.isResting) }
}

extension MicroHTTPServer.Options {
  /// A quarter of the shortest deadline, within 5 ms and 100 ms.
  var sweepInterval: Duration {
    let shortest = [headDeadline, keptDeadline, bodyDeadline, requestDeadline, answerDeadline].min()
    return min(max((shortest ?? .zero) / 4, .milliseconds(5)), .milliseconds(100))
  }
}
