internal import GRDB

/// One run of a call; several may be needed until it is answered.
struct EntraRun: Sendable {
  enum Outcome: Sendable {
    case answered(EntraAnswer, hasWrittenMessage: Bool)
    case interrupted(Interruption)
  }

  var call: EntraCall
  var world: World
  var progress: CallProgress
  var signing: TokenSigner?

  /// Runs the call inside the transaction that is open.
  func outcome(_ db: Database) throws -> Outcome {
    var outcome: Outcome?
    try db.inSavepoint {
      let transaction = EntraTransaction(
        call,
        world: world,
        progress: progress,
        signing: signing,
        db
      )
      do {
        let reply = try transaction.carryOut()
        outcome = .answered(
          EntraAnswer(reply, call.trace),
          hasWrittenMessage: transaction.hasWrittenMessage
        )
        return .commit
      } catch let interruption as Interruption {
        outcome = .interrupted(interruption)
        switch interruption {
        case .needsHash: return .rollback
        case .tryCounted: return .commit
        }
      } catch let refusal as EntraRefusal {
        outcome = .answered(EntraAnswer(refusal, call.trace), hasWrittenMessage: false)
        return .rollback
      }
    }
    guard let outcome else { preconditionFailure("a run without outcome") }
    return outcome
  }
}
