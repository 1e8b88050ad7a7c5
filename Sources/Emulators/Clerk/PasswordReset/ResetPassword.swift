internal import GRDB

/// Source: <doc:ClerkResettingPasswords>.
extension ClerkTransaction {
  /// `POST …/reset_password`.
  func resetPassword(_ id: String) throws -> ClerkOutcome {
    try form.allowOnly(["password", "sign_out_of_other_sessions"])
    var signIn = try newestSignIn(id)
    guard signIn.state.status == .needsNewPassword else { throw ClerkRefusal.stateInvalid }
    return try setNewPassword(on: &signIn)
  }

  /// Sets the password in the call, then continues as after a first factor.
  func setNewPassword(on signIn: inout ClerkSignIn) throws -> ClerkOutcome {
    guard let id = signIn.accountID, var account = try Account.fetchOne(db, key: id) else {
      throw ClerkRefusal.stateInvalid
    }
    if account.isBanned { return .refused(.userBanned) }
    if let lock = try lock(on: signIn) { return .refused(lock) }
    guard let password = try form.text("password") else { return .refused(.missing("password")) }
    let endsOthers = try form.flag("sign_out_of_other_sessions") ?? false
    if let refusal = try refusal(ofNew: password, for: account, parameter: "password") {
      return .refused(refusal)
    }
    // A password that had to be replaced cannot be kept.
    if account.passwordState != .ok, let stored = account.password, try proves(password, stored) {
      return .refused(ClerkRefusal(422, .passwordPwned("password")))
    }
    try setPassword(password, of: &account)
    if endsOthers { try endSessions(of: account, besides: nil) }
    return try passFirstFactor(
      of: account,
      signIn.state.firstFactor?.strategy ?? .resetPasswordEmailCode,
      on: &signIn
    )
  }

  /// The refusal of a new password that breaks the instance's rules; nil if it keeps them.
  func refusal(
    ofNew password: String,
    for account: Account,
    parameter: String
  ) throws -> ClerkRefusal? {
    guard !password.isEmpty else { return .empty(parameter) }
    let identifiers = try Account.contacts(of: account.id, db).map(\.value)
    let flaws = PasswordRules(settings: settings).flaws(in: password, identifiers: identifiers)
    return flaws.isEmpty ? nil : ClerkRefusal(422, flaws.map { $0.problem(parameter) })
  }

  /// Revokes the sessions of an account on all clients, except the given one.
  func endSessions(of account: Account, besides kept: ClerkSession?) throws {
    try db.cachedStatement(
      sql: """
        UPDATE session SET ending = 'revoked', updatedAt = ?
        WHERE accountID = ? AND ending IS NULL AND id <> ?
        """
    ).execute(arguments: [now, account.id, kept?.id ?? ""])
  }
}
