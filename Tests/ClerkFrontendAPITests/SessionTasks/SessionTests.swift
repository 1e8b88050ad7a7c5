@_spi(Provider) import AuthFlow
@testable import ClerkFrontendAPI
import HTTPExchange
import Testing

@Suite("Sessions and their tasks")
struct SessionTests {
  @Test("the current session is read from the client")
  func current() async throws {
    let client = Fixture.client(sessions: [
      Fixture.session(status: "pending", tasks: #"[{"key": "reset-password"}, {"key": "new-one"}]"#)
    ])
    let transport = ScriptedTransport(.enveloped(client, client: client))
    var memory = memory()
    let session = try await provider(transport).currentSession(Fixture.mara(), memory: &memory)
    #expect(session == Fixture.mara(tasks: [.resetPassword, .unknown("new-one")]))
    #expect(transport.calls == ["GET /v1/client?_is_native=1"])
  }

  @Test(
    "a session that is over has to sign in again",
    arguments: [
      "null", Fixture.client(), Fixture.client(sessions: [Fixture.session(id: "sess_other")]),
      Fixture.client(sessions: [Fixture.session(status: "ended")]),
      Fixture.client(sessions: [Fixture.session(status: "removed")]),
      Fixture.client(sessions: [Fixture.session(status: "never-heard-of")]),
    ]
  )
  func over(client: String) async {
    let transport = ScriptedTransport(.enveloped(client, client: client))
    var memory = memory()
    let error = await #expect(throws: AuthError.self) {
      try await provider(transport).currentSession(Fixture.mara(), memory: &memory)
    }
    #expect(error?.reasons == [.signInAgain])
  }

  @Test("a token that the API does not know is forgotten, and the session is over")
  func unknownToken() async {
    let transport = ScriptedTransport(
      .enveloped("null", token: "")
    )
    var memory = memory()
    let error = await #expect(throws: AuthError.self) {
      try await provider(transport).currentSession(Fixture.mara(), memory: &memory)
    }
    #expect(error?.reasons == [.signInAgain])
    #expect(memory.clientToken == nil)
  }

  @Test("signing out ends every session and keeps the client")
  func signOut() async throws {
    let transport = ScriptedTransport(
      .enveloped(Fixture.client(), client: Fixture.client(), token: "token-2")
    )
    var memory = memory()
    try await provider(transport).signOut(memory: &memory)
    #expect(transport.calls == ["DELETE /v1/client/sessions?_is_native=1"])
    #expect(memory.clientToken == "token-2")
  }

  @Test(
    "a session that is over already is signed out",
    arguments: [
      ("authentication_invalid", 401), ("signed_out", 401), ("resource_not_found", 404),
      ("client_not_found", 400),
    ]
  )
  func signedOutAlready(code: String, status: Int) async throws {
    let transport = ScriptedTransport(.error(code, status: status))
    var memory = memory()
    try await provider(transport).signOut(memory: &memory)
    #expect(transport.isDone)
  }

  @Test("signing out fails where the API cannot be told")
  func signOutUnheard() async {
    let transport = ScriptedTransport([.failure(.timedOut)])
    var memory = memory()
    let error = await #expect(throws: AuthError.self) {
      try await provider(transport).signOut(memory: &memory)
    }
    #expect(error?.reasons == [.serviceTimedOut])
    #expect(memory.clientToken == "token-1")
  }

  @Test("where no token is known nobody is signed in, and nothing is asked")
  func nobody() async throws {
    let transport = ScriptedTransport()
    var memory = ProviderMemory()
    try await provider(transport).signOut(memory: &memory)
    await #expect(throws: AuthError.self) {
      try await provider(transport).currentSession(Fixture.mara(), memory: &memory)
    }
    #expect(transport.calls == [])
  }
}
