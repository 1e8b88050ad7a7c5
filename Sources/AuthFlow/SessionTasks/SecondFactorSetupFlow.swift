extension SessionTaskFlow {
  /// Takes the step that needs no answer from the person: the only method is chosen for them.
  public func arrive(
    at state: SessionTaskState,
    methods: [SecondFactorMethod],
    memory: inout ProviderMemory
  ) async -> Advance<SessionTaskState> {
    guard let provider = provider.secondFactorSetup,
      case .secondFactorRequired(let session, .methodRequired) = state, methods.count == 1,
      let method = methods.first
    else { return .moved(to: state, notices: []) }
    return await begin(method, of: session, by: provider, from: state, memory: &memory)
  }

  /// Moves the setting up of a second factor by one input.
  ///
  /// The switch is the state diagram. Whoever has the backup codes before them is done with
  /// choosing: the second factor works already.
  func advance(
    _ setup: SecondFactorSetup,
    of session: Session,
    with input: SecondFactorSetupInput,
    memory: inout ProviderMemory
  ) async -> Advance<SessionTaskState> {
    guard let provider = provider.secondFactorSetup else { return .misplaced }
    let state = SessionTaskState.secondFactorRequired(session, setup)
    switch (setup, input) {
    case (.methodRequired, .method(let method)), (.authenticatorRequired, .method(let method)),
      (.phoneNumberRequired, .method(let method)), (.codeRequired, .method(let method)):
      if case .authenticatorRequired = setup, method == .authenticator {
        return .moved(to: state, notices: [])
      }
      return await begin(method, of: session, by: provider, from: state, memory: &memory)
    case (.methodRequired, .otherMethod), (.authenticatorRequired, .otherMethod),
      (.phoneNumberRequired, .otherMethod), (.codeRequired, .otherMethod):
      return .moved(to: .secondFactorRequired(session, .methodRequired), notices: [])

    case (.authenticatorRequired(let prompt), .code(let code)):
      guard code.hasDigits(prompt.codeLength) else {
        return .refused(codeLengthError(prompt.codeLength), at: state)
      }
      return settle(
        await provider.submit(code, for: prompt, of: session, memory: &memory),
        from: state
      )

    case (.phoneNumberRequired, .phoneNumber(let number)):
      return settle(
        await provider.beginPhoneSetup(number, for: session, memory: &memory),
        from: state
      )
    case (.codeRequired(let prompt), .code(let code)):
      return await submit(code, for: prompt, of: session, by: provider, memory: &memory)
    case (.codeRequired(let prompt), .resendCode):
      if let error = resendRefusal(until: prompt.code.resendAvailableAt, at: clock.now) {
        return .refused(error, at: state)
      }
      return await sendAgain(
        prompt,
        of: session,
        by: provider,
        notice: .codeResent,
        memory: &memory
      )

    case (.backupCodesOffered, .backupCodesSaved):
      return after(
        await provider.finishSecondFactorSetup(of: session, memory: &memory),
        from: state
      )

    case (.methodRequired, .phoneNumber), (.methodRequired, .code), (.methodRequired, .resendCode),
      (.methodRequired, .backupCodesSaved),
      (.authenticatorRequired, .phoneNumber), (.authenticatorRequired, .resendCode),
      (.authenticatorRequired, .backupCodesSaved),
      (.phoneNumberRequired, .code), (.phoneNumberRequired, .resendCode),
      (.phoneNumberRequired, .backupCodesSaved),
      (.codeRequired, .phoneNumber), (.codeRequired, .backupCodesSaved),
      (.backupCodesOffered, .method), (.backupCodesOffered, .otherMethod),
      (.backupCodesOffered, .phoneNumber), (.backupCodesOffered, .code),
      (.backupCodesOffered, .resendCode):
      return .misplaced
    }
  }

  private func begin(
    _ method: SecondFactorMethod,
    of session: Session,
    by provider: any SecondFactorSetupProvider,
    from state: SessionTaskState,
    memory: inout ProviderMemory
  ) async -> Advance<SessionTaskState> {
    switch method {
    case .authenticator:
      settle(
        await provider.beginAuthenticatorSetup(for: session, memory: &memory),
        from: state
      )
    case .phone:
      .moved(to: .secondFactorRequired(session, .phoneNumberRequired), notices: [])
    }
  }

  private func submit(
    _ code: VerificationCode,
    for prompt: PhonePrompt,
    of session: Session,
    by provider: any SecondFactorSetupProvider,
    memory: inout ProviderMemory
  ) async -> Advance<SessionTaskState> {
    let state = SessionTaskState.secondFactorRequired(session, .codeRequired(prompt))
    if let error = prompt.code.refusal(of: code) { return .refused(error, at: state) }
    let outcome = await provider.submit(code, for: prompt, of: session, memory: &memory)
    if outcome.tellsThatNoCodeWasSent {
      return await sendAgain(
        prompt,
        of: session,
        by: provider,
        notice: .codeSent,
        memory: &memory
      )
    }
    let next =
      outcome.asksForNewCode
      ? .secondFactorRequired(session, .codeRequired(prompt.voided)) : state
    return settle(outcome, from: next)
  }

  private func sendAgain(
    _ prompt: PhonePrompt,
    of session: Session,
    by provider: any SecondFactorSetupProvider,
    notice: Notice,
    memory: inout ProviderMemory
  ) async -> Advance<SessionTaskState> {
    await provider.resend(prompt, of: session, memory: &memory)
      .sentAgain(telling: notice, from: .secondFactorRequired(session, .codeRequired(prompt)))
  }

  private func settle(
    _ outcome: Outcome<SessionTaskState>,
    from state: SessionTaskState
  ) -> Advance<SessionTaskState> {
    switch outcome {
    case .moved(let next): .moved(to: next, notices: next.awaitsMessage ? [.codeSent] : [])
    case .refused(let error, let at): .refused(error, at: at ?? state)
    }
  }
}
