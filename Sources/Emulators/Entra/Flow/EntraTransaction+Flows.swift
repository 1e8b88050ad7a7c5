internal import GRDB

/// Source: Microsoft, native authentication API reference.
extension EntraTransaction {
  /// Begins a flow.
  ///
  /// - Returns: Its first continuation token.
  func begin(_ state: EntraFlow.State) throws -> JSON {
    let token = random.secret()
    let flow = EntraFlow(
      id: random.guid(),
      tokenHash: EntraFlow.hash(of: token),
      clientID: call.clientID,
      createdAt: now,
      expireAt: now.adding(seconds: EntraFlow.lifetimeSeconds),
      state: state
    )
    try flow.insert(db)
    try forgetOldFlows()
    return .string(token)
  }

  /// The flow of the call's continuation token, which stands at one of the steps.
  ///
  /// - Throws: `expired_token` for one that took too long; what the endpoint has for a token that is
  ///   spent, foreign, made up, or belongs to another step.
  func flow(at steps: [EntraFlow.Step]) throws -> EntraFlow {
    let token = try form.required("continuation_token")
    let flow = try EntraFlow.fetchOne(
      db.cachedStatement(sql: "SELECT * FROM entraFlow WHERE tokenHash = ?"),
      arguments: [EntraFlow.hash(of: token)]
    )
    guard let flow, flow.clientID == call.clientID else {
      throw EntraRefusal.invalidContinuation(call.route)
    }
    guard flow.expireAt > now else { throw EntraRefusal.expiredContinuation }
    guard steps.contains(flow.state.step) else {
      throw EntraRefusal.invalidContinuation(call.route)
    }
    return flow
  }

  /// Goes on to a step: the token of the call is spent.
  ///
  /// - Returns: The token that leads on.
  func move(_ flow: inout EntraFlow, to step: EntraFlow.Step) throws -> String {
    let token = random.secret()
    flow.tokenHash = EntraFlow.hash(of: token)
    flow.expireAt = now.adding(seconds: EntraFlow.lifetimeSeconds)
    flow.state.step = step
    try flow.update(db)
    return token
  }

  /// Goes on to a step, and says so with the error that carries the token.
  func move(
    _ flow: inout EntraFlow,
    to step: EntraFlow.Step,
    saying refusal: EntraRefusal
  ) throws -> EntraReply {
    .refused(refusal.carrying(continuation: try move(&flow, to: step)))
  }

  /// The account that the flow is about.
  ///
  /// - Throws: `invalid_grant` 50034 where it is gone by now.
  func account(of flow: EntraFlow) throws -> Account {
    guard let id = flow.state.accountID, let account = try Account.fetchOne(db, key: id) else {
      throw EntraRefusal.userGone
    }
    return account
  }

  /// A world that is driven for days would otherwise grow with every flow that was begun.
  private func forgetOldFlows() throws {
    let count = try Int.fetchOne(db.cachedStatement(sql: "SELECT max(rowid) FROM entraFlow")) ?? 0
    guard count % 256 == 0 else { return }
    try db.execute(
      sql: """
        DELETE FROM entraFlow WHERE rowid IN (
          SELECT rowid FROM entraFlow ORDER BY rowid DESC LIMIT -1 OFFSET 4096
        )
        """
    )
  }
}
