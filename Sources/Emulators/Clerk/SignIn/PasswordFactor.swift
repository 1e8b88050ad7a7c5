internal import GRDB

/// Source: <doc:ClerkSigningIn>, <doc:ClerkResettingPasswords>.
extension ClerkTransaction {
  /// Tries a password as the first factor; the attempt is kept whatever the result.
  func attemptPassword(_ password: String, on signIn: inout ClerkSignIn) throws -> ClerkOutcome {
    let factors = try firstFactors(of: signIn, identified(by: signIn))
    guard factors.contains(where: { $0.strategy == .password }) else {
      return .refused(.strategyForUserInvalid)
    }
    let account = try account(of: signIn)
    let isRight = try proves(password, account?.password)
    if let lock = try lock(on: signIn) { return .refused(lock) }
    let before = signIn.state.firstFactor
    let attemptCount = before.map { $0.strategy == .password ? $0.attemptCount : 0 } ?? 0
    let tried = Verification(
      id: random.identifier("ver"),
      strategy: .password,
      attemptCount: attemptCount + 1
    )
    // What has been sent stays valid until it is replaced, even if a password is tried meanwhile.
    let awaited = before.flatMap { $0.isAwaited(at: now) ? $0 : nil }
    guard isRight, let account else {
      signIn.state.firstFactor = awaited ?? tried
      try save(&signIn)
      return .refused(
        try countFailure(
          settings.enumerationProtection ? .passwordOrIdentifierIncorrect : .passwordIncorrect,
          on: signIn
        )
      )
    }
    if let flaw = flaw(of: account, factors) {
      signIn.state.firstFactor = awaited
      try save(&signIn)
      return .refused(ClerkRefusal(422, flaw))
    }
    signIn.state.firstFactor = tried
    return try passFirstFactor(of: account, .password, on: &signIn)
  }

  /// The account of an attempt; for a decoy the same statement reads the first account there is, so
  /// that both take the same time (S19).
  private func account(of signIn: ClerkSignIn) throws -> Account? {
    let id = signIn.accountID ?? ""
    let account = try Account.fetchOne(
      db.cachedStatement(sql: "SELECT * FROM account WHERE id >= ? ORDER BY id LIMIT 1"),
      arguments: [id]
    )
    return account?.id == id ? account : nil
  }

  /// Why a correct password is not accepted; nil if it is.
  private func flaw(of account: Account, _ factors: [Factor]) -> ClerkProblem? {
    switch account.passwordState {
    case .ok: return nil
    case .leaked: return .passwordPwned("password")
    case .compromised:
      let hasOther = factors.contains { $0.strategy != .password && !$0.strategy.isReset }
      return hasOther && settings.compromisedPasswordCode ? .passwordCompromised : nil
    }
  }
}
