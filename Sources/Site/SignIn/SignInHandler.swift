internal import AuthFlow
internal import HTTPExchange
internal import Pages

/// The pages of a sign-in, from the identifier to the last factor.
struct SignInHandler: FlowHandler {
  /// Held by reference: the prompts of its pages are large, and handed on several times.
  indirect enum Scene: Sendable {
    case identifier(InstanceDescription, hasAttempt: Bool)
    case password(PasswordPrompt, InstanceDescription, offersOtherMethods: Bool)
    case factors(FactorPrompt, flow: FlowName, back: Address?, lastUsed: Factor.Kind?)
    case code(CodePrompt, flow: FlowName)
    case backupCode(CodePrompt, flow: FlowName, back: Address?, offersOtherMethods: Bool)
    case enrolment(EnrolmentPrompt)
    case permissions(PermissionsPrompt)
    case browser(BrowserPrompt)
    case invitation(Invitation)
  }

  /// The return of a browser from an identity provider's page is always read.
  func isEntryPoint(_ context: RequestContext) -> Bool {
    context.address == .browser && context.browserReturn != nil
  }

  func load(_ context: inout RequestContext) async throws(AuthError) -> FlowResult<Scene> {
    if let invitation = context.invitation { return .show(.invitation(invitation)) }
    if context.address == .signIn { try await context.instance() }
    if let browserReturn = context.browserReturn { return await receive(browserReturn, &context) }
    return scene(context).map(FlowResult.show) ?? .misplaced
  }

  func scene(_ context: RequestContext) -> Scene? {
    let page = context.address.page
    if page == .signIn {
      return .identifier(
        context.knownInstance,
        hasAttempt: context.visit.signIn?.factorPrompt != nil
      )
    }
    let entry = context.visit.attempts.entry?.state
    let flow = entry?.flow ?? .signIn
    if page == .methods { return entry?.firstFactorPrompt.map { choice(of: $0, context) } }
    if page == .secondFactorMethods {
      return entry?.secondFactorPrompt.map { choice(of: $0, context) }
    }
    if page == .backupCode {
      return entry?.signIn.flatMap { backupCode($0, flow: flow) }
    }
    if case .signedIn(let signedIn) = context.visit.standing,
      case .permissions(let prompt)? = signedIn.pending
    {
      return .permissions(prompt)
    }
    return entry?.signIn.flatMap { scene(of: $0, flow: flow, context) }
  }

  private func scene(
    of state: SignInState,
    flow: FlowName,
    _ context: RequestContext
  ) -> Scene? {
    switch state {
    case .passwordRequired(let prompt):
      .password(prompt, context.knownInstance, offersOtherMethods: state.factorPrompt != nil)
    case .codeRequired(let prompt): .code(prompt, flow: flow)
    case .enrolmentRequired(let prompt): .enrolment(prompt)
    case .permissionsRequired(let prompt): .permissions(prompt)
    case .browserRequired(let prompt): .browser(prompt)
    // These have addresses that are answered above or by other handlers.
    case .identifierRequired, .factorRequired, .linkRequired, .resettingPassword, .complete:
      nil
    }
  }

  /// A backup code, chosen or instead of the code that the step asks for.
  private func backupCode(_ state: SignInState, flow: FlowName) -> Scene? {
    guard let prompt = state.backupCodePrompt else { return nil }
    return .backupCode(
      prompt,
      flow: flow,
      back: state.address == .backupCode ? nil : state.address,
      offersOtherMethods: state.factorPrompt?.factors.contains { $0.kind != .backupCode } ?? false
    )
  }

  private func choice(of prompt: FactorPrompt, _ context: RequestContext) -> Scene {
    let step = context.visit.attempts.entry?.state
    return .factors(
      prompt,
      flow: prompt.stage == .firstFactor ? .signIn : step?.flow ?? .signIn,
      // Where the choice itself is the step there is nowhere to return to.
      back: step.flatMap { $0.address == context.address.page ? nil : $0.address },
      lastUsed: prompt.stage == .firstFactor
        ? context.provider.methodMemory?.lastUsedMethod(in: context.visit.memory) : nil
    )
  }

  func page(_ scene: Scene, typed: TypedValues) -> any Page {
    switch scene {
    case .identifier(let instance, let hasAttempt):
      SignInPage(instance: instance, identifier: typed.identifier, hasAttempt: hasAttempt)
    case .password(let prompt, let instance, let offersOtherMethods):
      PasswordPage(
        identifier: prompt.attempt.identifier.text,
        offersOtherMethods: offersOtherMethods,
        offersPasswordReset: instance.offersPasswordReset,
        endsAt: prompt.attempt.endsAt
      )
    case .factors(let prompt, let flow, let back, let lastUsed):
      FactorChoicePage(prompt: prompt, flow: flow, back: back, lastUsed: lastUsed)
    case .code(let prompt, let flow):
      CodePage(
        prompt: prompt,
        flow: flow,
        offersOtherMethods: prompt.stage != .enrolment && prompt.otherFactors != nil
      )
    case .backupCode(let prompt, let flow, let back, let offersOtherMethods):
      BackupCodePage(
        prompt: prompt,
        flow: flow,
        back: back,
        offersOtherMethods: offersOtherMethods
      )
    case .enrolment(let prompt):
      EnrolmentPage(
        prompt: prompt,
        method: typed[.secondFactorMethod],
        contact: typed[.contact]
      )
    case .permissions(let prompt): PermissionsPage(prompt: prompt)
    case .browser(let prompt): BrowserPage(prompt: prompt)
    case .invitation(let invitation): InvitationPage(invitation: invitation, openedAt: .signIn)
    }
  }

  /// Keeps in the visit what the browser brought back, and leaves the address that held it.
  private func receive(
    _ browserReturn: BrowserReturn,
    _ context: inout RequestContext
  ) async -> FlowResult<Scene> {
    if context.visit.signIn?.address == .browser {
      // Messages from before the browser left are out of date.
      context.visit.flash = nil
      return await context.advance(with: .returned(browserReturn))
    }
    // Nobody waits for it here any more.
    return context.visit.session == nil ? .redirect(.signIn, [], .ended) : .misplaced
  }
}

extension RequestContext {
  /// In bytes; authorization codes are long.
  private static let returnLimit = 4_096

  /// What the address says about a browser that came back from an identity provider's page.
  fileprivate var browserReturn: BrowserReturn? {
    guard address == .browser, !isPosted else { return nil }
    let parameters = parameters(limit: Self.returnLimit)
    return parameters.isEmpty ? nil : provider.browserSignIn?.readReturn(parameters)
  }

  /// Advances the sign-in by one input.
  mutating func advance(with input: SignInInput) async -> FlowResult<SignInHandler.Scene> {
    settle(await advance(visit.signIn ?? .identifierRequired, with: input))
  }

  /// Advances a sign-in from that state by one input.
  mutating func advance(
    _ state: SignInState,
    with input: SignInInput
  ) async -> Advance<SignInState> {
    let flow = SignInFlow(provider: provider, clock: world.clock)
    return await flow.advance(state, with: input, memory: &visit.memory)
  }
}
