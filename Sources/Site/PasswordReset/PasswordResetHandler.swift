internal import AuthFlow
internal import HTTPExchange
internal import Pages

/// The pages of a password reset, up to the second factor, which a sign-in asks for.
struct PasswordResetHandler: FlowHandler {
  /// Held by reference: the prompts of its pages are large, and handed on several times.
  indirect enum Scene: Sendable {
    case identifier(InstanceDescription)
    case code(CodePrompt)
    case newPassword(NewPasswordPrompt, PasswordRules, mayEndOtherSessions: Bool)
    case waiting(ResetWaitPrompt)
  }

  func load(_ context: inout RequestContext) async throws(AuthError) -> FlowResult<Scene> {
    if [.forgotPassword, .newPassword].contains(context.address) {
      try await context.instance()
    }
    return scene(context).map(FlowResult.show) ?? .misplaced
  }

  func scene(_ context: RequestContext) -> Scene? {
    if context.address.page == .forgotPassword { return .identifier(context.knownInstance) }
    switch context.visit.passwordReset {
    case .codeRequired(let prompt)?: return .code(prompt)
    case .newPasswordRequired(let prompt)?:
      return .newPassword(
        prompt,
        context.knownInstance.passwordRules,
        mayEndOtherSessions: context.provider.passwordReset?.endsOtherSessions == true
      )
    case .waiting(let prompt)?: return .waiting(prompt)
    case nil: return nil
    }
  }

  func page(_ scene: Scene, typed: TypedValues) -> any Page {
    switch scene {
    case .identifier(let instance):
      ForgotPasswordPage(
        instance: instance,
        identifier: typed.identifier,
        mustChange: typed.says(ForgotPasswordPage.change)
      )
    case .code(let prompt):
      CodePage(
        prompt: prompt,
        flow: .passwordReset,
        offersOtherMethods: prompt.otherFactors != nil
      )
    case .newPassword(let prompt, let rules, let mayEndOtherSessions):
      NewPasswordPage(
        variant: .reset,
        identifier: prompt.attempt.identifier.text,
        rules: rules,
        signsOutOfOtherSessions: mayEndOtherSessions
          ? typed.staysTicked(.signOutOfOtherSessions) : nil,
        endsAt: prompt.attempt.endsAt
      )
    case .waiting(let prompt): ResetWaitingPage(prompt: prompt)
    }
  }

  func submit(_ context: inout RequestContext) async -> FlowResult<Scene> {
    if context.address == .forgotPassword { return await begin(&context) }
    guard let step = context.visit.passwordReset else { return .misplaced }
    let input: PasswordResetInput
    switch (context.address, step) {
    case (.resendResetCode, _): input = .resendCode
    case (_, .codeRequired):
      guard let code = VerificationCode(typed: context.form["code"] ?? "") else {
        return .missing(.code)
      }
      input = .code(code)
    case (_, .newPasswordRequired):
      guard let password = Password(typed: context.form["password"] ?? "") else {
        return .missing(.password)
      }
      let signsOut = context.typed.isTicked(.signOutOfOtherSessions)
      input = .newPassword(password, signOutOfOtherSessions: signsOut)
    case (_, .waiting): input = .check
    }
    return context.settle(await context.advanceReset(.step(step), with: input))
  }

  private func begin(_ context: inout RequestContext) async -> FlowResult<Scene> {
    context.keepIdentifier()
    guard let identifier = Identifier(typed: context.form["identifier"] ?? "") else {
      return .missing(.identifier)
    }
    guard !context.form.isTooLong(.identifier) else { return .tooLong(.identifier) }
    let state = context.visit.attempts.entry?.state.asReset ?? .identifierRequired
    let advance = await context.advanceReset(state, with: .identifier(identifier))
    // A reset that did not begin leaves the attempt under way alone.
    if case .refused(let error, at: state) = advance { return .refused(error) }
    // Any other answer means that the auth API has given up that attempt.
    context.dropAttempt()
    return context.settle(advance)
  }
}

extension EntryState {
  /// The same state of a password reset, for which a sign-in is what follows it.
  fileprivate var asReset: PasswordResetState {
    switch self {
    case .passwordReset(let step): .step(step)
    case .signIn(let step), .afterPasswordReset(let step): .continuing(step)
    }
  }
}

extension RequestContext {
  /// Advances a password reset from that state by one input.
  fileprivate mutating func advanceReset(
    _ state: PasswordResetState,
    with input: PasswordResetInput
  ) async -> Advance<PasswordResetState> {
    let flow = PasswordResetFlow(provider: provider, clock: world.clock)
    return await flow.advance(state, with: input, memory: &visit.memory)
  }
}
