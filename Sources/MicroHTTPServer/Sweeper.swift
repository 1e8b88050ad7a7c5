internal import Dispatch
internal import Locking

/// Looks at regular intervals for what is past its deadline.
///
/// On a queue of its own, not on the server's threads: these may be busy with the very handlers
/// whose time is up.
final class Sweeper: Sendable {
  private let timer: Locked<any DispatchSourceTimer>

  init(interval: Duration, sweep: @escaping @Sendable () -> Void) {
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "vestibule.sweeper"))
    let (seconds, attoseconds) = interval.components
    let interval = DispatchTimeInterval.nanoseconds(
      Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    )
    timer.schedule(deadline: .now() + interval, repeating: interval)
    timer.setEventHandler(handler: DispatchWorkItem(block: sweep))
    timer.activate()
    self.timer = Locked(timer)
  }

  func stop() {
    timer.withLock { $0.cancel() }
  }

  deinit { stop() }
}

extension MicroHTTPServer.Options {
  /// A quarter of the shortest deadline, within 5 ms and 100 ms.
  var sweepInterval: Duration {
    let shortest = [headDeadline, keptDeadline, bodyDeadline, requestDeadline, answerDeadline].min()
    return min(max((shortest ?? .zero) / 4, .milliseconds(5)), .milliseconds(100))
  }
}
