internal import Locking

/// How often a caller may ask for an operation, counted over a sliding window of the world's clock.
///
/// The numbers are each API's; how they are told belongs to its wire.
final class RateLimits: Sendable {
  static let windowSeconds = 10

  private struct Key: Sendable, Hashable {
    var operation: String
    var caller: String
  }

  private let calls = Locked<[Key: [EpochMilliseconds]]>([:])
  /// Beyond so many callers, those that rest are forgotten.
  private static let callerLimit = 10_000

  /// Counts a call; one too many does not count.
  ///
  /// - Returns: How many whole seconds to wait before it is taken; nil where it is.
  func take(_ operation: String, by caller: String, limit: Int, at now: EpochMilliseconds) -> Int? {
    calls.withLock { calls in
      let begin = now.adding(seconds: -Self.windowSeconds)
      // A clock that was set back leaves calls in the future, which count no more.
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
