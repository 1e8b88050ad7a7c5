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
  /// The header field `Accept-Language` of the request.
  var acceptLanguage: String? { get }
  func transaction(_ run: CallRun, _ db: Database) throws -> Transaction
  func carryOut(in transaction: Transaction) throws -> Outcome
  func refused(_ refusal: Refusal) -> Outcome
  /// The outcome, written down with what the world is now.
  func answer(_ outcome: Outcome, in transaction: Transaction) throws -> UnsignedResponse
}

/// What one run of a call has at hand; several may be needed until it is answered.
struct CallRun: Sendable {
  let world: World
  let acceptLanguage: String?
  var progress: CallProgress
}

/// Runs the calls of every emulated API: outcome, answer, response.
struct CallRunner: Sendable {
  /// How often a call is begun anew before it is given up.
  private static let runLimit = 12

  private enum End: Sendable {
    case answered(UnsignedResponse, hasWrittenMessage: Bool)
    case tryCounted(Interruption)
  }

  let world: World
  let signer: TokenSigner

  /// Runs the call until nothing interrupts it any more, then signs what its answer holds.
  ///
  /// - Throws: What SQLite reports, or `CallGivenUp`.
  func response<Call: RunnableCall>(to call: Call) async throws -> Response {
    var run = CallRun(
      world: world,
      acceptLanguage: call.acceptLanguage,
      progress: CallProgress(key: signer.knownKey)
    )
    for _ in 0..<Self.runLimit {
      do {
        switch try await self.run(call, run) {
        case .answered(let answer, let hasWrittenMessage):
          if hasWrittenMessage { world.outbox.announce() }
          return try await response(of: answer)
        case .tryCounted(let interruption):
          try await run.progress.overcome(interruption, in: world, by: signer)
        }
      } catch let interruption as Interruption {
        try await run.progress.overcome(interruption, in: world, by: signer)
      }
    }
    throw CallGivenUp()
  }

  /// The answer with its tokens signed.
  ///
  /// What needs no key does not wait for it, so that the first page is there at once.
  private func response(of answer: UnsignedResponse) async throws -> Response {
    guard answer.unsignedTokens.isEmpty else {
      return try answer.response(signedWith: await signer.key(), keepingIn: world.freshTokens)
    }
    signer.prepare()
    return answer.response
  }

  /// One transaction; whatever is thrown in it undoes it.
  private func run<Call: RunnableCall>(_ call: Call, _ run: CallRun) async throws -> End {
    guard !call.isReadOnly else {
      return try await world.database.readBriefly { db in
        try answer(to: call, run, db) { try outcome(of: call, run, db) }
      }
    }
    return try await world.database.writeBrieflyWithoutTransaction { db in
      try answer(to: call, run, db) {
        try db.writing {
          try world.retention.sweepIfDue(at: EpochMilliseconds(world.clock.now), db)
          return try outcome(of: call, run, db)
        }
      }
    }
  }

  private func outcome<Call: RunnableCall>(
    of call: Call,
    _ run: CallRun,
    _ db: Database
  ) throws -> End {
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

  /// What the work comes to; a thrown refusal has undone it, and still tells of the world as it was
  /// before.
  private func answer<Call: RunnableCall>(
    to call: Call,
    _ run: CallRun,
    _ db: Database,
    _ work: () throws -> End
  ) throws -> End {
    do {
      return try work()
    } catch let refusal as Call.Refusal {
      let answer = try call.answer(call.refused(refusal), in: call.transaction(run, db))
      return .answered(answer, hasWrittenMessage: false)
    }
  }
}

extension Database {
  /// Does some work in one transaction that writes; whatever it throws undoes it.
  fileprivate func writing<Value>(_ work: () throws -> Value) throws -> Value {
    // Compiled once: GRDB's own functions for these two compile them each time.
    try cachedStatement(sql: "BEGIN IMMEDIATE TRANSACTION").execute()
    do {
      let value = try work()
      try cachedStatement(sql: "COMMIT TRANSACTION").execute()
      return value
    } catch {
      // SQLite itself has undone what it could not write.
      if isInsideTransaction { try rollback() }
      throw error
    }
  }
}

/// A call was interrupted again and again.
struct CallGivenUp: Error {}
