internal import AuthFlow
internal import Foundation
internal import HTTPExchange
internal import Pages

/// The pages of a sign-up, including invitations and the waiting list.
struct SignUpHandler: FlowHandler {
  /// Held by reference: the prompts of its pages are large, and handed on several times.
  indirect enum Scene: Sendable {
    case details(InstanceDescription, SignUpState?)
    case closed(SignUpForm.Closure, AuthError?)
    case joinedWaitingList
    case invitation(Invitation)
    case missingDetails(MissingDetailsPrompt, InstanceDescription)
    case verification(ContactPrompt)
  }

  func load(_ context: inout RequestContext) async throws(AuthError) -> FlowResult<Scene> {
    if let invitation = context.invitation { return .show(.invitation(invitation)) }
    if context.address == .signUp {
      if let state = context.visit.signUp, !context.typed.asks(for: "change") {
        return .redirect(state.address)
      }
      try await context.instance()
      if context.flash?.notices == [.waitlistJoined] { return .show(.joinedWaitingList) }
    } else if context.address == .missingDetails {
      try await context.instance()
    }
    return scene(context).map(FlowResult.show) ?? .misplaced
  }

  func scene(_ context: RequestContext) -> Scene? {
    if context.address.page == .signUp {
      return context.invitation.map(Scene.invitation) ?? start(context)
    }
    switch context.visit.signUp {
    case .detailsMissing(let prompt)?: return .missingDetails(prompt, context.knownInstance)
    case .codeRequired(let prompt)?: return .verification(prompt)
    case .detailsRequired?, .linkRequired?, .continuing?, nil: return nil
    }
  }

  private func start(_ context: RequestContext) -> Scene {
    let instance = context.knownInstance
    if context.isForWaitingList { return .closed(.waitlist, nil) }
    return switch instance.signUp.mode {
    case .open: .details(instance, context.visit.signUp)
    case .closed(let closure): .closed(closure, nil)
    }
  }

  /// A sign-up that is closed has a page of its own; the rest is as everywhere.
  func scene(_ context: RequestContext, refusedBy error: AuthError) -> Scene? {
    for problem in error.problems {
      let concern = AuthError(problem, traceID: error.traceID)
      if problem.reason == .signUpClosed { return .closed(.restricted, concern) }
      if problem.reason == .signUpWaitlist { return .closed(.waitlist, concern) }
    }
    // Not the invitation again where it is what was refused: it would only be refused once more.
    return context.invitation == nil || error.isOfTheMoment ? scene(context) : start(context)
  }

  func status(of scene: Scene, at now: Date) -> Int {
    if case .closed = scene { return 403 }
    return 200
  }

  func page(_ scene: Scene, typed: TypedValues) -> any Page {
    switch scene {
    case .details(let instance, let state):
      let attempt = state?.attempt
      let fields = instance.signUp.fields.map(\.field)
      var values = attempt?.values ?? typed.rememberedDetails
      if let address = typed.prefilledEmailAddress { values[.emailAddress] = address }
      return SignUpPage(
        form: instance.signUp,
        rules: instance.passwordRules,
        values: values.merging(typed.values(of: fields)) { $1 },
        // Ticked from the start only for somebody who has accepted them already.
        acceptsTerms: attempt?.termsAcceptedAt == nil
          ? typed.isTicked(.legalAccepted) : typed.staysTicked(.legalAccepted),
        back: state?.address,
        changing: state?.unverified
      )
    case .closed(let closure, let error):
      return SignUpClosedPage(closure, error: error, emailAddress: typed[.emailAddress])
    case .joinedWaitingList: return WaitingListPage()
    case .invitation(let invitation): return InvitationPage(invitation: invitation)
    case .missingDetails(let prompt, let instance):
      return MissingDetailsPage(
        prompt: prompt,
        rules: instance.passwordRules,
        documents: instance.signUp.documents,
        // With what was typed before, in this attempt or in one that has ended.
        values: typed.rememberedDetails.merging(prompt.attempt.values) { $1 }
          .merging(typed.values(of: prompt.fields)) { $1 },
        acceptsTerms: typed.isTicked(.legalAccepted)
      )
    case .verification(let prompt): return VerifyContactPage(prompt: prompt)
    }
  }

  // MARK: Forms

  func submit(_ context: inout RequestContext) async -> FlowResult<Scene> {
    let result = await goOn(&context)
    // Kept for when the page is reloaded, or shown in another language.
    if case .refused = result { context.keepTypedDetails() }
    return result
  }

  private func goOn(_ context: inout RequestContext) async -> FlowResult<Scene> {
    if context.address == .signUp { return await begin(&context) }
    guard let state = context.visit.signUp else { return .misplaced }
    if context.address == .resendContactCode {
      return context.settle(await context.advanceSignUp(state, with: .resendCode))
    }
    switch state {
    case .detailsMissing(let prompt):
      if let error = context.form.tooLongValues(of: prompt.fields) { return .refused(error) }
      let details = context.form.details(of: prompt.fields)
      return context.settle(await context.advanceSignUp(state, with: .missingDetails(details)))
    case .codeRequired: return await submitVerification(from: state, &context)
    case .detailsRequired, .linkRequired, .continuing: return .misplaced
    }
  }

  private func begin(_ context: inout RequestContext) async -> FlowResult<Scene> {
    context.keepIdentifier()
    let state = context.visit.signUp ?? .detailsRequired
    if let invitation = context.invitation {
      context.dropAttempt()
      return context.settle(await context.advanceSignUp(state, with: .invitation(invitation)))
    }
    if context.isForWaitingList { return await joinWaitingList(&context) }
    let instance: InstanceDescription
    do {
      instance = try await context.instance()
    } catch {
      return .refused(error)
    }
    let fields = instance.signUp.fields.map(\.field)
    if instance.signUp.mode == .closed(.waitlist) {
      // A sign-up form from before the waiting list must not put anybody on it.
      let isAddressAlone = fields.allSatisfy { $0 == .emailAddress || context.form[$0.name] == nil }
      guard isAddressAlone else {
        let problem = Problem(.signUpWaitlist, code: OwnCode.signUpRestrictedWaitlist)
        return .refused(AuthError(problem))
      }
      return await joinWaitingList(&context)
    }
    if let error = context.form.tooLongValues(of: fields) { return .refused(error) }
    let advance = await context.advanceSignUp(
      state,
      with: .details(context.form.details(of: fields)),
      form: instance.signUp
    )
    // Refused details leave the attempt under way alone.
    if case .moved = advance { context.dropAttempt() }
    return context.settle(advance)
  }

  /// Takes the code, or has the address verified the other way.
  private func submitVerification(
    from state: SignUpState,
    _ context: inout RequestContext
  ) async -> FlowResult<Scene> {
    if let name = context.form[Field.factor.name] {
      guard let proof = ContactProof(rawValue: name) else { return .misplaced }
      return context.settle(await context.advanceSignUp(state, with: .proof(proof)))
    }
    guard let code = VerificationCode(typed: context.form["code"] ?? "") else {
      return .missing(.code)
    }
    return context.settle(await context.advanceSignUp(state, with: .code(code)))
  }

  private func joinWaitingList(_ context: inout RequestContext) async -> FlowResult<Scene> {
    if let error = context.form.tooLongValues(of: [.emailAddress]) { return .refused(error) }
    guard let address = context.form.trimmed(.emailAddress) else { return .missing(.emailAddress) }
    guard let list = context.provider.waitingList else { return .misplaced }
    do throws(AuthError) {
      try await list.joinWaitingList(address, memory: &context.visit.memory)
    } catch {
      return await isOpened(since: error, &context) ? .redirect(.signUp) : .refused(error)
    }
    return .redirect(.signUp, [.waitlistJoined])
  }

  /// Whether people can sign up by themselves since the waiting list's page was opened, so that the
  /// list takes nobody any more; what was typed is kept for the form that there is now.
  private func isOpened(since error: AuthError, _ context: inout RequestContext) async -> Bool {
    guard error.contains(where: { $0 == .signUpClosed }) else { return false }
    do {
      guard try await context.instance().signUp.mode == .open else { return false }
    } catch {
      // The refusal of the list is what there is to say.
      return false
    }
    context.keepTypedDetails()
    return true
  }
}

extension SignUpState {
  /// The contact that waits to be verified, which somebody who opens the details again wants to
  /// change.
  fileprivate var unverified: Field? {
    switch self {
    case .codeRequired(let prompt): prompt.contact.field
    case .linkRequired: .emailAddress
    case .detailsRequired, .detailsMissing, .continuing: nil
    }
  }
}

extension RequestContext {
  /// The invitation in the page's address, or in the form of the page that it led to.
  ///
  /// The inviter chooses the page in the link: people known to have an account are invited to sign
  /// in. The form always goes to the sign-up.
  var invitation: Invitation? {
    guard address == .signUp || address == .signIn && !isPosted else { return nil }
    let parameters = parameters()
    return parameters.isEmpty ? nil : provider.invitations?.readInvitation(parameters)
  }

  /// Whether the form that was sent is the waiting list's.
  fileprivate var isForWaitingList: Bool { typed.says(SignUpClosedPage.waitingList) }

  /// Advances a sign-up from that state by one input.
  mutating func advanceSignUp(
    _ state: SignUpState,
    with input: SignUpInput,
    form: SignUpForm = InstanceDescription.unknown.signUp
  ) async -> Advance<SignUpState> {
    let flow = SignUpFlow(provider: provider, clock: world.clock)
    return await flow.advance(state, with: input, form: form, memory: &visit.memory)
  }
}

extension FormData {
  fileprivate func tooLongValues(of fields: [AuthFlow.Field]) -> AuthError? {
    AuthError(fields.filter { $0 != .password && isTooLong($0) }.map(Problem.tooLong))
  }

  /// The details as they are meant: blanks trimmed, numbers without punctuation, passwords
  /// untouched.
  fileprivate func details(of fields: [AuthFlow.Field]) -> SignUpDetails {
    var details = SignUpDetails()
    for field in fields {
      switch field.known {
      case .password?: details.password = Password(typed: self[field.name] ?? "")
      case .legalAccepted?: details.acceptsTerms = isTicked(field)
      case .phoneNumber?:
        details.values[field] = trimmed(field).map { PhoneNumber.cleaned($0) ?? $0 }
      case .emailAddress?, .username?, .firstName?, .lastName?, .streetAddress?, .postalCode?,
        .state?, .city?, .country?, .jobTitle?, .displayName?, .identifier?, .code?,
        .organization?, .organizationName?, .organizationSlug?, .factor?, .secondFactorMethod?,
        .contact?, .scopes?, .claims?, nil:
        details.values[field] = trimmed(field)
      }
    }
    return details
  }
}
