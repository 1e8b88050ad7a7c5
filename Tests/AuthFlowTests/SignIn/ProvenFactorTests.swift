@_spi(Provider) @testable import AuthFlow
import Testing
import TestSupport

@Suite("What was proven to get in")
struct ProvenFactorTests {
  private let clock = MovableClock()

  @Test("each accepted factor is remembered in order, and a refused one is not")
  func inOrder() async throws {
    var memory = ProviderMemory()
    let asked = SignInState.codeRequired(try Example.codePrompt(Example.totp, stage: .secondFactor))
    let session = SignInState.complete(Example.session())
    let identifier = try Example.identifier()
    let provider = ScriptedProvider(
      .signIn(.moved(to: asked)),
      .signIn(.refused(Example.error(.codeIncorrect, at: .code), at: nil)),
      .signIn(.moved(to: session))
    )
    let flow = SignInFlow(provider: provider, clock: clock.wallClock)
    let first = SignInInput.credentials(identifier, try Example.password())
    _ = await flow.advance(.identifierRequired, with: first, memory: &memory)
    #expect(memory.provenFactors == [.password])
    let code = SignInInput.code(try Example.code())
    _ = await flow.advance(asked, with: code, memory: &memory)
    #expect(memory.provenFactors == [.password])
    _ = await flow.advance(asked, with: code, memory: &memory)
    #expect(memory.provenFactors == [.password, .authenticatorCode])
  }

  @Test("a code that was typed before one was sent does not count as proven")
  func notSent() async throws {
    for stage in [FactorStage.secondFactor, .deviceTrust, .enrolment] {
      var memory = memoryOfPassword()
      let asked = SignInState.codeRequired(try Example.codePrompt(Example.phoneCode, stage: stage))
      let provider = ScriptedProvider(
        .signIn(.refused(Example.error(.codeNotSent), at: nil)),
        .signIn(.moved(to: asked))
      )
      let flow = SignInFlow(provider: provider, clock: clock.wallClock)
      let code = SignInInput.code(try Example.code())
      let advance = await flow.advance(asked, with: code, memory: &memory)
      #expect(advance == .moved(to: asked, notices: [.codeSent]))
      #expect(memory.provenFactors == [.password])
    }
  }

  @Test("the last backup code counts as proven like others")
  func lastBackupCode() async throws {
    var memory = memoryOfPassword()
    let asked = SignInState.codeRequired(
      try Example.codePrompt(Example.totp, stage: .secondFactor, others: [Example.backupCode])
    )
    var session = Example.session()
    session.hasBackupCodes = false
    let provider = ScriptedProvider(.signIn(.moved(to: .complete(session))))
    let advance = await SignInFlow(provider: provider, clock: clock.wallClock)
      .advance(asked, with: .backupCode(try Example.code()), memory: &memory)
    #expect(advance == .moved(to: .complete(session), notices: [.backupCodesLow]))
    #expect(memory.provenFactors == [.password, .backupCode])
  }

  @Test("a reset's code counts as proven if it leads to the new password, but not to a browser")
  func reset() async throws {
    let asked = PasswordResetState.step(
      .codeRequired(try Example.codePrompt(Example.resetByEmail, stage: .passwordReset))
    )
    let prompt = NewPasswordPrompt(attempt: try Example.attempt())
    let browser = BrowserPrompt(origin: .passwordReset, identifier: try Example.identifier())
    for (next, proven) in [
      (PasswordResetState.step(.newPasswordRequired(prompt)), [Factor.Kind.resetPasswordEmailCode]),
      (.browserRequired(browser), []),
    ] {
      var memory = ProviderMemory()
      let provider = ScriptedProvider(.reset(.moved(to: next)))
      _ = await PasswordResetFlow(provider: provider, clock: clock.wallClock)
        .advance(asked, with: .code(try Example.code()), memory: &memory)
      #expect(memory.provenFactors == proven)
    }
  }

  @Test("a new attempt begins with nothing proven, and a password that was not used proves nothing")
  func anew() async throws {
    var memory = ProviderMemory()
    let asked = SignInState.codeRequired(try Example.codePrompt())
    let provider = ScriptedProvider(
      .signIn(.moved(to: .complete(Example.session()))),
      .signIn(.moved(to: asked))
    )
    let flow = SignInFlow(provider: provider, clock: clock.wallClock)
    let input = SignInInput.credentials(try Example.identifier(), try Example.password())
    _ = await flow.advance(.identifierRequired, with: input, memory: &memory)
    #expect(memory.provenFactors == [.password])
    _ = await flow.advance(.identifierRequired, with: input, memory: &memory)
    #expect(memory.provenFactors == [])
  }

  private func memoryOfPassword() -> ProviderMemory {
    var memory = ProviderMemory()
    memory.provenFactors = [.password]
    return memory
  }

  @Test("a beginning that gets no answer keeps what was proven; one that is refused does not")
  func unheard() async throws {
    var memory = memoryOfPassword()
    let identifier = try Example.identifier()
    let offline = Example.error(.offline)
    let provider = ScriptedProvider(
      .signIn(.refused(offline, at: nil)),
      .reset(.refused(offline, at: nil)),
      .signIn(.refused(Example.error(.identifierNotFound, at: .identifier), at: nil))
    )
    let flow = SignInFlow(provider: provider, clock: clock.wallClock)
    let input = SignInInput.credentials(identifier, try Example.password())
    _ = await flow.advance(.identifierRequired, with: input, memory: &memory)
    #expect(memory.provenFactors == [.password])
    _ = await PasswordResetFlow(provider: provider, clock: clock.wallClock)
      .advance(.identifierRequired, with: .identifier(identifier), memory: &memory)
    #expect(memory.provenFactors == [.password])
    _ = await flow.advance(.identifierRequired, with: input, memory: &memory)
    #expect(memory.provenFactors == [])
  }

  @Test("a sign-up beside the sign-in keeps what was proven, until it signs somebody in")
  func signUp() async throws {
    var memory = memoryOfPassword()
    let asked = SignUpState.codeRequired(Example.contactPrompt())
    let provider = ScriptedProvider(
      .signUp(.moved(to: asked)),
      .signUp(.moved(to: .continuing(.complete(Example.session()))))
    )
    let flow = SignUpFlow(provider: provider, clock: clock.wallClock)
    let form = SignUpForm(mode: .open, fields: [.init(.emailAddress, isRequired: true)])
    for address in [nil, "noor@example.com"] {
      let details = SignUpDetails(values: address.map { [.emailAddress: $0] } ?? [:])
      _ = await flow.advance(
        .detailsRequired,
        with: .details(details),
        form: form,
        memory: &memory
      )
      #expect(memory.provenFactors == [.password])
    }
    _ = await flow.advance(asked, with: .code(try Example.code()), form: form, memory: &memory)
    #expect(memory.provenFactors == [])
  }
}
