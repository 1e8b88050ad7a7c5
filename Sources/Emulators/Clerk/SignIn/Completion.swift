internal import GRDB

/// What follows a verified factor.
///
/// Source: <doc:ClerkSigningIn>, <doc:ClerkSecondFactors>.
extension ClerkTransaction {
  /// Continues after the first factor: with the second, with trust in the device, or with the session.
  ///
  /// A banned or locked account gets no further, whatever its first factor was.
  func passFirstFactor(
    of account: Account,
    _ strategy: Strategy,
    on signIn: inout ClerkSignIn
  ) throws -> ClerkOutcome {
    if account.isBanned { return .refused(.userBanned) }
    if let lock = try lock(on: signIn) { return .refused(lock) }
    signIn.state.firstFactor?.status = .verified
    signIn.state.secondFactor = nil
    let contacts = try Account.contacts(of: account.id, db)
    if settings.asksSecondFactor(of: account, contacts) {
      signIn.state.status = .needsSecondFactor
    } else if strategy == .password, let status = try trustStatus(account, contacts, signIn) {
      signIn.state.status = status
    } else {
      return try complete(&signIn, account)
    }
    try save(&signIn)
    return .resource(try signInJSON(signIn))
  }

  /// Opens the session of an attempt whose factors are all verified.
  ///
  /// - Throws: `user_banned` or `session_exists`; neither uses up a code.
  func complete(_ signIn: inout ClerkSignIn, _ account: Account) throws -> ClerkOutcome {
    if account.isBanned { throw ClerkRefusal.userBanned }
    // A second tab may have signed this client in meanwhile.
    try refuseIfSignedIn()
    let session = try openSession(
      for: account,
      by: signIn.state.firstFactor?.strategy ?? .password,
      hasSecondFactor: signIn.state.secondFactor?.status == .verified
    )
    signIn.state.status = .complete
    signIn.state.createdSessionID = session.id
    try save(&signIn)
    try spendInvitation(signIn.state.invitationID)
    return .resource(try signInJSON(signIn))
  }

  /// Opens a session on the call's client, which gets a new token and becomes known to the account.
  func openSession(
    for account: Account,
    by strategy: Strategy,
    hasSecondFactor: Bool
  ) throws -> ClerkSession {
    let client = try requireClient()
    try db.cachedStatement(sql: "DELETE FROM session WHERE clientID = ?")
      .execute(arguments: [client.id])
    let session = ClerkSession(
      id: random.identifier("sess"),
      clientID: client.id,
      accountID: account.id,
      createdAt: now,
      updatedAt: now,
      expireAt: now.adding(seconds: settings.sessionSeconds),
      abandonAt: now.adding(seconds: settings.sessionSeconds + 30 * 86_400),
      lastActiveAt: now,
      firstFactorAt: now,
      secondFactorAt: hasSecondFactor ? now : nil,
      activity: activity
    )
    try session.insert(db)
    var account = account
    account.lastSignInAt = now
    account.lastActiveAt = now
    try account.update(db)
    try Lockout.clear(account.id, db)
    try client.remember(account.id, db)
    try updateClient {
      $0.lastActiveSessionID = session.id
      $0.lastStrategy = strategy
    }
    try rotateToken()
    return session
  }

  /// The status that asks for trust in a device, if that is demanded, possible and not yet given.
  private func trustStatus(
    _ account: Account,
    _ contacts: [Contact],
    _ signIn: ClerkSignIn
  ) throws -> ClerkSignIn.Status? {
    let wanted: ClerkSignIn.Status? =
      switch settings.clientTrust {
      case .off: account.needsClientTrust ? .needsClientTrust : nil
      case .needsClientTrust: .needsClientTrust
      case .needsSecondFactor: .needsSecondFactor
      }
    guard let wanted, try !requireClient().knows(account.id, db),
      !settings.trustFactors(contacts, typed: nil).isEmpty
    else { return nil }
    return wanted
  }
}
