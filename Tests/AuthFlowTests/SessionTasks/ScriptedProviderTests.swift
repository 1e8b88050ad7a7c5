@_spi(Provider) import AuthFlow
import Testing
import TestSupport

@Suite("The scripted provider, for calls that need no line in the script")
struct ScriptedProviderTests {
  private let session = Example.session()

  @Test("looking for a standing session does not take another call's answer")
  func leftAlone() async throws {
    let provider = ScriptedProvider(
      .signIn(.moved(to: .complete(session))),
      .session(.moved(to: session))
    )
    var memory = ProviderMemory()
    #expect(try await provider.standingSession(nil, memory: &memory) == nil)
    let begun = await provider.beginSignIn(
      identifier: try .typed(),
      password: nil,
      memory: &memory
    )
    #expect(begun.moved == .complete(session))
    #expect(try await provider.standingSession(nil, memory: &memory) == session)
    #expect(provider.isDone)
    #expect(try await provider.standingSession(nil, memory: &memory) == nil)
  }

  @Test("a refusal to give the standing session is thrown, not taken for having none")
  func refused() async {
    let error = Example.error(.offline)
    for answer in [.session(.refused(error, at: nil)), .thrown(error)]
      as [ScriptedProvider.Answer]
    {
      let provider = ScriptedProvider(answer)
      var memory = ProviderMemory()
      await #expect(throws: error) {
        try await provider.standingSession(nil, memory: &memory)
      }
      #expect(provider.isDone)
    }
  }
}
