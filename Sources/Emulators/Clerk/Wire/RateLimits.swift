/// How often a caller may call an endpoint, counted by the world's clock.
///
/// Source: clerk-frontend-api.md section 7 and choice 8.23.
final class RateLimits: Sendable {
  static let window = 10

  /// An endpoint that is limited, and how many calls it takes in ten seconds.
  enum Endpoint: Int, Sendable, Hashable {
    case createSignIn, createSignUp
    case attemptFirstFactor, attemptSecondFactor, attemptSignUp

    var callLimit: Int {
      switch self {
      case .createSignIn, .createSignUp: 5
      case .attemptFirstFactor, .attemptSecondFactor, .attemptSignUp: 3
      }
    }
  }

  private struct Key: Sendable, Hashable {
    var endpoint: Endpoint
    var caller: String
  }

  private let calls = Locked<[Key: [Instant]]>([:])
  /// Beyond so many callers, those that rest are forgotten.
  private static let callerLimit = 10_000

  /// Counts a call.
  ///
  /// - Returns: How many whole seconds to wait before it is taken; nil where it is.
  func take(_ endpoint: Endpoint, by caller: String, at now: Instant) -> Int? {
    calls.withLock { calls in
      let begin = now.adding(seconds: -Self.window)
      // A clock that was set back leaves calls in the future, which count no more.
      func counts(_ instant: Instant) -> Bool { instant > begin && instant <= now }
      if calls.count > Self.callerLimit {
        calls = calls.filter { $0.value.contains(where: counts) }
      }
      let key = Key(endpoint: endpoint, caller: caller)
      let recent = (calls[key] ?? []).filter(counts)
      if recent.count >= endpoint.callLimit, let first = recent.first {
        return max(1, now.secondsUntil(first.adding(seconds: Self.window)))
      }
      calls[key] = recent + [now]
      return nil
    }
  }

  func removeAll() {
    calls.withLock { $0 = [:] }
  }
}

extension ClerkRoute {
  var limitedEndpoint: RateLimits.Endpoint? {
    switch self {
    case .createSignIn: .createSignIn
    case .createSignUp: .createSignUp
    case .attemptFirstFactor: .attemptFirstFactor
    case .attemptSecondFactor: .attemptSecondFactor
    case .attemptSignUp: .attemptSignUp
    default: nil
    }
  }
}

extension ClerkTransaction {
  /// - Throws: `too_many_requests` where the instance limits and the caller calls too often.
  func refuseIfTooFrequent(_ route: ClerkRoute, _ limits: RateLimits) throws {
    guard settings.rateLimits, isFirstRun, let endpoint = route.limitedEndpoint else { return }
    // Behind a relay all callers share an address: who has a client is told apart by it.
    let caller = client?.id ?? call.peerAddress ?? "in process"
    guard let seconds = limits.take(endpoint, by: caller, at: now) else { return }
    throw ClerkRefusal(
      429,
      ClerkProblem("too_many_requests", "Too many requests", "Too many requests. Try again later."),
      retryAfter: seconds
    )
  }
}
