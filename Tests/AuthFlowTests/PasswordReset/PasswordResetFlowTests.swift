@_spi(Provider) import AuthFlow
import Testing
import TestSupport

@Suite("Resetting a password")
struct PasswordResetFlowTests {
  private let clock = MovableClock()

  private func advance(
    _ provider: ScriptedProvider,
    _ state: PasswordResetState,
    _ input: PasswordResetInput
  ) async -> Advance<PasswordResetState> {
    var memory = ProviderMemory()
    let flow = PasswordResetFlow(provider: provider, clock: clock.wallClock)
    let advance = await flow.advance(state, with: input, memory: &memory)
    #expect((memory["calls"] ?? "").count == provider.calls.count, "the memory is passed on")
    #expect(provider.isDone)
    return advance
  }

  private func codeState() throws -> PasswordResetState {
    .step(
      .codeRequired(try Example.codePrompt(Example.resetByEmail, stage: .passwordReset))
    )
  }

  private func newPasswordState() throws -> PasswordResetState {
    .step(.newPasswordRequired(NewPasswordPrompt(attempt: try Example.attempt())))
  }

  @Test("an identifier begins a reset from any state, and the code is reported as sent")
  func begin() async throws {
    for state in try Example.resetStates() {
      let next = try codeState()
      let provider = ScriptedProvider(.reset(.moved(to: next)))
      let advance = await advance(provider, state, .identifier(try Example.identifier()))
      #expect(advance == .moved(to: next, notices: [.codeSent]))
      let refusal = Example.error(.methodUnavailable)
      for standing in [PasswordResetState.identifierRequired, nil] {
        let refused = await self.advance(
          ScriptedProvider(.reset(.refused(refusal, at: standing))),
          state,
          .identifier(try Example.identifier())
        )
        #expect(refused == .refused(refusal, at: standing ?? state))
      }
    }
  }

  @Test("a right code asks for the new password")
  func code() async throws {
    let next = try newPasswordState()
    let provider = ScriptedProvider(.reset(.moved(to: next)))
    let advance = await advance(provider, try codeState(), .code(try Example.code()))
    #expect(advance == .moved(to: next, notices: []))
    #expect(provider.calls == ["reset code 424242"])
  }

  @Test("codes are judged and sent again by the calls of a reset")
  func codes() async throws {
    let state = try codeState()
    let unsent = ScriptedProvider(
      .reset(.refused(Example.error(.codeNotSent), at: nil)),
      .reset(.moved(to: state))
    )
    let sent = await advance(unsent, state, .code(try Example.code()))
    #expect(sent == .moved(to: state, notices: [.codeSent]))
    #expect(unsent.calls == ["reset code 424242", "resend reset code"])
    // Too soon, no call is made.
    _ = await advance(ScriptedProvider(), state, .resendCode)
    let void = ScriptedProvider(.reset(.refused(Example.error(.codeTriesExhausted), at: nil)))
    guard case .refused(_, let next) = await advance(void, state, .code(try Example.code())) else {
      Issue.record("not refused")
      return
    }
    let provider = ScriptedProvider(.reset(.moved(to: state)))
    #expect(
      await advance(provider, next, .resendCode) == .moved(to: state, notices: [.codeResent])
    )
    #expect(provider.calls == ["resend reset code"])
  }

  @Test("the new password signs in")
  func newPassword() async throws {
    let next = PasswordResetState.continuing(.complete(Example.session()))
    let provider = ScriptedProvider(.reset(.moved(to: next)))
    let advance = await advance(
      provider,
      try newPasswordState(),
      .newPassword(try Example.password(), signOutOfOtherSessions: true)
    )
    #expect(advance == .moved(to: next, notices: [.passwordChanged]))
    #expect(provider.calls == ["new password secret true"])
  }

  @Test("after the new password the preferred second factor is used without asking")
  func secondFactor() async throws {
    let choice = try Example.choice(
      [Example.phoneCode, Example.backupCode],
      stage: .secondFactor,
      preferred: Example.phoneCode
    )
    let code = try Example.codePrompt(Example.phoneCode, stage: .secondFactor)
    let provider = ScriptedProvider(
      .reset(.moved(to: .continuing(.factorRequired(choice)))),
      .signIn(.moved(to: .codeRequired(code)))
    )
    let advance = await advance(
      provider,
      try newPasswordState(),
      .newPassword(try Example.password(), signOutOfOtherSessions: false)
    )
    #expect(
      advance
        == .moved(
          to: .continuing(.codeRequired(code)),
          notices: [.passwordChanged, .codeSent]
        )
    )
  }

  @Test("a sign-in that leads back to a reset becomes that reset, without nesting")
  func noNesting() async throws {
    let choice = try Example.choice(
      [Example.resetByEmail, Example.emailCode],
      preferred: Example.resetByEmail
    )
    let again = try Example.codePrompt(Example.resetByEmail, stage: .passwordReset)
    let provider = ScriptedProvider(
      .reset(.moved(to: .continuing(.factorRequired(choice)))),
      .signIn(.moved(to: .resettingPassword(.codeRequired(again))))
    )
    let advance = await advance(
      provider,
      try newPasswordState(),
      .newPassword(try Example.password(), signOutOfOtherSessions: false)
    )
    #expect(
      advance == .moved(to: .step(.codeRequired(again)), notices: [.passwordChanged, .codeSent])
    )
  }

  @Test("a refused sign-in after the reset is reported together with the changed password")
  func refusedSignIn() async throws {
    let refusal = Example.error(.serviceUnavailable)
    let provider = ScriptedProvider(
      .reset(.refused(refusal, at: .continuing(.identifierRequired)))
    )
    let advance = await advance(
      provider,
      try newPasswordState(),
      .newPassword(try Example.password(), signOutOfOtherSessions: false)
    )
    #expect(
      advance
        == .moved(
          to: .continuing(.identifierRequired),
          notices: [.passwordChanged],
          concern: refusal
        )
    )
  }

  @Test("an error after the password is changed does not hide that it is")
  func refusedAfterwards() async throws {
    let choice = try Example.choice(
      [Example.phoneCode, Example.backupCode],
      stage: .secondFactor,
      preferred: Example.phoneCode
    )
    let refusal = Example.error(.attemptEnded)
    let provider = ScriptedProvider(
      .reset(.moved(to: .continuing(.factorRequired(choice)))),
      .signIn(.refused(refusal, at: nil))
    )
    let advance = await advance(
      provider,
      try newPasswordState(),
      .newPassword(try Example.password(), signOutOfOtherSessions: false)
    )
    #expect(
      advance
        == .moved(
          to: .continuing(.identifierRequired),
          notices: [.passwordChanged],
          concern: refusal
        )
    )
  }

  @Test("a new password that will not do stays on its page")
  func refused() async throws {
    let state = try newPasswordState()
    let refusal = Example.error(.passwordTooShort(minimum: 8), at: .password)
    let advance = await advance(
      ScriptedProvider(.reset(.refused(refusal, at: nil))),
      state,
      .newPassword(try Example.password(), signOutOfOtherSessions: false)
    )
    #expect(advance == .refused(refusal, at: state))
  }

  /// The inputs that each state takes, in the order of `Example.resetStates()`, then in a browser.
  static let taken: [Set<String>] = [[], ["code", "resend"], ["new"], [], ["check"], [], []]

  @Test("every input that is not due is misplaced, and no call is made")
  func misplaced() async throws {
    let inputs: [(name: String, input: PasswordResetInput)] = [
      ("code", .code(try Example.code())), ("resend", .resendCode),
      ("new", .newPassword(try Example.password(), signOutOfOtherSessions: true)),
      ("check", .check),
    ]
    let browser = BrowserPrompt(
      identifier: try Example.identifier(),
      providerName: "Works",
      address: "https://x"
    )
    let states = try Example.resetStates() + [.browserRequired(browser)]
    #expect(states.count == Self.taken.count)
    for (state, taken) in zip(states, Self.taken) {
      for (name, input) in inputs where !taken.contains(name) {
        #expect(await advance(ScriptedProvider(), state, input) == .misplaced, "\(state) \(name)")
      }
    }
  }
}
