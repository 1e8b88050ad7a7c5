@_spi(Provider) import AuthFlow
import Testing
import TestSupport

@Suite("What was proven to get in")
struct ProvenFactorTests {
  private let clock = MovableClock()

  @Test("each accepted factor is remembered, in order; a refused one is not")
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

  @Test("a new attempt begins with nothing proven, and a password that led nowhere proves nothing")
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
}
