internal import Locking
internal import Logging

/// Whether requests should come here, and whether whoever asks that has heard that they should not any more.
///
/// A proxy that asks `/readyz` sends requests until it has been told some times that it should not. A program that
/// stopped before that would fail them: connections that are accepted and not yet read are lost, and so is what is
/// asked on kept ones. Where nobody asks, or no more, there is nobody to wait for.
final class Readiness: Sendable {
  /// Why requests should not come here.
  struct Hindrance: Sendable {
    /// As whoever asks is told it.
    var reason: String
    /// What is known besides, for the log.
    var details: Logger.Metadata
  }

  private struct State {
    /// How many looks have begun.
    var lookCount = 0
    /// The newest look that has ended, and what it found.
    var newestLook = 0
    var hindrance: String?
    /// The last times that somebody asked, oldest first.
    var asked: [ContinuousClock.Instant] = []
    var isStopping = false
    var toldCount = 0
    var isHurried = false
  }

  /// As often as proxies and orchestrators usually ask before they believe it.
  private static let neededCount = 3
  /// Whoever asks more rarely is not waited for.
  private static let longestGap = Duration.seconds(10)
  /// Whoever asks more often may still be this late.
  private static let shortestGap = Duration.milliseconds(500)

  private let state = Locked(State())

  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Somebody asks.
  ///
  /// - Returns: Whether the program is about to stop.
  func asked() -> Bool {
    state.withLock { state in
      state.asked = state.asked.suffix(Self.neededCount) + [.now]
      if state.isStopping { state.toldCount += 1 }
      return state.isStopping
    }
  }

  /// Looks, takes down what is found, and has the log tell it where it is another thing than before.
  ///
  /// A look that is overtaken by a newer one has nothing to say any more.
  func looking(logger: Logger, _ look: () async -> Hindrance?) async -> Hindrance? {
    let number = state.withLock { state in
      state.lookCount += 1
      return state.lookCount
    }
    let found = await look()
    // Told under the lock, so that the lines stand in the order of what was found.
    state.withLock { state in
      guard number > state.newestLook else { return }
      state.newestLook = number
      guard found?.reason != state.hindrance else { return }
      state.hindrance = found?.reason
      Self.tell(found, logger)
    }
    return found
  }

  private static func tell(_ found: Hindrance?, _ logger: Logger) {
    if let found {
      let reason: Logger.Metadata = ["reason": "\(found.reason)"]
      logger.error("not ready", metadata: reason.merging(found.details) { $1 })
    } else {
      logger.notice("ready again")
    }
  }

  func beginStopping() { state.withLock { $0.isStopping = true } }

  /// Whoever stops the program does not want to wait.
  func hurry() { state.withLock { $0.isHurried = true } }

  /// Waits until whoever asks has heard it often enough; for nobody, and no longer than that.
  func untilHeard(atMost limit: Duration) async {
    let start = ContinuousClock.now
    while isAwaited(at: .now), !isHeard, ContinuousClock.now - start < limit {
      do {
        try await Task.sleep(for: .milliseconds(20))
      } catch {
        // Only a cancelled task sleeps no longer, and then nobody waits.
        return
      }
    }
  }

  /// Whether somebody asks again and again, and is due to ask: a script that waited for the start does not,
  /// and its next run is not to wait for it.
  private func isAwaited(at now: ContinuousClock.Instant) -> Bool {
    let asked = state.withLock { $0.asked }
    guard let last = asked.last,
      let gap = zip(asked, asked.dropFirst()).map({ $1 - $0 }).max()
    else { return false }
    return now - last < min(max(gap, Self.shortestGap), Self.longestGap) * 2
  }

  private var isHeard: Bool {
    state.withLock { $0.isHurried || $0.toldCount >= Self.neededCount }
  }
}
