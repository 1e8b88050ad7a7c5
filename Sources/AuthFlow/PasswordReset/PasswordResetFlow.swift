/// What a person does on the pages of a password reset.
public enum PasswordResetInput: Sendable {
  case identifier(Identifier)
  case code(VerificationCode)
  case resendCode
  case newPassword(Password, signOutOfOtherSessions: Bool)
  /// Asks whether the new password has been applied.
  case check
}

/// The rules of a password reset, for any auth API.
public struct PasswordResetFlow: Sendable {
  private let provider: any AuthProvider
  private let clock: WallClock

  public init(provider: any AuthProvider, clock: WallClock) {
    self.provider = provider
    self.clock = clock
  }

  /// Advances the reset by one input.
  ///
  /// The switch is the state diagram. An identifier begins a new attempt in any state, even during
  /// a sign-in, whose state is then given as `continuing`.
  public func advance(
    _ state: PasswordResetState,
    with input: PasswordResetInput,
    memory: inout ProviderMemory
  ) async -> Advance<PasswordResetState> {
    guard let resets = provider.passwordReset else {
      return .refused(.unavailable(.passwordResetUnavailable), at: state)
    }
    switch (state, input) {
    case (_, .identifier(let identifier)):
      let outcome = await resets.beginPasswordReset(identifier: identifier, memory: &memory)
      if case .moved = outcome { memory.forgetProvenFactors() }
      return await settle(outcome, from: state, memory: &memory)

    case (.step(.codeRequired(let prompt)), .code(let code)):
      switch await exchange(prompt, by: resets).answer(code, memory: &memory) {
      case .unproven(let advance): return advance
      case .judged(let outcome, let place):
        if case .moved(to: .step(.newPasswordRequired)) = outcome {
          memory.provenFactors.append(prompt.factor.kind)
        }
        return await settle(outcome, from: place, memory: &memory)
      }
    case (.step(.codeRequired(let prompt)), .resendCode):
      return await exchange(prompt, by: resets).sendAgain(at: clock.now, memory: &memory)

    case (.step(.newPasswordRequired(let prompt)), .newPassword(let password, let signsOut)):
      return await settle(
        await resets.submit(
          newPassword: password,
          signOutOfOtherSessions: signsOut,
          for: prompt,
          memory: &memory
        ),
        from: state,
        memory: &memory
      )

    case (.step(.waiting(let prompt)), .check):
      guard let progress = provider.passwordResetProgress else { return .misplaced }
      let outcome = await progress.checkPasswordReset(prompt, memory: &memory)
      // The password was accepted, but the attempt is over: only a sign-in can show whether it
      // applies.
      if case .refused(let error, nil) = outcome, error.contains(where: { $0 == .attemptEnded }) {
        return .moved(to: PasswordResetState(after: .identifierRequired), notices: [.signInAgain])
      }
      if case .moved(to: .step(.waiting(let prompt))) = outcome {
        return .moved(to: .step(.waiting(prompt)), notices: [.stillWaiting])
      }
      return await settle(outcome, from: state, memory: &memory)

    case (.identifierRequired, .code), (.identifierRequired, .resendCode),
      (.identifierRequired, .newPassword), (.identifierRequired, .check),
      (.step(.codeRequired), .newPassword), (.step(.codeRequired), .check),
      (.step(.newPasswordRequired), .code), (.step(.newPasswordRequired), .resendCode),
      (.step(.newPasswordRequired), .check),
      (.step(.waiting), .code), (.step(.waiting), .resendCode), (.step(.waiting), .newPassword),
      (.browserRequired, .code), (.browserRequired, .resendCode), (.browserRequired, .newPassword),
      (.browserRequired, .check),
      (.continuing, .code), (.continuing, .resendCode), (.continuing, .newPassword),
      (.continuing, .check):
      return .misplaced
    }
  }

  private func exchange(
    _ prompt: CodePrompt,
    by resets: any PasswordResetProvider
  ) -> CodeExchange<CodePrompt, PasswordResetState> {
    CodeExchange(
      prompt,
      at: { .step(.codeRequired($0)) },
      submit: { await resets.submitResetCode($0, for: prompt, memory: &$1) },
      resend: { await resets.resendResetCode(prompt, memory: &$0) }
    )
  }

  /// Continues as a sign-in once the password is changed: a second factor is asked for here too.
  private func settle(
    _ outcome: Outcome<PasswordResetState>,
    from state: PasswordResetState,
    memory: inout ProviderMemory
  ) async -> Advance<PasswordResetState> {
    switch outcome {
    case .refused(let error, at: .continuing(let signIn)?):
      return .goingOn(to: SignInState(signIn), after: error)
    case .refused(let error, let at):
      return .refused(error, at: at ?? state)
    case .moved(to: .continuing(let step)):
      let signIn = SignInState(step)
      let flow = SignInFlow(provider: provider, clock: clock)
      switch await flow.settle(.moved(to: signIn), from: signIn, memory: &memory) {
      case .moved(let next):
        return .moved(
          to: PasswordResetState(after: next),
          notices: [.passwordChanged] + next.arrivalNotices
        )
      case .refused(let error, let at):
        return .goingOn(to: at ?? signIn, after: error)
      }
    case .moved(to: .step(let step)):
      return .moved(to: .step(step), notices: step.arrivalNotices)
    case .moved(let next):
      return .moved(to: next, notices: [])
    }
  }
}

extension Advance<PasswordResetState> {
  /// The password has been changed: a later refusal does not hide that.
  fileprivate static func goingOn(to signIn: SignInState, after error: AuthError) -> Advance {
    let state = PasswordResetState(after: signIn)
    return .moved(to: state, notices: [.passwordChanged], concern: error)
  }
}
