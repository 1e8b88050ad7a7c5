@_spi(Provider) import AuthFlow
@testable import ClerkFrontendAPI
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("Sessions, invitations and lists that stand already")
struct StandingTests {
  @Test("the session of this browser is the last active one, else the newest that is on")
  func standing() async throws {
    let ended = Fixture.session(id: "sess_2", status: "ended")
    let transport = ScriptedTransport(
      .enveloped(Fixture.client(sessions: [Fixture.session(), ended])),
      .enveloped(Fixture.client(sessions: [ended])),
      .enveloped("null")
    )
    let provider = provider(transport)
    var memory = memory()
    #expect(try await provider.standingSession(memory: &memory) == Fixture.mara())
    #expect(try await provider.standingSession(memory: &memory) == nil)
    #expect(try await provider.standingSession(memory: &memory) == nil)
    #expect(transport.calls == Array(repeating: "GET /v1/client?_is_native=1", count: 3))
    var stranger = ProviderMemory()
    #expect(try await provider.standingSession(memory: &stranger) == nil)
  }

  @Test("an invitation is read from the address, and begins a sign-up by its ticket")
  func invitation() async throws {
    let transport = ScriptedTransport(
      .enveloped(SignUpTests.signUp(missing: ["password"]))
    )
    let provider = provider(transport)
    var memory = memory()
    #expect(provider.readInvitation(["redirect_url": "/"]) == nil)
    let invitation = try #require(provider.readInvitation(["__clerk_ticket": "t 1"]))
    #expect("\(invitation)" == "<invitation>")
    let outcome = await provider.accept(invitation, memory: &memory)
    guard case .detailsMissing(let prompt) = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(prompt.fields == [.password])
    #expect(
      transport.calls == ["POST /v1/client/sign_ups?_is_native=1 strategy=ticket&ticket=t+1"]
    )
  }

  @Test("the waiting list takes an address, or says why not")
  func waitingList() async throws {
    let transport = ScriptedTransport(
      .json(#"{"object": "waitlist_entry", "id": "wle_1"}"#),
      .error("waitlist_not_accepting_entries", status: 403)
    )
    let provider = provider(transport)
    var memory = memory()
    try await provider.joinWaitingList("noor@example.com", memory: &memory)
    await #expect(throws: AuthError.self) {
      try await provider.joinWaitingList("noor@example.com", memory: &memory)
    }
    #expect(
      transport.calls.first == "POST /v1/waitlist?_is_native=1 email_address=noor%40example.com"
    )
  }
}
