@_spi(Provider) import AuthFlow
import Testing
import TestSupport

@Suite("Signing up")
struct SignUpFlowTests {
  private let clock = MovableClock()

  static let form = SignUpForm(
    mode: .open,
    fields: [
      SignUpForm.Entry(.firstName, isRequired: false),
      SignUpForm.Entry(.emailAddress, isRequired: true),
      SignUpForm.Entry(.password, isRequired: true),
      SignUpForm.Entry(.legalAccepted, isRequired: true),
    ]
  )

  private func advance(
    _ provider: ScriptedProvider,
    _ state: SignUpState,
    _ input: SignUpInput
  ) async -> Advance<SignUpState> {
    var memory = ProviderMemory()
    let flow = SignUpFlow(provider: provider, clock: clock.wallClock)
    let advance = await flow.advance(state, with: input, form: Self.form, memory: &memory)
    #expect((memory["calls"] ?? "").count == provider.calls.count, "the memory is passed on")
    #expect(provider.isDone)
    return advance
  }

  private func details() throws -> SignUpDetails {
    SignUpDetails(
      values: [.emailAddress: "ada@example.com"],
      password: try Example.password(),
      acceptsTerms: true
    )
  }

  @Test("a complete form begins a sign-up, and the code is reported as sent")
  func begin() async throws {
    let next = SignUpState.codeRequired(Example.contactPrompt())
    let provider = ScriptedProvider(.signUp(.moved(to: next)))
    let advance = await advance(provider, .detailsRequired, .details(try details()))
    #expect(advance == .moved(to: next, notices: [.codeSent]))
  }

  @Test("required fields that are left empty are all reported at once, without a call")
  func required() async {
    let advance = await advance(
      ScriptedProvider(),
      .detailsRequired,
      .details(SignUpDetails(values: [.firstName: "Ada"], acceptsTerms: false))
    )
    let error = AuthError(
      Problem(.missing, at: .emailAddress, code: "required"),
      [
        Problem(.missing, at: .password, code: "required"),
        Problem(.termsNotAccepted, at: .legalAccepted, code: "required"),
      ]
    )
    #expect(advance == .refused(error, at: .detailsRequired))
  }

  @Test("missing details are all required, and then sent")
  func missingDetails() async throws {
    let state = SignUpState.detailsMissing(try Example.missingPrompt())
    let incomplete = await advance(
      ScriptedProvider(),
      state,
      .missingDetails(SignUpDetails(values: [.lastName: "Lovelace"]))
    )
    let missing = AuthError(Problem(.missing, at: .password, code: "required"))
    #expect(incomplete == .refused(missing, at: state))
    let done = SignUpState.continuing(.complete(Example.session()))
    let provider = ScriptedProvider(.signUp(.moved(to: done)))
    let details = SignUpDetails(values: [.lastName: "L"], password: try Example.password())
    let advance = await advance(provider, state, .missingDetails(details))
    #expect(advance == .moved(to: done, notices: []))
    #expect(provider.calls == ["missing details"])
  }

  @Test("a refusal stays where it stood")
  func refused() async throws {
    let refusal = Example.error(.identifierTaken, at: .emailAddress)
    let provider = ScriptedProvider(.signUp(.refused(refusal, at: nil)))
    let advance = await advance(provider, .detailsRequired, .details(try details()))
    #expect(advance == .refused(refusal, at: .detailsRequired))
  }

  @Test("codes are judged and sent again by the calls of a sign-up")
  func codes() async throws {
    let state = SignUpState.codeRequired(Example.contactPrompt())
    let unsent = ScriptedProvider(
      .signUp(.refused(Example.error(.codeNotSent), at: nil)),
      .signUp(.moved(to: state))
    )
    let sent = await advance(unsent, state, .code(try Example.code()))
    #expect(sent == .moved(to: state, notices: [.codeSent]))
    #expect(unsent.calls == ["code email_address 424242", "resend email_address"])
    // Too soon, no call is made.
    _ = await advance(ScriptedProvider(), state, .resendCode)
    let void = ScriptedProvider(.signUp(.refused(Example.error(.codeTriesExhausted), at: nil)))
    guard case .refused(_, let next) = await advance(void, state, .code(try Example.code())) else {
      Issue.record("not refused")
      return
    }
    let provider = ScriptedProvider(.signUp(.moved(to: state)))
    #expect(
      await advance(provider, next, .resendCode) == .moved(to: state, notices: [.codeResent])
    )
    #expect(provider.calls == ["resend email_address"])
  }

  /// The inputs that each state takes, in the order of `Example.signUpStates()`, then of a link.
  static let taken: [Set<String>] = [[], ["missing"], ["code", "resend"], [], [], []]

  @Test("every input that is not due is misplaced, and no call is made")
  func misplaced() async throws {
    let inputs: [(name: String, input: SignUpInput)] = [
      ("missing", .missingDetails(try details())), ("code", .code(try Example.code())),
      ("resend", .resendCode), ("check", .checkLink),
      ("link", .link(FollowedLink(.verified, parameters: [:]))),
      ("by code", .proof(.code)), ("by link", .proof(.link)),
    ]
    let link = ContactLinkPrompt(
      attempt: Example.contactPrompt().attempt,
      destination: "ada@example.com",
      proof: Continuation("proof")
    )
    let states = try Example.signUpStates() + [.linkRequired(link)]
    #expect(states.count == Self.taken.count)
    for (state, taken) in zip(states, Self.taken) {
      for (name, input) in inputs where !taken.contains(name) {
        #expect(await advance(ScriptedProvider(), state, input) == .misplaced, "\(state) \(name)")
      }
    }
  }

  @Test("a refused sign-in after the sign-up is reported together with the new account")
  func refusedSignIn() async throws {
    let refusal = Example.error(.serviceUnavailable)
    let provider = ScriptedProvider(
      .signUp(.refused(refusal, at: .continuing(.identifierRequired)))
    )
    let code = SignUpInput.code(try Example.code())
    let advance = await advance(provider, .codeRequired(Example.contactPrompt()), code)
    #expect(
      advance
        == .moved(
          to: .continuing(.identifierRequired),
          notices: [.accountCreated],
          concern: refusal
        )
    )
  }

  @Test("an error after the account is made does not hide that it is")
  func refusedAfterwards() async throws {
    let choice = try Example.choice(
      [Example.phoneCode, Example.backupCode],
      stage: .secondFactor,
      preferred: Example.phoneCode
    )
    let refusal = Example.error(.attemptEnded)
    let provider = ScriptedProvider(
      .signUp(.moved(to: .continuing(.factorRequired(choice)))),
      .signIn(.refused(refusal, at: nil))
    )
    let code = SignUpInput.code(try Example.code())
    let advance = await advance(provider, .codeRequired(Example.contactPrompt()), code)
    #expect(
      advance
        == .moved(
          to: .continuing(.identifierRequired),
          notices: [.accountCreated],
          concern: refusal
        )
    )
  }
}
