extension ClerkRoute {
  /// How many calls the operation accepts within ten seconds; nil for any number.
  ///
  /// Source: <doc:ClerkErrorCodes>; which callers share a limit is our choice.
  fileprivate var callLimit: Int? {
    switch self {
    case .createSignIn, .createSignUp: 5
    case .attemptFirstFactor, .attemptSecondFactor, .attemptSignUp: 3
    default: nil
    }
  }
}

extension ClerkTransaction {
  /// - Throws: `too_many_requests` if the instance limits calls and the caller exceeds the limit.
  func refuseIfTooFrequent() throws {
    guard settings.rateLimits, isFirstRun, let limit = call.route.callLimit else { return }
    // Behind a relay all callers share an address, so callers with a client are told apart by that.
    let caller = client?.id ?? call.device.peerAddress ?? "in process"
    let operation = call.route.rawValue
    guard let seconds = world.rateLimits.take(operation, by: caller, limit: limit, at: now) else {
      return
    }
    throw ClerkRefusal(
      429,
      ClerkProblem("too_many_requests", "Too many requests", "Too many requests. Try again later."),
      retryAfter: seconds
    )
  }

  /// Counts the call that has created a client for that client, too.
  func countFirstCall(of client: ClerkClient) {
    guard settings.rateLimits, let limit = call.route.callLimit else { return }
    _ = world.rateLimits.take(call.route.rawValue, by: client.id, limit: limit, at: now)
  }
}
