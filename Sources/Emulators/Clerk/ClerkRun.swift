internal import GRDB

/// One run of a call; several may be needed until it is answered.
struct ClerkRun: Sendable {
  enum Outcome: Sendable {
    case answered(ClerkAnswer, hasWrittenMessage: Bool)
    case interrupted(Interruption)
  }

  var route: ClerkRoute
  var call: ClerkCall
  var world: World
  var progress: CallProgress
  var signing: SessionTokenSigner

  /// Runs the call inside the transaction that is open.
  func outcome(_ db: Database) throws -> Outcome {
    let settings = world.settings
    let now = Instant(world.clock.now)
    func transaction() throws -> ClerkTransaction {
      try ClerkTransaction(
        call,
        world: world,
        settings: settings,
        now: now,
        progress: progress,
        signing: signing,
        db
      )
    }
    var outcome: Outcome?
    try db.inSavepoint {
      let transaction = try transaction()
      do {
        try transaction.refuseUnknownBrowser(calling: route)
        try transaction.refuseIfTooFrequent(route, world.rateLimits)
        let reply = try transaction.carryOut(route)
        outcome = .answered(
          try transaction.answer(reply),
          hasWrittenMessage: transaction.hasWrittenMessage
        )
        return .commit
      } catch let interruption as Interruption {
        outcome = .interrupted(interruption)
        switch interruption {
        case .needsHash: return .rollback
        case .tryCounted: return .commit
        }
      } catch let refusal as ClerkRefusal {
        outcome = .answered(
          ClerkAnswer(refusal: refusal, client: nil, random: world.random),
          hasWrittenMessage: false
        )
        return .rollback
      }
    }
    guard case .answered(let answer, false)? = outcome, answer.lacksClient else {
      guard let outcome else { preconditionFailure("a run without outcome") }
      return outcome
    }
    // What the call did is undone; the error still carries the client as it was before.
    return .answered(answer.carrying(try transaction().clientJSON()), hasWrittenMessage: false)
  }
}
