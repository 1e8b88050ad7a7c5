@_spi(Provider) public import AuthFlow

extension ClerkProvider: PasswordResetProvider {
  public var endsOtherSessions: Bool { true }

  public func beginPasswordReset(
    identifier: Identifier,
    memory: inout ProviderMemory
  ) async -> Outcome<PasswordResetState> {
    // Where a refusal leaves the person: a sign-in that the API has accepted has replaced the
    // attempt under way.
    var standing: PasswordResetState?
    do {
      let answer = try await ask(
        .createSignIn(identifier),
        for: SignInResource.self,
        memory: &memory
      )
      standing = .identifierRequired
      let attempt = SignInAttempt(answer.resource, identifier: identifier)
      guard let factor = attempt.resetFactor else {
        let hasPassword = attempt.firstFactors.contains { $0.kind == .password }
        return .refused(hasPassword ? .resetUnavailable : .methodUnavailable(), at: standing)
      }
      let prompt = try await send(factor, .passwordReset, of: attempt, memory: &memory)
      return .moved(to: .step(.codeRequired(prompt)))
    } catch {
      return .refused(error.error, at: standing)
    }
  }

  public func submitResetCode(
    _ code: VerificationCode,
    for prompt: CodePrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<PasswordResetState> {
    let call = Call.attempt(code, for: prompt)
    return await resetStep(call, of: prompt.attempt, at: .needsFirstFactor, memory: &memory)
  }

  public func resendResetCode(
    _ prompt: CodePrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<PasswordResetState> {
    do {
      return .moved(to: .step(.codeRequired(try await sendAgain(prompt, memory: &memory))))
    } catch {
      return .refused(error.error, at: error.standing(of: prompt).map { .step(.codeRequired($0)) })
    }
  }

  public func submit(
    newPassword: Password,
    signOutOfOtherSessions: Bool,
    for prompt: NewPasswordPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<PasswordResetState> {
    let call = Call.resetPassword(
      newPassword,
      signOutOfOtherSessions: signOutOfOtherSessions,
      of: prompt.attempt
    )
    return await resetStep(call, of: prompt.attempt, at: .needsNewPassword, memory: &memory)
  }

  private func resetStep(
    _ call: Call,
    of attempt: SignInAttempt,
    at status: SignInResource.Status,
    memory: inout ProviderMemory
  ) async -> Outcome<PasswordResetState> {
    do {
      let state = try await step(call, of: attempt, at: status, memory: &memory)
      return .moved(to: PasswordResetState(after: state))
    } catch {
      return .refused(error.error, at: nil)
    }
  }
}

extension AuthError {
  /// The account has a password, but no factor that could reset it.
  fileprivate static let resetUnavailable = AuthError(
    Problem(.passwordResetUnavailable, code: "strategy_for_user_invalid")
  )
}

extension SignInAttempt {
  /// The factor that resets the password: that of the typed contact, else one of its kind, else
  /// any.
  fileprivate var resetFactor: Factor? {
    let offered = firstFactors.filter(\.resetsPassword)
    let kind: Factor.Kind? =
      switch identifier.kind {
      case .emailAddress: .resetPasswordEmailCode
      case .phoneNumber: .resetPasswordPhoneCode
      case .username: nil
      }
    return offered.first { $0.destination?.lowercased() == identifier.text.lowercased() }
      ?? offered.first { $0.kind == kind } ?? offered.first
  }
}
