internal import Locking
internal import Logging

/// Whether requests should be sent here, and whether those who ask have heard that they no longer should.
///
/// A proxy that polls `/readyz` keeps sending requests until it has been refused several times. A program that stopped
/// before that would fail them: connections accepted but not yet read are lost, and so are requests on kept ones. If
/// nobody polls, or no longer, or too rarely to hear it in time, there is nobody to wait for.
final class Readiness: Sendable {
  /// Why requests should not be sent here.
  struct Hindrance: Sendable {
    /// The reason that the asker is given.
    var reason: String
    /// Further details for the log.
    var details: Logger.Metadata
  }

  private struct State {
    /// How many checks have begun.
    var lookCount = 0
    /// The newest check that has ended, and what it found.
    var newestLook = 0
    var hindrance: String?
    /// The last times that somebody asked, oldest first.
    var asked: [ContinuousClock.Instant] = []
    var isStopping = false
    var toldCount = 0
    var isHurried = false
  }

  /// How many refusals proxies and orchestrators usually need before they believe them.
  private static let neededCount = 3
  /// A question may be as late again as the interval between the last ones, but no later than this.
  private static let longestDelay = Duration.seconds(10)
  /// However short the interval, the next question may take this long.
  private static let shortestPatience = Duration.seconds(1)

  private let state = Locked(State())

  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Notes that somebody asks.
  ///
  /// - Returns: Whether the program is about to stop.
  func asked(at now: ContinuousClock.Instant = .now) -> Bool {
    state.withLock { state in
      state.asked = state.asked.suffix(Self.neededCount) + [now]
      if state.isStopping { state.toldCount += 1 }
      return state.isStopping
    }
  }

  /// Runs a check, stores what it finds, and logs it if it differs from before.
  ///
  /// A check that a newer one has overtaken is neither stored nor logged.
  func looking(logger: Logger, _ look: () async -> Hindrance?) async -> Hindrance? {
    let number = state.withLock { state in
      state.lookCount += 1
      return state.lookCount
    }
    let found = await look()
    // Logged under the lock, so that the lines are in the order of the findings.
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

  /// Ends the waiting, because whoever stops the program is in a hurry.
  func hurry() { state.withLock { $0.isHurried = true } }

  /// Waits until those who poll have heard it often enough, if anybody polls, and at most that long.
  func untilHeard(atMost limit: Duration) async {
    let end = ContinuousClock.now + limit
    while isAwaited(at: .now, until: end), !isHeard {
      do {
        try await Task.sleep(for: .milliseconds(20))
      } catch {
        // Sleeping fails only in a cancelled task, and then nobody waits.
        return
      }
    }
  }

  /// Whether somebody polls, and is due to ask again before the waiting ends.
  ///
  /// A script that waited for the start no longer polls, and its next run must not have to wait for this stop. Nor must
  /// anybody wait for a proxy that polls every minute, unless its minute is nearly over.
  func isAwaited(at now: ContinuousClock.Instant, until end: ContinuousClock.Instant) -> Bool {
    let asked = state.withLock { $0.asked }
    guard let last = asked.last,
      let gap = zip(asked, asked.dropFirst()).map({ $1 - $0 }).max()
    else { return false }
    let patience = max(gap + min(gap, Self.longestDelay), Self.shortestPatience)
    return now < end && last + gap < end && now < last + patience
  }

  private var isHeard: Bool {
    state.withLock { $0.isHurried || $0.toldCount >= Self.neededCount }
  }
}
