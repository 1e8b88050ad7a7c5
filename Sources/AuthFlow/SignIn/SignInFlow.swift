/// What a person does on the pages of a sign-in.
public enum SignInInput: Sendable {
  /// The first page asked for both; the password may have been left empty.
  case credentials(Identifier, Password?)
  /// The first page asked for the identifier alone.
  case identifier(Identifier)
  case password(Password)
  /// One of the factors that the state's `factorPrompt` offers.
  case factor(Factor)
  case code(VerificationCode)
  case backupCode(VerificationCode)
  /// Another code or link.
  case resendCode
  /// A contact to register as a strong method.
  case enrolment(Enrolment)
  /// Goes on with the permissions that were granted.
  case acceptGranted
  /// Asks whether a step elsewhere is done: a link opened, a provider's page finished.
  case check
  case link(FollowedLink)
  /// The browser is back from an identity provider's page.
  case returned(BrowserReturn)
}

/// The rules of signing in, for any auth API.
public struct SignInFlow: Sendable {
  private let provider: any AuthProvider
  private let clock: WallClock

  public init(provider: any AuthProvider, clock: WallClock) {
    self.provider = provider
    self.clock = clock
  }

  /// Advances the sign-in by one input, and remembers what the input has proven.
  ///
  /// An identifier begins a new attempt in any state: the first page is always open.
  public func advance(
    _ state: SignInState,
    with input: SignInInput,
    memory: inout ProviderMemory
  ) async -> Advance<SignInState> {
    let outcome: Outcome<SignInState>
    switch input {
    case .credentials(let identifier, let password):
      outcome = await begin(identifier, password, memory: &memory)
    case .identifier(let identifier):
      outcome = await provider.beginSignIn(
        identifier: identifier,
        password: nil,
        memory: &memory
      )
    case .password, .factor, .code, .backupCode, .resendCode, .enrolment, .acceptGranted, .check,
      .link, .returned:
      return await goOn(from: state, with: input, memory: &memory)
    }
    memory.remember(input, at: state, answeredBy: outcome)
    return await advance(by: outcome, from: .identifierRequired, memory: &memory)
  }

  /// Advances the attempt under way.
  ///
  /// The switch is the state diagram. It names every state, even those in which only an identifier
  /// is due.
  private func goOn(
    from state: SignInState,
    with input: SignInInput,
    memory: inout ProviderMemory
  ) async -> Advance<SignInState> {
    let outcome: Outcome<SignInState>
    // The state of the attempt if the input is refused.
    var standing = state
    switch (state, input) {
    case (.passwordRequired(let prompt), .password(let password)):
      outcome = await provider.submit(password, for: prompt, memory: &memory)

    case (.passwordRequired, .factor(let factor)), (.factorRequired, .factor(let factor)),
      (.codeRequired, .factor(let factor)), (.linkRequired, .factor(let factor)),
      (.browserRequired, .factor(let factor)):
      return await choose(factor, from: state, memory: &memory)

    case (.codeRequired(let prompt), .code(let code)):
      switch await exchange(prompt).answer(code, memory: &memory) {
      case .unproven(let advance): return advance
      case .judged(let judgement, let place):
        outcome = judgement
        standing = place
      }
    case (.codeRequired(let prompt), .backupCode(let code)):
      guard let prompt = prompt.withBackupCode else { return .misplaced }
      outcome = await provider.submit(code, for: prompt, memory: &memory)
      // No auth API says how many backup codes are left, only whether any are.
      if case .moved(to: .complete(let session)) = outcome, session.hasBackupCodes == false {
        memory.remember(input, at: state, answeredBy: outcome)
        return .moved(to: .complete(session), notices: [.backupCodesLow])
      }
    case (.codeRequired(let prompt), .resendCode):
      return await resend(prompt, memory: &memory)

    case (.linkRequired(let prompt), .resendCode):
      return await resend(prompt, from: state, memory: &memory)
    case (.linkRequired(let prompt), .check):
      guard let links = provider.emailLinks else { return .misplaced }
      outcome = await links.check(prompt, memory: &memory)
      if case .moved(to: .linkRequired) = outcome {
        return .moved(to: state, notices: [.stillWaiting])
      }
    case (.linkRequired(let prompt), .link(let link)):
      guard let links = provider.emailLinks else { return .misplaced }
      outcome = await links.follow(link, for: prompt, memory: &memory)

    case (.enrolmentRequired(let prompt), .enrolment(let contact)):
      guard let enrolment = provider.enrolment else { return .misplaced }
      outcome = await enrolment.enrol(contact, for: prompt, memory: &memory)
    case (.permissionsRequired(let prompt), .acceptGranted):
      guard let tokens = provider.accessTokens else { return .misplaced }
      outcome = await tokens.acceptGranted(prompt, memory: &memory)

    case (.browserRequired(let prompt), .check):
      guard let browser = provider.browserSignIn else { return .misplaced }
      outcome = await browser.check(prompt, memory: &memory)
      if case .moved(to: .browserRequired(let prompt)) = outcome {
        return .moved(to: .browserRequired(prompt), notices: [.stillWaiting])
      }
    case (.browserRequired(let prompt), .returned(let browserReturn)):
      guard let browser = provider.browserSignIn else { return .misplaced }
      outcome = browser.receive(browserReturn, for: prompt)

    // Inputs that are not named above are not due in that state. The states are written out, so
    // that a new one is not silently covered by this case; a new input has to be named in
    // `advance`.
    case (.identifierRequired, _), (.passwordRequired, _), (.factorRequired, _),
      (.codeRequired, _), (.linkRequired, _), (.enrolmentRequired, _), (.permissionsRequired, _),
      (.browserRequired, _), (.resettingPassword, _), (.complete, _):
      return .misplaced
    }
    memory.remember(input, at: state, answeredBy: outcome)
    return await advance(by: outcome, from: standing, memory: &memory)
  }

  /// Begins with both fields of the first page.
  ///
  /// An empty password is asked for only where the account has one; a password typed for an account
  /// that has none is ignored (P-signin).
  private func begin(
    _ identifier: Identifier,
    _ password: Password?,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    let outcome = await provider.beginSignIn(
      identifier: identifier,
      password: password,
      memory: &memory
    )
    switch outcome {
    case .moved(to: .passwordRequired(let prompt)) where password == nil:
      return .refused(
        AuthError(Problem(.missing, at: .password, code: OwnCode.required)),
        at: .passwordRequired(prompt)
      )
    case .refused(let error, at: .factorRequired(let prompt)?)
    where error.contains(where: { $0 == .methodUnavailable }):
      return .moved(to: .factorRequired(prompt))
    case .moved, .refused:
      return outcome
    }
  }

  private func choose(
    _ factor: Factor,
    from state: SignInState,
    memory: inout ProviderMemory
  ) async -> Advance<SignInState> {
    if case .linkRequired(let standing) = state, standing.factor == factor {
      guard let end = standing.expiresAt, end <= clock.now else {
        return .moved(to: state, notices: [])
      }
      return await resend(standing, from: state, memory: &memory)
    }
    if case .codeRequired(let standing) = state, standing.factor == factor {
      guard !standing.isGood(at: clock.now) else { return .moved(to: state, notices: []) }
      return await resend(standing, memory: &memory)
    }
    guard let prompt = state.factorPrompt, prompt.factors.contains(factor) else {
      return .misplaced
    }
    let outcome = await provider.choose(factor, for: prompt, memory: &memory)
    return await advance(by: outcome, from: state, memory: &memory)
  }

  private func resend(
    _ prompt: CodePrompt,
    memory: inout ProviderMemory
  ) async -> Advance<SignInState> {
    guard prompt.factor.sendsMessage else { return .misplaced }
    return await exchange(prompt).sendAgain(at: clock.now, memory: &memory)
  }

  private func resend(
    _ prompt: LinkPrompt,
    from state: SignInState,
    memory: inout ProviderMemory
  ) async -> Advance<SignInState> {
    guard let links = provider.emailLinks else { return .misplaced }
    if let error = resendRefusal(until: prompt.resendAvailableAt, at: clock.now) {
      return .refused(error, at: state)
    }
    let outcome = await links.resend(prompt, memory: &memory)
    return outcome.sentAgain(telling: .codeResent, from: state)
  }

  private func exchange(_ prompt: CodePrompt) -> CodeExchange<CodePrompt, SignInState> {
    CodeExchange(
      prompt,
      at: { .codeRequired($0) },
      submit: { [provider] in await provider.submit($0, for: prompt, memory: &$1) },
      resend: { [provider] in await provider.resend(prompt, memory: &$0) }
    )
  }

  private func advance(
    by outcome: Outcome<SignInState>,
    from state: SignInState,
    memory: inout ProviderMemory
  ) async -> Advance<SignInState> {
    switch await settle(outcome, from: state, memory: &memory) {
    case .moved(let next): .moved(to: next, notices: next.arrivalNotices)
    case .refused(let error, let at): .refused(error, at: at ?? state)
    }
  }

  /// Takes every step that needs no answer from the person.
  ///
  /// A sole factor, or the preferred one, is chosen for them; where that fails, they choose.
  func settle(
    _ outcome: Outcome<SignInState>,
    from state: SignInState,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    switch outcome {
    // Nothing is left by which the attempt could go on: say at once that it is over.
    case .refused(let error, at: .identifierRequired?) where state != .identifierRequired:
      return .refused(error.endingAttempt, at: .identifierRequired)
    case .moved(to: .factorRequired(let prompt)):
      guard let factor = prompt.automaticChoice else { return outcome }
      switch await provider.choose(factor, for: prompt, memory: &memory) {
      case .moved(let next):
        return .moved(to: next)
      case .refused(let error, let at):
        if error.endsAttempt { return .refused(error, at: .identifierRequired) }
        var choice = prompt
        if case .factorRequired(let left)? = at { choice = left }
        return .moved(to: .factorRequired(choice.because(of: error)))
      }
    case .moved, .refused:
      return outcome
    }
  }
}

extension FactorPrompt {
  /// The factor that is taken without asking.
  ///
  /// A first factor that resets the password is never taken unasked.
  fileprivate var automaticChoice: Factor? {
    guard concern == nil else { return nil }
    if let preferred { return preferred }
    let signingIn = factors.filter { !$0.resetsPassword }
    return signingIn.count == 1 ? signingIn.first : nil
  }
}

extension SignInState {
  /// The notices to show on arriving in this state.
  var arrivalNotices: [Notice] {
    switch self {
    case .codeRequired(let prompt):
      (awaitsMessage ? [.codeSent] : []) + (prompt.stage == .deviceTrust ? [.newDevice] : [])
    case .linkRequired: [.codeSent]
    case .resettingPassword(let step): step.arrivalNotices
    case .identifierRequired, .passwordRequired, .factorRequired, .enrolmentRequired,
      .permissionsRequired, .browserRequired, .complete:
      []
    }
  }
}
