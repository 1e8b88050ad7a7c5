internal import AuthFlow
internal import Foundation
internal import HTTPExchange
internal import Pages

/// The pages of emailed links, in a sign-in or a sign-up: waiting for a link, and arriving by one.
struct EmailLinkHandler: FlowHandler {
  /// Held by reference: the prompts of its pages are large, and handed on several times.
  indirect enum Scene: Sendable {
    case waiting(LinkPrompt)
    case waitingForContact(ContactLinkPrompt)
    case landing(FollowedLink, LinkStanding, flow: FlowName, isWaiting: Bool)
  }

  /// The page that a link leads to is open to everybody.
  func isEntryPoint(_ context: RequestContext) -> Bool { context.followedLink != nil }

  func load(_ context: inout RequestContext) async throws(AuthError) -> FlowResult<Scene> {
    guard let link = context.followedLink else {
      return scene(context).map(FlowResult.show) ?? .misplaced
    }
    // The notice that a message was sent belongs on the page that waits, not where its link leads.
    context.flash = nil
    return land(by: link, context)
  }

  func scene(_ context: RequestContext) -> Scene? {
    if let link = context.followedLink { return landing(by: link, context) }
    switch context.address.flow {
    case .signUp:
      guard case .linkRequired(let prompt)? = context.visit.signUp else { return nil }
      return .waitingForContact(prompt)
    case .signIn, .passwordReset:
      guard case .linkRequired(let prompt)? = context.visit.signIn else { return nil }
      return .waiting(prompt)
    }
  }

  func page(_ scene: Scene, typed: TypedValues) -> any Page {
    switch scene {
    case .waiting(let prompt): LinkPage(prompt: prompt)
    case .waitingForContact(let prompt): LinkPage(prompt: prompt)
    case .landing(let link, let standing, let flow, let isWaiting):
      LinkLandingPage(link: link, standing: standing, flow: flow, isWaiting: isWaiting)
    }
  }

  func status(of scene: Scene, at now: Date) -> Int {
    guard case .landing(_, .refused(let error), _, _) = scene else { return 200 }
    return error.linkLandingStatus
  }

  /// Goes on with the link that was followed, or asks whether one was.
  func submit(_ context: inout RequestContext) async -> FlowResult<Scene> {
    if let link = context.followedLink {
      guard case .ready = standing(of: link, context) else { return land(by: link, context) }
    }
    return context.address.flow == .signUp
      ? await submitForSignUp(&context) : await submitForSignIn(&context)
  }

  private func submitForSignIn(_ context: inout RequestContext) async -> FlowResult<Scene> {
    guard let state = context.visit.signIn, case .linkRequired = state else { return .misplaced }
    if context.address == .resendLink {
      return context.settle(await context.advance(state, with: .resendCode))
    }
    let link = context.followedLink
    let input = link.flatMap { $0.verdict == .unredeemed ? SignInInput.link($0) : nil } ?? .check
    return follow(link, await context.advance(state, with: input), &context)
  }

  private func submitForSignUp(_ context: inout RequestContext) async -> FlowResult<Scene> {
    guard let state = context.visit.signUp, case .linkRequired = state else { return .misplaced }
    let link = context.followedLink
    let input: SignUpInput
    if context.address == .resendSignUpLink {
      input = .resendCode
    } else if let name = context.form[Field.factor.name] {
      guard let proof = ContactProof(rawValue: name) else { return .misplaced }
      input = .proof(proof)
    } else {
      input = link.flatMap { $0.verdict == .unredeemed ? SignUpInput.link($0) : nil } ?? .checkLink
    }
    return follow(link, await context.advanceSignUp(state, with: input), &context)
  }

  /// The result of following the link; a refusal that is about the link is shown where it led.
  private func follow<State: FlowState>(
    _ link: FollowedLink?,
    _ advance: Advance<State>,
    _ context: inout RequestContext
  ) -> FlowResult<Scene> {
    if let link, case .refused(let error, let state) = advance, error.isAboutLink {
      let scene = Scene.landing(
        link,
        .refused(error),
        flow: context.address.flow.name,
        isWaiting: context.waitingForLink != nil
      )
      state.enter(&context.visit)
      return .tell(scene, error)
    }
    if case .moved = advance, let attempt = link?.attempt {
      context.visit.spendLink(of: attempt)
    }
    return context.settle(advance)
  }

  /// The page that a link leads to, or the account of someone who is in already.
  private func land(by link: FollowedLink, _ context: RequestContext) -> FlowResult<Scene> {
    let landing = landing(by: link, context)
    guard case .landing(_, .refused(let error), _, _) = landing else {
      return context.visit.session == nil ? .show(landing) : .alreadyIn
    }
    let isUsed = error.contains { $0 == .linkUsed }
    return isUsed || context.visit.session == nil ? .tell(landing, error) : .alreadyIn
  }

  private func landing(by link: FollowedLink, _ context: RequestContext) -> Scene {
    .landing(
      link,
      standing(of: link, context),
      flow: context.address.flow.name,
      isWaiting: context.waitingForLink != nil
    )
  }

  private func standing(of link: FollowedLink, _ context: RequestContext) -> LinkStanding {
    link.standing(waiting: context.waitingForLink, used: context.visit.usedLinks, at: context.now)
  }
}

extension RequestContext {
  /// The link in the address, or in the form of the page that it led to.
  ///
  /// All other parameters are dropped: only those that the provider knows are kept.
  fileprivate var followedLink: FollowedLink? {
    let parameters = parameters()
    return parameters.isEmpty ? nil : provider.emailLinks?.readLink(parameters)
  }

  fileprivate var waitingForLink: (attempt: Continuation, expiresAt: Date?)? {
    switch address.flow {
    case .signUp:
      guard case .linkRequired(let prompt)? = visit.signUp else { return nil }
      return (prompt.attempt.id, prompt.expiresAt)
    case .signIn, .passwordReset:
      guard case .linkRequired(let prompt)? = visit.signIn else { return nil }
      return (prompt.attempt.id, prompt.expiresAt)
    }
  }
}

extension AuthError {
  fileprivate var isAboutLink: Bool {
    contains { [.linkExpired, .linkUsed, .linkOtherBrowser, .linkFailed].contains($0) }
  }
}
