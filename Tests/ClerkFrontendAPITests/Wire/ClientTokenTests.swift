@_spi(Provider) import AuthFlow
@testable import ClerkFrontendAPI
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("The rotating client token")
struct ClientTokenTests {
  static let table: [(header: String?, token: String?)] = [
    (nil, "old"), ("new", "new"), ("  new\t", "new"), ("Bearer new", "new"), ("bearer new", "new"),
    ("BEARER   new", "new"), ("", nil), ("   ", nil), ("Bearer", nil), ("Bearer ", nil),
    ("Bearerish", "Bearerish"),
  ]

  @Test("a value replaces the token, an empty one drops it, and none keeps it", arguments: table)
  func rules(header: String?, token: String?) async throws {
    for status: HTTPResponse.Status in [.ok, .unprocessableContent, .internalServerError] {
      var fields = HTTPFields()
      if let header { fields.append(HTTPField(name: .authorization, value: header)) }
      let answer = Response.json(
        status == .ok
          ? #"{"response": \#(Fixture.signIn()), "client": null}"#
          : #"{"errors": [{"code": "form_password_incorrect"}]}"#,
        status: status,
        headerFields: fields
      )
      var memory = memory(token: "old")
      _ = await provider(ScriptedTransport(answer)).beginSignIn(
        identifier: try .typed(),
        password: nil,
        memory: &memory
      )
      #expect(memory.clientToken == token, "\(status)")
    }
  }

  @Test("the token of an answer that is not JSON is kept, too")
  func nonsense() async throws {
    let answer = Response(
      status: .ok,
      headerFields: [.authorization: "new"],
      body: Array("<html>".utf8)
    )
    var memory = memory(token: "old")
    _ = await provider(ScriptedTransport(answer)).beginSignIn(
      identifier: try .typed(),
      password: nil,
      memory: &memory
    )
    #expect(memory.clientToken == "new")
  }

  @Test("a token for which an attempt is refused is dropped, so that the next one can begin")
  func refusedToken() async throws {
    var memory = memory(token: "old")
    let outcome = await provider(
      ScriptedTransport(.error("authentication_invalid", status: 401))
    ).beginSignIn(identifier: try .typed(), password: try .typed("p"), memory: &memory)
    #expect(outcome.error?.reasons == [.signInAgain])
    #expect(memory.clientToken == nil)
  }

  @Test(
    "a session's call drops a token that is malformed, and keeps one that is only refused",
    arguments: [
      ("authorization_header_format_invalid", nil), ("authentication_invalid", "old"),
    ] as [(String, String?)]
  )
  func refusedInSession(code: String, token: String?) async {
    var memory = memory(token: "old")
    let transport = ScriptedTransport(.error(code, status: 401))
    await #expect(throws: AuthError.self) {
      try await provider(transport).currentSession(Fixture.mara(), memory: &memory)
    }
    #expect(memory.clientToken == token)
  }

  @Test("the waiting list also drops such a token, and does not show it")
  func refusedTokenOfWaitingList() async throws {
    var memory = memory(token: "old-token")
    let body = #"{"errors": [{"code": "authentication_invalid", "message": "old-token"}]}"#
    let provider = provider(ScriptedTransport(.json(body, status: .unauthorized)))
    let error = await #expect(throws: AuthError.self) {
      try await provider.joinWaitingList("noor@example.com", memory: &memory)
    }
    #expect(error?.problems.first?.message == "•••")
    #expect(memory.clientToken == nil)
  }

  @Test("no token reaches a description")
  func redacted() {
    #expect("\(memory(token: "canary"))" == "<memory>")
  }
}
