extension SessionTaskFlow {
  /// Takes the step that needs no answer from the person: the only method is chosen for them.
  ///
  /// A method that is not offered any more is left first: nobody could finish its setup, and the
  /// page would have no way to another one.
  public func arrive(
    at state: SessionTaskState,
    methods: [SecondFactorMethod],
    memory: inout ProviderMemory
  ) async -> Advance<SessionTaskState> {
    guard let provider = provider.setUpSecondFactorTask,
      case .setUpSecondFactorTask(let session, let setup) = state,
      !setup.isUnderWay(by: methods)
    else { return .moved(to: state, notices: []) }
    let choice = SessionTaskState.setUpSecondFactorTask(session, .methodRequired)
    guard methods.count == 1, let method = methods.first else {
      return .moved(to: choice, notices: [])
    }
    return await begin(method, of: session, by: provider, from: choice, memory: &memory)
  }

  /// Advances the setup of a second factor by one input.
  ///
  /// The switch is the state diagram. Once the backup codes are shown there is nothing left to
  /// choose: the second factor works already.
  func advance(
    _ setup: SecondFactorSetup,
    of session: Session,
    with input: SecondFactorSetupInput,
    memory: inout ProviderMemory
  ) async -> Advance<SessionTaskState> {
    guard let provider = provider.setUpSecondFactorTask else { return .misplaced }
    let state = SessionTaskState.setUpSecondFactorTask(session, setup)
    switch (setup, input) {
    case (.methodRequired, .method(let method)), (.authenticatorRequired, .method(let method)),
      (.phoneNumberRequired, .method(let method)), (.codeRequired, .method(let method)):
      if case .authenticatorRequired = setup, method == .authenticator {
        return .moved(to: state, notices: [])
      }
      return await begin(method, of: session, by: provider, from: state, memory: &memory)
    case (.methodRequired, .otherMethod), (.authenticatorRequired, .otherMethod),
      (.phoneNumberRequired, .otherMethod), (.codeRequired, .otherMethod):
      return .moved(to: .setUpSecondFactorTask(session, .methodRequired), notices: [])

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
      let exchange = exchange(prompt, of: session, by: provider)
      switch await exchange.answer(code, memory: &memory) {
      case .unproven(let advance): return advance
      case .judged(let outcome, let place): return settle(outcome, from: place)
      }
    case (.codeRequired(let prompt), .resendCode):
      let exchange = exchange(prompt, of: session, by: provider)
      return await exchange.sendAgain(at: clock.now, memory: &memory)

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
    by provider: any SetUpSecondFactorTaskProvider,
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
      .moved(to: .setUpSecondFactorTask(session, .phoneNumberRequired), notices: [])
    }
  }

  private func exchange(
    _ prompt: PhonePrompt,
    of session: Session,
    by provider: any SetUpSecondFactorTaskProvider
  ) -> CodeExchange<PhonePrompt, SessionTaskState> {
    CodeExchange(
      prompt,
      at: { .setUpSecondFactorTask(session, .codeRequired($0)) },
      submit: { await provider.submit($0, for: prompt, of: session, memory: &$1) },
      resend: { await provider.resend(prompt, of: session, memory: &$0) }
    )
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

extension SecondFactorSetup {
  /// Whether it has begun, and goes on if those are the methods that are offered.
  fileprivate func isUnderWay(by methods: [SecondFactorMethod]) -> Bool {
    switch self {
    case .methodRequired: false
    case .authenticatorRequired: methods.contains(.authenticator)
    case .phoneNumberRequired, .codeRequired: methods.contains(.phone)
    // The second factor works already.
    case .backupCodesOffered: true
    }
  }
}
