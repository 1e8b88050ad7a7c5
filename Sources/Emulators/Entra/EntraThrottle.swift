internal import HTTPExchange

/// Counts the calls of each endpoint while the instance has rate limits.
///
/// Ten calls in ten seconds of the world's clock are let through; the numbers are our choice.
/// Source: Microsoft, native authentication API reference.
final class EntraThrottle: Sendable {
  private struct Key: Hashable, Sendable {
    var world: WorldName
    var route: EntraRoute
  }

  static let callLimit = 10
  static let windowSeconds = 10

  private let calls = Locked<[Key: [Instant]]>([:])

  /// Counts a call.
  ///
  /// - Throws: `EntraRefusal` with status 429 for one too many, which does not count.
  func admit(_ route: EntraRoute, in world: World) throws(EntraRefusal) {
    guard world.settings.rateLimits else { return }
    let now = Instant(world.clock.now)
    let wait: Int? = calls.withLock { calls in
      let key = Key(world: world.name, route: route)
      let begin = now.adding(seconds: -Self.windowSeconds)
      var recent = calls[key, default: []].filter { $0 > begin && $0 <= now }
      defer { calls[key] = recent }
      if let oldest = recent.first, recent.count >= Self.callLimit {
        return max(1, now.secondsUntil(oldest.adding(seconds: Self.windowSeconds)))
      }
      recent.append(now)
      return nil
    }
    if let wait { throw .throttled(retryAfter: wait) }
  }
}
