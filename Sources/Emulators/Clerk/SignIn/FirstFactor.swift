internal import GRDB

/// Source: <doc:ClerkSigningIn>.
extension ClerkTransaction {
  /// `POST …/prepare_first_factor`.
  func prepareFirstFactor(_ id: String) throws -> ClerkOutcome {
    var signIn = try newestSignIn(id)
    guard signIn.state.status == .needsFirstFactor else { throw ClerkRefusal.stateInvalid }
    return try prepare(Strategy(parameter: form.required("strategy")), on: &signIn)
  }

  /// Sends a code or link, or begins a sign-in elsewhere; calls that create an attempt do so, too.
  func prepare(_ strategy: Strategy, on signIn: inout ClerkSignIn) throws -> ClerkOutcome {
    let offered = try firstFactors(of: signIn, identified(by: signIn))
      .filter { $0.strategy == strategy }
    if strategy == .enterpriseSSO, !offered.isEmpty {
      if let lock = try lock(on: signIn) { return .refused(lock) }
      signIn.state.firstFactor = try beginExternalSignIn(of: signIn)
      try save(&signIn)
      return .resource(try signInJSON(signIn))
    }
    guard let kind = strategy.contactKind, !offered.isEmpty else {
      return .refused(.strategyForUserInvalid)
    }
    if let lock = try lock(on: signIn) { return .refused(lock) }
    let factor = try choose(among: offered, parameter: "\(kind.rawValue)_id")
    guard let contact = factor.contact else { return .refused(.strategyForUserInvalid) }
    if strategy == .emailLink {
      signIn.state.firstFactor = try issueLink(
        of: signIn.id,
        to: contact,
        for: .signIn,
        replacing: signIn.state.firstFactor,
        isDelivered: signIn.accountID != nil
      )
      try save(&signIn)
      return .resource(try signInJSON(signIn))
    }
    signIn.state.firstFactor = try issueCode(
      strategy,
      to: contact,
      for: strategy.isReset ? .resetPassword : .signIn,
      replacing: signIn.state.firstFactor,
      isDelivered: signIn.accountID != nil
    )
    try save(&signIn)
    return .resource(try signInJSON(signIn))
  }

  /// The factor whose contact the caller names, or the first one.
  ///
  /// - Throws: `form_resource_not_found` where the named one is not offered.
  func choose(among factors: [Factor], parameter: String) throws -> Factor {
    guard let id = try form.filled(parameter) else {
      guard let first = factors.first else { throw ClerkRefusal.strategyForUserInvalid }
      return first
    }
    guard let factor = factors.first(where: { $0.contact?.id == id }) else {
      throw ClerkRefusal.resourceNotFound(parameter: parameter)
    }
    return factor
  }

  /// `POST …/attempt_first_factor`.
  func attemptFirstFactor(_ id: String) throws -> ClerkOutcome {
    var signIn = try newestSignIn(id)
    guard signIn.state.status == .needsFirstFactor else { throw ClerkRefusal.stateInvalid }
    let strategy = try Strategy(parameter: form.required("strategy"))
    switch strategy {
    case .password:
      return try attemptPassword(form.required("password"), on: &signIn)
    case .emailCode, .phoneCode, .resetPasswordEmailCode, .resetPasswordPhoneCode:
      return try attemptCode(form.required("code"), strategy, on: &signIn)
    case .emailLink, .totp, .backupCode, .enterpriseSSO, .ticket:
      throw ClerkRefusal.strategyForUserInvalid
    }
  }

  private func attemptCode(
    _ code: String,
    _ strategy: Strategy,
    on signIn: inout ClerkSignIn
  ) throws -> ClerkOutcome {
    if let lock = try lock(on: signIn) { return .refused(lock) }
    var attempt = signIn
    let isRight = try isRight(code, for: strategy, &attempt.state.firstFactor) { verification in
      var counted = signIn
      counted.state.firstFactor = verification
      try save(&counted)
    }
    signIn = attempt
    guard isRight, let id = signIn.accountID, let account = try Account.fetchOne(db, key: id)
    else { return .refused(try countFailure(.codeIncorrect, on: signIn)) }
    // Thrown, so that the code is not used up; only the try stays counted.
    if account.isBanned { throw ClerkRefusal.userBanned }
    guard strategy.isReset else {
      return try passFirstFactor(of: account, strategy, on: &signIn)
    }
    signIn.state.status = .needsNewPassword
    try save(&signIn)
    guard try form.text("password") != nil else { return .resource(try signInJSON(signIn)) }
    return try setNewPassword(on: &signIn)
  }
}
