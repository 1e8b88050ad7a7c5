@_spi(Provider) import AuthFlow
@testable import ClerkFrontendAPI
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

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
    "a pending session without a task is touched, and stays pending unless that makes it active",
    arguments: ["null", "[]", #"[{"key": null}]"#]
  )
  func pendingWithoutTask(tasks: String) async throws {
    let pending = Fixture.session(status: "pending", tasks: tasks)
    let client = Fixture.client(sessions: [pending])
    for (touched, isIn) in [
      (Response.enveloped(Fixture.session()), true), (.enveloped(pending), false),
      (.error("resource_locked", status: 409), false),
    ] {
      let transport = ScriptedTransport(.enveloped(client, client: client), touched)
      var memory = memory()
      let session = try await provider(transport).currentSession(Fixture.mara(), memory: &memory)
      #expect(session.status == (isIn ? .active : .pending))
      #expect(session.tasks == (isIn ? [] : [.unknown("pending")]))
      #expect(transport.calls.last == ChangePasswordTests.touch)
    }
  }

  @Test(
    "the person has to sign in again if the session is over",
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

  @Test(
    "an answer that does not say whether the session is active does not end it",
    arguments: [
      "", "<html>", "{}", #"{"response": "client"}"#, #"{"response": {"object": "session"}}"#,
      #"{"response": {"object": "client"}}"#,
      #"{"response": {"object": "client", "sessions": null}}"#,
      #"{"response": {"object": "client", "sessions": {}}}"#,
      #"{"response": {"object": "client", "sessions": [{"id": 7}]}}"#,
    ]
  )
  func nonsense(body: String) async {
    let transport = ScriptedTransport(Response(status: .ok, body: Array(body.utf8)))
    var memory = memory()
    let error = await #expect(throws: AuthError.self) {
      try await provider(transport).currentSession(Fixture.mara(), memory: &memory)
    }
    #expect(error?.reasons == [.serviceAnsweredNonsense])
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
    "signing out succeeds if the session is already over",
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

  @Test(
    "signing out fails unless the API says that nobody is signed in",
    arguments: [
      (Response.error("client_state_invalid", status: 400), .unrecognised),
      (.error("never_heard_of", status: 400), .unrecognised),
      (.error("never_heard_of", status: 401), .forbidden),
      (.error("resource_forbidden", status: 403), .forbidden),
      (.error("oauth_access_denied", status: 403), .forbidden),
      (.error("authorization_invalid", status: 403), .forbidden),
      (.error("dev_browser_unauthenticated", status: 401), .forbidden),
      (Response(status: .ok), .serviceAnsweredNonsense),
      (Response(status: .noContent), .serviceAnsweredNonsense),
      (Response(status: .ok, body: Array("<html>".utf8)), .serviceAnsweredNonsense),
      (Response(status: .ok, body: Array("{}".utf8)), .serviceAnsweredNonsense),
      (
        Response(status: .ok, body: Array(#"{"response": {"object": "session"}}"#.utf8)),
        .serviceAnsweredNonsense
      ),
      (
        .enveloped(Fixture.client(sessions: [Fixture.session()])), .serviceAnsweredNonsense
      ),
      // Of a session that cannot be read, nobody knows that it is over.
      (.enveloped(Fixture.client(sessions: [#"{"id": 7}"#])), .serviceAnsweredNonsense),
      (.enveloped(#"{"object": "client", "sessions": null}"#), .serviceAnsweredNonsense),
    ] as [(Response, Reason)]
  )
  func signOutRefused(answer: Response, reason: Reason) async {
    let transport = ScriptedTransport(answer)
    var memory = memory()
    let error = await #expect(throws: AuthError.self) {
      try await provider(transport).signOut(memory: &memory)
    }
    #expect(error?.reasons == [reason])
    #expect(error?.endsAttempt == false)
  }

  @Test("signing out that fails because of the set-up blames it")
  func signOutRefusedForSetUp() async {
    let transport = ScriptedTransport(.error("origin_invalid", status: 400))
    var memory = memory()
    let error = await #expect(throws: AuthError.self) {
      try await provider(transport).signOut(memory: &memory)
    }
    #expect(error?.reasons == [.unrecognised])
    #expect(error?.blame == .setUp)
  }

  @Test("signing out fails if the API cannot be reached")
  func signOutUnheard() async {
    let transport = ScriptedTransport([.failure(.timedOut)])
    var memory = memory()
    let error = await #expect(throws: AuthError.self) {
      try await provider(transport).signOut(memory: &memory)
    }
    #expect(error?.reasons == [.serviceTimedOut])
    #expect(memory.clientToken == "token-1")
  }

  @Test("without a token nobody is signed in, and no call is made")
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
