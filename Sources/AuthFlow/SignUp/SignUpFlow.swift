/// What a person does on the pages of a sign-up.
public enum SignUpInput: Sendable {
  /// The whole form; begins a new attempt in any state.
  case details(SignUpDetails)
  case invitation(Invitation)
  /// The details that were missing.
  case missingDetails(SignUpDetails)
  case code(VerificationCode)
  /// Another code or link.
  case resendCode
  /// Asks whether the link has been opened.
  case checkLink
  case link(FollowedLink)
  /// A code instead of a link, or the reverse.
  case proof(ContactProof)
}

/// The rules of signing up, for any auth API.
public struct SignUpFlow: Sendable {
  private let provider: any AuthProvider
  private let clock: WallClock

  public init(provider: any AuthProvider, clock: WallClock) {
    self.provider = provider
    self.clock = clock
  }

  /// Advances the sign-up by one input.
  ///
  /// The switch is the state diagram.
  ///
  /// - Parameters:
  ///   - state: The state of the sign-up.
  ///   - input: What the person did.
  ///   - form: The form that the instance asks for; its required fields are checked before the auth
  ///     API is asked.
  ///   - memory: What the provider remembers about this browser.
  /// - Returns: The result; the auth API was not asked where it is `misplaced`.
  public func advance(
    _ state: SignUpState,
    with input: SignUpInput,
    form: SignUpForm,
    memory: inout ProviderMemory
  ) async -> Advance<SignUpState> {
    guard let signUp = provider.signUp else {
      return .refused(AuthError(Problem(.signUpClosed, code: OwnCode.signUpUnavailable)), at: state)
    }
    switch (state, input) {
    case (_, .details(let details)):
      let foreseen = signUp.foreseenProblems(with: details)
      if let error = details.problems(on: form.fields, besides: foreseen) {
        return .refused(error, at: state)
      }
      return await settle(
        await signUp.beginSignUp(details, memory: &memory),
        from: state,
        memory: &memory
      )

    case (_, .invitation(let invitation)):
      guard let invitations = provider.invitations else { return .misplaced }
      return await settle(
        await invitations.accept(invitation, memory: &memory),
        from: .detailsRequired,
        memory: &memory
      )

    case (.detailsMissing(let prompt), .missingDetails(let details)):
      let foreseen = signUp.foreseenProblems(with: details)
      if let error = details.problems(on: prompt.entries, besides: foreseen) {
        return .refused(error, at: state)
      }
      let outcome = await signUp.submit(details, for: prompt, memory: &memory)
      return await settle(outcome, from: state, memory: &memory)

    case (.codeRequired(let prompt), .code(let code)):
      switch await exchange(prompt, by: signUp).answer(code, memory: &memory) {
      case .unproven(let advance): return advance
      case .judged(let outcome, let place):
        return await settle(outcome, from: place, memory: &memory)
      }
    case (.codeRequired(let prompt), .resendCode):
      return await exchange(prompt, by: signUp).sendAgain(at: clock.now, memory: &memory)

    case (.linkRequired(let prompt), .resendCode):
      guard let links = provider.contactLinks else { return .misplaced }
      if let error = resendRefusal(until: prompt.resendAvailableAt, at: clock.now) {
        return .refused(error, at: state)
      }
      let outcome = await links.resend(prompt, memory: &memory)
      return outcome.sentAgain(telling: .codeResent, from: state)
    case (.linkRequired(let prompt), .checkLink):
      guard let links = provider.contactLinks else { return .misplaced }
      let outcome = await links.check(prompt, memory: &memory)
      if case .moved(to: .linkRequired) = outcome {
        return .moved(to: state, notices: [.stillWaiting])
      }
      return await settle(outcome, from: state, memory: &memory)
    case (.linkRequired(let prompt), .link(let link)):
      guard let links = provider.contactLinks else { return .misplaced }
      let outcome = await links.follow(link, for: prompt, memory: &memory)
      return await settle(outcome, from: state, memory: &memory)
    case (.linkRequired(let prompt), .proof(.code)) where prompt.offersCode:
      guard let links = provider.contactLinks else { return .misplaced }
      let outcome = await links.verify(prompt.attempt, by: .code, memory: &memory)
      return await settle(outcome, from: state, memory: &memory)
    case (.codeRequired(let prompt), .proof(.link)) where prompt.offersLink:
      guard let links = provider.contactLinks else { return .misplaced }
      let outcome = await links.verify(prompt.attempt, by: .link, memory: &memory)
      return await settle(outcome, from: state, memory: &memory)

    case (.detailsRequired, .missingDetails), (.detailsRequired, .code),
      (.detailsRequired, .resendCode), (.detailsRequired, .checkLink), (.detailsRequired, .link),
      (.detailsRequired, .proof),
      (.detailsMissing, .code), (.detailsMissing, .resendCode), (.detailsMissing, .checkLink),
      (.detailsMissing, .link), (.detailsMissing, .proof),
      (.codeRequired, .missingDetails), (.codeRequired, .checkLink), (.codeRequired, .link),
      (.codeRequired, .proof),
      (.linkRequired, .missingDetails), (.linkRequired, .code), (.linkRequired, .proof),
      (.continuing, .missingDetails), (.continuing, .code), (.continuing, .resendCode),
      (.continuing, .checkLink), (.continuing, .link), (.continuing, .proof):
      return .misplaced
    }
  }

  private func exchange(
    _ prompt: ContactPrompt,
    by signUp: any SignUpProvider
  ) -> CodeExchange<ContactPrompt, SignUpState> {
    CodeExchange(
      prompt,
      at: { .codeRequired($0) },
      submit: { await signUp.submit($0, for: prompt, memory: &$1) },
      resend: { await signUp.resend(prompt, memory: &$0) }
    )
  }

  private func settle(
    _ outcome: Outcome<SignUpState>,
    from state: SignUpState,
    memory: inout ProviderMemory
  ) async -> Advance<SignUpState> {
    switch outcome {
    case .refused(let error, at: .continuing(let signIn)?):
      memory.forgetProvenFactors()
      return .goingOn(to: signIn, after: error)
    case .refused(let error, let at):
      return .refused(error, at: at ?? state)
    case .moved(to: .codeRequired(let prompt)):
      return .moved(to: .codeRequired(prompt), notices: [.codeSent])
    case .moved(to: .continuing(let signIn)):
      memory.forgetProvenFactors()
      return await goOn(to: signIn, memory: &memory)
    case .moved(to: .linkRequired(let prompt)):
      return .moved(to: .linkRequired(prompt), notices: [.codeSent])
    case .moved(let next):
      return .moved(to: next, notices: [])
    }
  }

  /// Continues as a sign-in once the account exists.
  private func goOn(
    to signIn: SignInState,
    memory: inout ProviderMemory
  ) async -> Advance<SignUpState> {
    let flow = SignInFlow(provider: provider, clock: clock)
    switch await flow.settle(.moved(to: signIn), from: signIn, memory: &memory) {
    case .moved(to: .identifierRequired):
      return .moved(to: .continuing(.identifierRequired), notices: [.accountCreated])
    case .moved(let next):
      return .moved(to: .continuing(next), notices: next.arrivalNotices)
    case .refused(let error, let at):
      return .goingOn(to: at ?? signIn, after: error)
    }
  }
}

extension Advance<SignUpState> {
  /// The account exists: a later refusal does not hide that.
  fileprivate static func goingOn(to signIn: SignInState, after error: AuthError) -> Advance {
    .moved(to: .continuing(signIn), notices: [.accountCreated], concern: error)
  }
}
