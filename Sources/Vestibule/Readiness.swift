internal import HTTPExchange

/// Whether requests should come here, and whether whoever asks that has heard that they should not any more.
///
/// A proxy that asks `/readyz` sends requests until it has been told some times that it should not. A program that
/// stopped before that would fail them: connections that are accepted and not yet read are lost, and so is what is
/// asked on kept ones. Where nobody asks, there is nobody to wait for.
final class Readiness: Sendable {
  private struct State {
    var lastAsked: ContinuousClock.Instant?
    var isStopping = false
    var toldCount = 0
    var isHurried = false
  }

  /// As often as proxies and orchestrators usually ask before they believe it.
  private static let neededCount = 3
  /// Whoever has asked within this time will ask again.
  private static let memory = Duration.seconds(10)

  private let state = Locked(State())

  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Somebody asks.
  ///
  /// - Returns: Whether the program is about to stop.
  func asked() -> Bool {
    state.withLock { state in
      state.lastAsked = .now
      if state.isStopping { state.toldCount += 1 }
      return state.isStopping
    }
  }

  func beginStopping() { state.withLock { $0.isStopping = true } }

  /// Whoever stops the program does not want to wait.
  func hurry() { state.withLock { $0.isHurried = true } }

  /// Waits until whoever asks has heard it often enough; for nobody, and no longer than that.
  func untilHeard(atMost limit: Duration) async {
    let start = ContinuousClock.now
    let isAwaited = state.withLock { state in
      state.lastAsked.map { start - $0 < Self.memory } ?? false
    }
    while isAwaited, !isHeard, ContinuousClock.now - start < limit {
      do {
        try await Task.sleep(for: .milliseconds(20))
      } catch {
        // Only a cancelled task sleeps no longer, and then nobody waits.
        return
      }
    }
  }

  private var isHeard: Bool {
    state.withLock { $0.isHurried || $0.toldCount >= Self.neededCount }
  }
}
