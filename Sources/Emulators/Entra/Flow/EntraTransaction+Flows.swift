internal import Foundation
internal import GRDB

/// Source: Microsoft, native authentication API reference.
extension EntraTransaction {
  /// Begins a flow.
  ///
  /// - Returns: The answer with its first continuation token.
  func begin(
    _ stage: EntraFlow.Stage,
    username: String,
    offered: Set<ChallengeType>
  ) throws -> EntraOutcome {
    let token = random.secret()
    let flow = EntraFlow(
      id: random.guid(),
      tokenHash: Data(sha256Of: token),
      clientID: call.clientID,
      createdAt: now,
      expireAt: now.adding(seconds: EntraFlow.lifetimeSeconds),
      state: EntraFlow.State(
        username: username,
        offered: offered,
        capabilities: declaredCapabilities(),
        stage: stage
      )
    )
    try flow.insert(db)
    return .success(["continuation_token": .string(token)])
  }

  /// The flow of the call's continuation token.
  ///
  /// - Throws: `expired_token` for one that took too long; `wrongStage` for a token that is spent,
  ///   foreign or made up.
  func flow() throws -> EntraFlow {
    let token = try form.required("continuation_token")
    guard let flow = try EntraFlow.holding(token, db), flow.clientID == call.clientID else {
      throw wrongStage
    }
    guard flow.expireAt > now else { throw EntraRefusal.expiredContinuation }
    return flow
  }

  /// The endpoint's refusal of a token that is not valid here, such as one of another step.
  var wrongStage: EntraRefusal { .invalidContinuation(call.route) }

  /// Advances the flow and spends the call's token.
  ///
  /// - Returns: The next continuation token.
  func move(_ flow: inout EntraFlow, to stage: EntraFlow.Stage) throws -> String {
    let token = random.secret()
    flow.tokenHash = Data(sha256Of: token)
    flow.expireAt = now.adding(seconds: EntraFlow.lifetimeSeconds)
    flow.state.stage = stage
    try flow.update(db)
    return token
  }

  /// Advances the flow, and answers with an error that carries the next token.
  func move(
    _ flow: inout EntraFlow,
    to stage: EntraFlow.Stage,
    saying refusal: EntraRefusal
  ) throws -> EntraOutcome {
    .refused(refusal.carrying(continuation: try move(&flow, to: stage)))
  }

  /// The account that a flow is about.
  ///
  /// - Throws: `invalid_grant` 50034 if it was deleted after the flow began.
  func account(_ id: String) throws -> Account {
    guard let account = try Account.fetchOne(db, key: id) else { throw EntraRefusal.userGone }
    return account
  }
}
