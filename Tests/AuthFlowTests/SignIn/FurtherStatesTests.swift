@_spi(Provider) import AuthFlow
import Testing
import TestSupport

@Suite("Enrolment, permissions, waiting and steps that go on by themselves")
struct FurtherStatesTests {
  private let clock = MovableClock()

  private func signIn(
    _ provider: ScriptedProvider,
    _ state: SignInState,
    _ input: SignInInput
  ) async -> Advance<SignInState> {
    var memory = ProviderMemory()
    return await SignInFlow(provider: provider, clock: clock.wallClock).advance(
      state,
      with: input,
      memory: &memory
    )
  }

  @Test("a contact leads to its code, which is reported as sent")
  func enrolment() async throws {
    let code = SignInState.codeRequired(try Example.codePrompt(stage: .enrolment))
    let provider = ScriptedProvider(.signIn(.moved(to: code)))
    let advance = await signIn(
      provider,
      .enrolmentRequired(try Example.enrolmentPrompt()),
      .enrolment(try Example.enrolment())
    )
    #expect(advance == .moved(to: code, notices: [.codeSent]))
    #expect(provider.calls == ["enrol email_code ada@example.com"])
  }

  @Test("methods are chosen by their own names; a second one of a kind has a number")
  func names() throws {
    let prompt = try #require(
      EnrolmentPrompt(
        attempt: try Example.attempt(),
        methods: [Example.emailCode, Example.phoneCode, Example.otherPhoneCode]
      )
    )
    #expect(prompt.choices.map(\.name) == ["email", "phone", "phone-2"])
    #expect(prompt.method(named: "phone-2") == Example.otherPhoneCode)
    #expect(prompt.method(named: "fax") == nil)
    #expect(Enrolment(method: Example.emailCode, typed: "  ") == nil)
    #expect(EnrolmentPrompt(attempt: try Example.attempt(), methods: []) == nil)
  }

  @Test("accepting what was granted completes the sign-in")
  func permissions() async throws {
    let provider = ScriptedProvider(.signIn(.moved(to: .complete(Example.session()))))
    let state = SignInState.permissionsRequired(try Example.permissionsPrompt())
    #expect(
      await signIn(provider, state, .acceptGranted)
        == .moved(to: .complete(Example.session()), notices: [])
    )
    #expect(provider.calls == ["accept api://a/Read"])
  }

  @Test("a method that cannot be used is taken off the choice, and the reason is its concern")
  func blockedMethod() async throws {
    let rest = try Example.choice([Example.emailCode], stage: .secondFactor)
    let choice = try Example.choice(
      [Example.phoneCode, Example.emailCode],
      stage: .secondFactor,
      preferred: Example.phoneCode
    )
    let blocked = Example.error(.contactBlocked)
    let provider = ScriptedProvider(
      .signIn(.moved(to: .factorRequired(choice))),
      .signIn(.refused(blocked, at: .factorRequired(rest)))
    )
    let advance = await signIn(
      provider,
      .passwordRequired(try Example.passwordPrompt()),
      .password(try Example.password())
    )
    guard case .moved(to: .factorRequired(let left), _, _) = advance else {
      Issue.record("\(advance)")
      return
    }
    #expect(left.factors == [Example.emailCode])
    #expect(left.concern == blocked)
  }

  @Test("one check makes one call, and its result is reported")
  func waiting() async throws {
    let waiting = PasswordResetState.step(
      .waiting(ResetWaitPrompt(attempt: try Example.attempt(), checkCount: 1))
    )
    let provider = ScriptedProvider(
      .reset(.moved(to: waiting)),
      .reset(.moved(to: .continuing(.identifierRequired)))
    )
    let flow = PasswordResetFlow(provider: provider, clock: clock.wallClock)
    var memory = ProviderMemory()
    let first = await flow.advance(waiting, with: .check, memory: &memory)
    #expect(first == .moved(to: waiting, notices: [.stillWaiting]))
    // Changed, but the person has to sign in by hand.
    let second = await flow.advance(waiting, with: .check, memory: &memory)
    #expect(
      second == .moved(to: .continuing(.identifierRequired), notices: [.passwordChanged])
    )
    #expect(provider.calls == ["check", "check"])
    for state in try Example.resetStates() where state != waiting {
      let misplaced = await flow.advance(state, with: .check, memory: &memory)
      if case .step(.waiting) = state { continue }
      #expect(misplaced == .misplaced)
    }
  }

  @Test("a new account goes on as a sign-in, either complete or from the beginning")
  func continuing() async throws {
    for next in [SignInState.complete(Example.session()), .identifierRequired] {
      let provider = ScriptedProvider(.signUp(.moved(to: .continuing(next))))
      let flow = SignUpFlow(provider: provider, clock: clock.wallClock)
      var memory = ProviderMemory()
      let advance = await flow.advance(
        .codeRequired(Example.contactPrompt()),
        with: .code(try Example.code()),
        form: InstanceDescription.unknown.signUp,
        memory: &memory
      )
      #expect(
        advance
          == .moved(
            to: .continuing(next),
            notices: next == .identifierRequired ? [.accountCreated] : []
          )
      )
    }
  }
}
