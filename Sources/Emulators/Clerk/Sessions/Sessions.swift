internal import GRDB

/// Source: <doc:ClerkSessionsAndTasks>.
extension ClerkTransaction {
  /// `GET /v1/client/sessions/{id}`.
  func readSession(_ id: String) throws -> ClerkOutcome {
    .resource(try sessionJSON(ownSession(id)))
  }

  /// `POST …/touch`.
  func touchSession(_ id: String) throws -> ClerkOutcome {
    let intents: Set<String> = ["focus", "select_session", "select_org"]
    if let intent = try form.filled("intent"), !intents.contains(intent) {
      throw ClerkRefusal.invalidValue("intent")
    }
    var session = try liveSession(id)
    if let reference = try form.text("active_organization_id") {
      try activate(reference, in: &session)
    }
    session.lastActiveAt = now
    session.updatedAt = now
    session.activity = activity ?? session.activity
    try session.update(db)
    try updateClient { $0.lastActiveSessionID = id }
    if var account = try Account.fetchOne(db, key: session.accountID) {
      account.lastActiveAt = now
      try account.update(db)
    }
    return .resource(try sessionJSON(session))
  }

  /// `POST …/end`: signs out; the session stays listed.
  func endSession(_ id: String) throws -> ClerkOutcome {
    var session = try liveSession(id)
    session.ending = .ended
    session.updatedAt = now
    try session.update(db)
    try signedOut(of: session)
    return .resource(try sessionJSON(session))
  }

  /// `POST …/remove`: signs out; the session is no longer listed.
  func removeSession(_ id: String) throws -> ClerkOutcome {
    var session = try ownSession(id)
    session.ending = .removed
    session.updatedAt = now
    try session.delete(db)
    try signedOut(of: session)
    return .resource(try sessionJSON(session))
  }

  /// `POST …/tokens`, and `…/tokens/{template}` for the templates that the instance has.
  func sessionToken(_ id: String, template: String? = nil) throws -> ClerkOutcome {
    if let template, !settings.jwtTemplates.contains(template) {
      throw ClerkRefusal.resourceNotFound
    }
    var session = try liveSession(id)
    // The token is for that organization; the session keeps its own.
    if let reference = try form.text("organization_id") { try activate(reference, in: &session) }
    guard let account = try Account.fetchOne(db, key: session.accountID) else {
      throw ClerkRefusal.resourceNotFound
    }
    let tasks = tasks(of: session, account, try Account.contacts(of: account.id, db))
    guard template == nil else {
      return .bare(["jwt": .string(try token(claims(of: session, account, tasks).templateJSON))])
    }
    return .bare(["jwt": .string(try token(of: session, account, tasks))])
  }

  /// A token that says who is signed in, and how.
  func token(
    of session: ClerkSession,
    _ account: Account,
    _ tasks: [AccountDescription.Task]
  ) throws -> String {
    try token(organizationClaims(of: session, account, tasks).json)
  }

  /// Such a token, or the one issued a moment ago if its claims have not changed since.
  func lastToken(
    of session: ClerkSession,
    _ account: Account,
    _ tasks: [AccountDescription.Task]
  ) throws -> String {
    let claims = try organizationClaims(of: session, account, tasks)
    let key = FreshTokens.Key(
      sessionID: session.id,
      keyID: try signingKeyID,
      claims: claims.lasting
    )
    if let token = world.freshTokens.token(for: key, at: now) { return token }
    return try token(claims.json, keptAs: UnsignedToken.Freshness(key: key, issuedAt: now))
  }

  private func organizationClaims(
    of session: ClerkSession,
    _ account: Account,
    _ tasks: [AccountDescription.Task]
  ) throws -> SessionTokenClaims {
    var claims = claims(of: session, account, tasks)
    claims.organization = try organizationClaim(of: session)
    return claims
  }

  private func claims(
    of session: ClerkSession,
    _ account: Account,
    _ tasks: [AccountDescription.Task]
  ) -> SessionTokenClaims {
    func age(_ instant: EpochMilliseconds?) -> Int {
      instant.map { Int(max(0, (now.rawValue - $0.rawValue) / 60_000)) } ?? -1
    }
    return SessionTokenClaims(
      issuer: call.place.origin.text,
      userID: account.id,
      sessionID: session.id,
      status: session.status(at: now, tasks: tasks).rawValue,
      factorAges: [age(session.firstFactorAt), age(session.secondFactorAt)],
      tokenID: random.traceID(),
      authorizedParty: call.caller.authorizedParty,
      issuedAt: now
    )
  }

  /// `GET /v1/me/sessions/active`.
  func activeSessions() throws -> ClerkOutcome {
    let (_, account) = try signedIn()
    let contacts = try Account.contacts(of: account.id, db)
    let active = try ClerkSession.all(ofAccount: account.id, db).filter {
      $0.status(at: now, tasks: tasks(of: $0, account, contacts)) == .active
    }
    return .bare(
      .array(
        try active.map { session in
          var json = try sessionJSON(session)
          json["latest_activity"] = session.activity?.json
          return json
        }
      )
    )
  }

  /// `GET /v1/me/sessions`: the sessions on every client, including ended ones.
  func allSessions() throws -> ClerkOutcome {
    let (_, account) = try signedIn()
    let sessions = try ClerkSession.all(ofAccount: account.id, db)
    return .bare(.array(try sessions.map(sessionJSON)))
  }

  /// `POST /v1/me/sessions/{id}/revoke`: another device's session.
  func revokeSession(_ id: String) throws -> ClerkOutcome {
    let (acting, account) = try signedIn()
    guard var session = try ClerkSession.fetchOne(db, key: id), session.accountID == account.id
    else { throw ClerkRefusal.resourceNotFound }
    guard session.id != acting.id else {
      throw ClerkRefusal.badRequest("invalid_action_for_session", "That is the present session.")
    }
    session.ending = session.ending ?? .revoked
    session.updatedAt = now
    try session.update(db)
    return .resource(try sessionJSON(session))
  }

  /// The acting session, and its account.
  ///
  /// - Throws: `authentication_invalid` where nobody is signed in.
  func signedIn() throws -> (ClerkSession, Account) {
    guard let client, let id = call.sessionID ?? client.lastActiveSessionID,
      let session = try ClerkSession.fetchOne(db, key: id), session.clientID == client.id,
      session.isLive(at: now), let account = try Account.fetchOne(db, key: session.accountID)
    else { throw ClerkRefusal.authenticationInvalid }
    return (session, account)
  }

  /// The device of this call.
  var activity: SessionActivity? {
    SessionActivity(call.device, id: random.identifier("sess_activity"))
  }

  private func signedOut(of session: ClerkSession) throws {
    try updateClient {
      if $0.lastActiveSessionID == session.id { $0.lastActiveSessionID = nil }
    }
    try rotateToken()
  }

  private func ownSession(_ id: String) throws -> ClerkSession {
    guard let client else { throw ClerkRefusal.authenticationInvalid }
    guard let session = try ClerkSession.fetchOne(db, key: id), session.clientID == client.id
    else { throw ClerkRefusal.resourceNotFound }
    return session
  }

  /// The session that the call's client is signed in with; nil if nobody is signed in.
  var standingSession: ClerkSession? {
    get throws {
      guard let client else { return nil }
      return try ClerkSession.all(of: client.id, db).last { $0.isLive(at: now) }
    }
  }

  func liveSession(_ id: String) throws -> ClerkSession {
    let session = try ownSession(id)
    guard session.isLive(at: now) else { throw ClerkRefusal.resourceNotFound }
    return session
  }
}
