internal import GRDB
internal import HTTPExchange

/// A call that was read from its request, as the runner needs it of every API.
protocol RunnableCall: Sendable {
  associatedtype Transaction: CallTransaction
  /// What the call came to: a success, or a refusal that keeps what it changed.
  associatedtype Outcome
  /// Thrown, it undoes what the call changed.
  associatedtype Refusal: Error

  /// Whether it changes nothing, so that it is answered even when nothing can be written.
  var isReadOnly: Bool { get }
  func transaction(_ run: CallRun, _ db: Database) throws -> Transaction
  func carryOut(in transaction: Transaction) throws -> Outcome
  func refused(_ refusal: Refusal) -> Outcome
  /// The outcome, written down with what the world is now.
  func answer(_ outcome: Outcome, in transaction: Transaction) throws -> Answer
}

/// What one run of a call has at hand; several may be needed until it is answered.
struct CallRun: Sendable {
  let world: World
  let key: SigningKey
  var progress = CallProgress()
}

/// Runs the calls of every emulated API: outcome, answer, response.
struct CallRunner: Sendable {
  /// How often a call is begun anew before it is given up.
  private static let runLimit = 12

  private enum End: Sendable {
    case answered(Answer, hasWrittenMessage: Bool)
    case tryCounted(Interruption)
  }

  let world: World
  let signer: TokenSigner

  /// Runs the call until nothing interrupts it any more, then signs what its answer holds.
  ///
  /// - Throws: What SQLite reports, or `CallGivenUp`.
  func response<Call: RunnableCall>(to call: Call) async throws -> Response {
    var run = CallRun(world: world, key: try await signer.key())
    for _ in 0..<Self.runLimit {
      do {
        switch try await self.run(call, run) {
        case .answered(let answer, let hasWrittenMessage):
          if hasWrittenMessage { world.outbox.announce() }
          return try answer.response(signedWith: run.key, keepingIn: world.freshTokens)
        case .tryCounted(let interruption):
          try await run.progress.overcome(interruption, in: world)
        }
      } catch let interruption as Interruption {
        try await run.progress.overcome(interruption, in: world)
      } catch let refusal as Call.Refusal {
        return try await answerOfUndone(call, refusal, run)
          .response(signedWith: run.key, keepingIn: world.freshTokens)
      }
    }
    throw CallGivenUp()
  }

  /// One transaction; whatever it throws undoes it.
  private func run<Call: RunnableCall>(_ call: Call, _ run: CallRun) async throws -> End {
    let body: @Sendable (Database) throws -> End = { db in
      if !call.isReadOnly { try world.retention.sweepIfDue(at: Instant(world.clock.now), db) }
      let transaction = try call.transaction(run, db)
      do {
        let outcome = try call.carryOut(in: transaction)
        return .answered(
          try call.answer(outcome, in: transaction),
          hasWrittenMessage: transaction.hasWrittenMessage
        )
      } catch let interruption as Interruption where interruption.keepsWhatWasDone {
        return .tryCounted(interruption)
      }
    }
    return try await call.isReadOnly ? world.database.read(body) : world.database.write(body)
  }

  /// What the call did is undone; the answer still tells of the world as it was before.
  private func answerOfUndone<Call: RunnableCall>(
    _ call: Call,
    _ refusal: Call.Refusal,
    _ run: CallRun
  ) async throws -> Answer {
    try await world.database.read { db in
      try call.answer(call.refused(refusal), in: call.transaction(run, db))
    }
  }
}

/// A call was interrupted again and again.
struct CallGivenUp: Error {}
