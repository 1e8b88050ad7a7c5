internal import GRDB
internal import HTTPExchange

/// A call read from its request: what the runner needs from every API.
protocol RunnableCall: Sendable {
  associatedtype Transaction: CallTransaction
  /// The result of a call: a success, or a refusal that keeps the call's changes.
  associatedtype Outcome
  /// A refusal that undoes the call's changes when it is thrown.
  associatedtype Refusal: Error

  /// Whether the call changes nothing, so that it is answered even if the database cannot be written.
  var isReadOnly: Bool { get }
  /// The header field `Accept-Language` of the request.
  var acceptLanguage: String? { get }
  func transaction(_ run: CallRun, _ db: Database) throws -> Transaction
  func carryOut(in transaction: Transaction) throws -> Outcome
  func refused(_ refusal: Refusal) -> Outcome
  /// The response for an outcome, with the present state of the world.
  func answer(_ outcome: Outcome, in transaction: Transaction) throws -> UnsignedResponse
}

/// The input of one run of a call, which may need several runs.
struct CallRun: Sendable {
  let world: World
  let acceptLanguage: String?
  var progress: CallProgress
}

/// Runs the calls of every emulated API, from the outcome to the signed response.
struct CallRunner: Sendable {
  /// How many runs a call may take before it is given up.
  private static let runLimit = 12

  private enum End: Sendable {
    case answered(UnsignedResponse, hasWrittenMessage: Bool)
    case tryCounted(Interruption)
  }

  let world: World
  let signer: TokenSigner

  /// Runs the call until it is no longer interrupted, then signs the tokens in its answer.
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
          return try response(of: answer, by: run.progress)
        case .tryCounted(let interruption):
          try await run.progress.overcome(interruption, in: world, by: signer)
        }
      } catch let interruption as Interruption {
        try await run.progress.overcome(interruption, in: world, by: signer)
      }
    }
    throw CallGivenUp()
  }

  /// The response, with its tokens signed.
  ///
  /// An answer without tokens does not wait for the key, so that the first page comes at once.
  private func response(
    of answer: UnsignedResponse,
    by progress: CallProgress
  ) throws -> Response {
    guard answer.unsignedTokens.isEmpty else {
      // The key that the tokens name, even if there is a newer one by now.
      return try answer.response(
        signedWith: progress.signingKey(),
        keepingIn: world.freshTokens
      )
    }
    signer.prepare()
    return answer.response
  }

  /// Runs the call in one transaction, which any error rolls back.
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

  /// The result of the work; a thrown refusal, which has rolled it back, is answered with the state
  /// before it.
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
  /// Does the work in one write transaction, which any error rolls back.
  fileprivate func writing<Value>(_ work: () throws -> Value) throws -> Value {
    // Cached: GRDB's own functions compile these two statements each time.
    try cachedStatement(sql: "BEGIN IMMEDIATE TRANSACTION").execute()
    do {
      let value = try work()
      try cachedStatement(sql: "COMMIT TRANSACTION").execute()
      return value
    } catch {
      // If SQLite could not write, it may have rolled back already.
      if isInsideTransaction { try rollback() }
      throw error
    }
  }
}

/// The error for a call that was interrupted too often.
struct CallGivenUp: Error {}
