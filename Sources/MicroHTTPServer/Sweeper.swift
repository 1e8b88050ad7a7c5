internal import Dispatch
internal import Locking

/// Calls a function at regular intervals to find what is past its deadline, as long as needed.
///
/// It has a queue of its own, since the server's threads may be busy with the very handlers whose time
/// is up. It rests while there are no connections, so that an idle program sleeps.
final class Sweeper: Sendable {
  private struct State {
    var isResting = true
    /// Whether `wake` was called since the last sweep began, which may have missed its cause.
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

  /// Starts sweeping, unless that is already going on.
  ///
  /// - Parameter sweep: Sweeps once; returns whether another sweep is needed.
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
  /// A quarter of the shortest deadline, but at least 5 ms and at most 100 ms.
  var sweepInterval: Duration {
    let shortest = [headDeadline, keptDeadline, bodyDeadline, requestDeadline, answerDeadline].min()
    return min(max((shortest ?? .zero) / 4, .milliseconds(5)), .milliseconds(100))
  }
}
