@_spi(Provider) import AuthFlow
import Testing
import TestSupport

@Suite("The provider with a script, where a call needs no line in it")
struct ScriptedProviderTests {
  private let session = Example.session()

  @Test("whoever looks for a standing session takes no other call's answer away")
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

  @Test("a refusal to say which session stands is thrown, and not taken for none")
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
