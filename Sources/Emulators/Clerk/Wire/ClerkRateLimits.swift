extension ClerkRoute {
  /// How many calls the operation takes in ten seconds; nil for any number.
  ///
  /// Source: <doc:ClerkErrorCodes>; who shares them is our choice.
  fileprivate var callLimit: Int? {
    switch self {
    case .createSignIn, .createSignUp: 5
    case .attemptFirstFactor, .attemptSecondFactor, .attemptSignUp: 3
    default: nil
    }
  }
}

extension ClerkTransaction {
  /// - Throws: `too_many_requests` where the instance limits and the caller calls too often.
  func refuseIfTooFrequent() throws {
    guard settings.rateLimits, isFirstRun, let limit = call.route.callLimit else { return }
    // Behind a relay all callers share an address: who has a client is told apart by it.
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

  /// Counts the call that has made a client as that client's, too.
  func countFirstCall(of client: ClerkClient) {
    guard settings.rateLimits, let limit = call.route.callLimit else { return }
    _ = world.rateLimits.take(call.route.rawValue, by: client.id, limit: limit, at: now)
  }
}
