internal import Locking

/// Limits how often a caller may use an operation, over a sliding window of the world's clock.
///
/// Each API sets its own limits and words its own refusals.
final class RateLimits: Sendable {
  static let windowSeconds = 10

  private struct Key: Sendable, Hashable {
    var operation: String
    var caller: String
  }

  private let calls = Locked<[Key: [EpochMilliseconds]]>([:])
  /// Beyond this many entries, those without a call in the window are forgotten.
  private static let callerLimit = 10_000

  /// Counts a call, unless it exceeds the limit.
  ///
  /// - Returns: The whole seconds to wait before the call would be accepted; nil if it is accepted.
  func take(_ operation: String, by caller: String, limit: Int, at now: EpochMilliseconds) -> Int? {
    calls.withLock { calls in
      let begin = now.adding(seconds: -Self.windowSeconds)
      // If the clock was set back, earlier calls lie in the future; they no longer count.
      func counts(_ instant: EpochMilliseconds) -> Bool { instant > begin && instant <= now }
      if calls.count > Self.callerLimit {
        calls = calls.filter { $0.value.contains(where: counts) }
      }
      let key = Key(operation: operation, caller: caller)
      let recent = (calls[key] ?? []).filter(counts)
      if recent.count >= limit, let first = recent.first {
        return max(1, now.secondsUntil(first.adding(seconds: Self.windowSeconds)))
      }
      calls[key] = recent + [now]
      return nil
    }
  }

  func removeAll() {
    calls.withLock { $0 = [:] }
  }
}
