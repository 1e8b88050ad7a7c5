internal import GRDB
internal import HTTPExchange

/// Source: <doc:ClerkSecondFactors>.
extension ClerkTransaction {
  /// `POST …/prepare_second_factor`.
  func prepareSecondFactor(_ id: String) throws -> ClerkOutcome {
    var signIn = try newestSignIn(id)
    let factors = try offeredSecondFactors(of: signIn)
    let strategy = try Strategy(parameter: form.required("strategy"))
    let offered = factors.filter { $0.strategy == strategy }
    guard let kind = strategy.contactKind, !offered.isEmpty else {
      throw strategy.contactKind == nil
        ? ClerkRefusal.strategyForUserInvalid : ClerkRefusal.noSecondFactors
    }
    if let lock = try lock(on: signIn) { return .refused(lock) }
    let factor = try choose(among: offered, parameter: "\(kind.rawValue)_id")
    guard let contact = factor.contact else { throw ClerkRefusal.noSecondFactors }
    let purpose: Message.Purpose =
      signIn.state.status == .needsClientTrust ? .clientTrust : .secondFactor
    let previous = signIn.state.secondFactor
    signIn.state.secondFactor =
      strategy == .emailLink
      ? try issueLink(
        of: signIn.id,
        to: contact,
        for: purpose,
        replacing: previous,
        admitsApps: false
      )
      : try issueCode(strategy, to: contact, for: purpose, replacing: previous)
    try save(&signIn)
    return .resource(try signInJSON(signIn))
  }

  /// `POST …/attempt_second_factor`.
  func attemptSecondFactor(_ id: String) throws -> ClerkOutcome {
    var signIn = try newestSignIn(id)
    let factors = try offeredSecondFactors(of: signIn)
    let strategy = try Strategy(parameter: form.required("strategy"))
    guard factors.contains(where: { $0.strategy == strategy }) else {
      throw strategy == .password ? ClerkRefusal.strategyForUserInvalid : .noSecondFactors
    }
    let code = try form.required("code")
    if let lock = try lock(on: signIn) { return .refused(lock) }
    guard let accountID = signIn.accountID, var account = try Account.fetchOne(db, key: accountID)
    else { throw ClerkRefusal.stateInvalid }
    let isRight =
      switch strategy {
      case .totp: account.use(authenticatorCode: code, at: now)
      case .backupCode: account.use(backupCode: code)
      case .emailCode, .phoneCode: try isRightSecondFactor(code, strategy, on: &signIn)
      case .password, .emailLink, .resetPasswordEmailCode, .resetPasswordPhoneCode,
        .enterpriseSSO, .ticket:
        throw ClerkRefusal.strategyForUserInvalid
      }
    if strategy.contactKind == nil, isRight || signIn.state.secondFactor?.isAwaited(at: now) != true
    {
      signIn.state.secondFactor = signIn.state.secondFactor.counting(
        strategy,
        isRight: isRight,
        id: random.identifier("ver")
      )
    }
    guard isRight else {
      try save(&signIn)
      return .refused(try countFailure(.codeIncorrect, on: signIn))
    }
    return try complete(&signIn, account)
  }

  private func offeredSecondFactors(of signIn: ClerkSignIn) throws -> [Factor] {
    switch signIn.state.status {
    case .needsSecondFactor, .needsClientTrust:
      try secondFactors(of: signIn, identified(by: signIn)) ?? []
    case .needsIdentifier, .needsFirstFactor, .needsNewPassword, .complete:
      throw ClerkRefusal.stateInvalid
    }
  }

  private func isRightSecondFactor(
    _ code: String,
    _ strategy: Strategy,
    on signIn: inout ClerkSignIn
  ) throws -> Bool {
    var attempt = signIn
    let isRight = try isRight(code, for: strategy, &attempt.state.secondFactor) { verification in
      var counted = signIn
      counted.state.secondFactor = verification
      try save(&counted)
    }
    signIn = attempt
    return isRight
  }
}

extension Verification? {
  /// The verification of a factor that nothing is sent for, after one more try.
  fileprivate func counting(_ strategy: Strategy, isRight: Bool, id: String) -> Verification {
    var verification =
      (self?.strategy == strategy ? self : nil) ?? Verification(id: id, strategy: strategy)
    verification.attemptCount += 1
    verification.status = isRight ? .verified : .unverified
    return verification
  }
}

extension Account {
  /// How many used time steps are remembered.
  private static let usedStepLimit = 32

  /// Uses up a code of the authenticator app if it is right; each time step can be used once.
  ///
  /// Source: RFC 6238, "Validation and Time-Step Size".
  mutating func use(authenticatorCode code: String, at now: EpochMilliseconds) -> Bool {
    guard let totpSecret, let app = AuthenticatorCode(base32Secret: totpSecret),
      let step = app.step(of: code, at: now, unused: totpUsedSteps)
    else { return false }
    // Kept whatever the time, since a clock that is set back reaches the same steps again.
    totpUsedSteps = (totpUsedSteps + [step]).suffix(Self.usedStepLimit)
    return true
  }

  /// Uses up a backup code if it is one of the unused ones.
  ///
  /// Case, blanks, dashes and full stops are ignored.
  mutating func use(backupCode code: String) -> Bool {
    func plain(_ code: String) -> String {
      let scalars = code.lowercased().unicodeScalars.filter { !$0.onlyParts }
      return String(String.UnicodeScalarView(scalars))
    }
    let typed = plain(code)
    guard !typed.isEmpty else { return false }
    let index = backupCodes.firstIndex {
      !$0.isUsed && isEqualInConstantTime(plain($0.code), typed)
    }
    guard let index else { return false }
    backupCodes[index].isUsed = true
    return true
  }
}

extension Unicode.Scalar {
  /// Whether it only separates the groups of a code: people type such characters or omit them.
  fileprivate var onlyParts: Bool {
    properties.isWhitespace || properties.isDefaultIgnorableCodePoint
      || properties.generalCategory == .dashPunctuation
      || self == "\u{2212}" || self == "." || self == "\u{FF0E}"
  }
}
