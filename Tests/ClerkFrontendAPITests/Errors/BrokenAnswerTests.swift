import AuthFlow
@testable import ClerkFrontendAPI
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("Broken answers (S27)")
struct BrokenAnswerTests {
  @Test(
    "each failure of the transport has its reason",
    arguments: [
      (.offline, .offline, "offline"),
      (.refused, .serviceUnreachable, "service_unavailable"),
      (.tlsFailed, .serviceUnreachable, "service_unavailable"),
      (.busy, .serviceUnreachable, "service_unavailable"),
      (.connectionLost, .serviceAnswerLost, "service_unavailable"),
      (.timedOut, .serviceTimedOut, "service_timed_out"),
      (.malformedAnswer, .serviceAnsweredNonsense, "service_answered_nonsense"),
    ] as [(TransportError, Reason, String)]
  )
  func transport(failure: TransportError, reason: Reason, code: String) async throws {
    let transport = ScriptedTransport([.failure(failure)])
    var memory = memory()
    let outcome = await provider(transport).beginSignIn(
      identifier: try .typed(),
      password: try .typed(),
      memory: &memory
    )
    #expect(outcome.plain == .refused(AuthError(Problem(reason, code: code)), at: nil))
    #expect(transport.calls.count == 1, "nothing is retried")
    #expect(memory.clientToken == "token-1")
  }

  struct Body: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String

    init(_ name: String, _ text: String) {
      testDescription = name
      self.text = text
    }
  }

  static let bodies: [Body] = [
    Body("empty", ""), Body("HTML", "<!doctype html><title>Hello</title>"),
    Body("truncated", String(Fixture.signIn().dropLast(40))),
    Body("not UTF-8", "\u{0}\u{1}"),
    Body("an array", "[1,2,3]"), Body("a number", "12"), Body("a string", #""complete""#),
    Body("null", "null"),
    Body("no envelope", Fixture.signIn()), Body("an empty envelope", "{}"),
    Body("nothing in the envelope", #"{"response": null, "client": null}"#),
    Body("a wrong type in it", #"{"response": "complete", "client": null}"#),
    Body("no id", #"{"response": {"status": "complete"}, "client": null}"#),
    Body("a number as id", #"{"response": {"id": 7, "status": "complete"}, "client": null}"#),
    Body("no status", #"{"response": {"id": "sia_1", "status": null}, "client": null}"#),
    Body(
      "factors that are no list",
      #"{"response": {"id": "s", "status": "needs_first_factor", "supported_first_factors": {}}}"#
    ),
    Body("errors with a success", #"{"errors": [{"code": "user_locked"}], "response": null}"#),
    Body("only errors", #"{"errors": [{"code": "user_locked"}]}"#),
    Body("too deep", String(repeating: "[", count: 100_000)),
    Body("too deep, and closed", deep(33)),
    Body("too large", #"{"x": ""# + String(repeating: "a", count: 1 << 20) + #""}"#),
    Body(
      "complete without a session",
      #"{"response": {"id": "sia_1", "status": "complete"}, "client": null}"#
    ),
  ]

  private static func deep(_ depth: Int) -> String {
    #"{"response": "# + String(repeating: "[", count: depth - 1)
      + String(repeating: "]", count: depth - 1) + "}"
  }

  @Test("a success with errors that are null is a success")
  func noErrors() async throws {
    let body = #"{"errors": null, "response": \#(Fixture.signIn()), "client": null}"#
    var memory = memory()
    let outcome = await provider(ScriptedTransport(.json(body))).beginSignIn(
      identifier: try .typed(),
      password: nil,
      memory: &memory
    )
    guard case .passwordRequired = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
  }

  @Test("a malformed success is reported as nonsense, and is never a crash", arguments: bodies)
  func nonsense(body: Body) async throws {
    var memory = memory()
    let outcome = await provider(ScriptedTransport(.json(body.text))).beginSignIn(
      identifier: try .typed(),
      password: try .typed(),
      memory: &memory
    )
    let problem = Problem(.serviceAnsweredNonsense, code: "service_answered_nonsense")
    #expect(outcome.plain == .refused(AuthError(problem), at: nil))
  }

  @Test(
    "logs are told what the API answered, and what is missing from it",
    arguments: [
      (.json("<html>", status: .internalServerError), "HTTP-500"),
      (.json("<html>", status: .forbidden), "HTTP-403"),
      (.json("", status: .movedPermanently), "HTTP-301"),
      (.json(""), "HTTP-200;no-SignInResource"),
      (.json("", status: .noContent), "HTTP-204;no-SignInResource"),
      (.json(#"{"response": null, "client": null}"#), "no-SignInResource"),
    ] as [(Response, String)]
  )
  func diagnosis(response: Response, diagnosis: String) async throws {
    var memory = memory()
    let outcome = await provider(ScriptedTransport(response)).beginSignIn(
      identifier: try .typed(),
      password: try .typed(),
      memory: &memory
    )
    #expect(outcome.error?.diagnosis == diagnosis)
  }

  @Test("a redirect is not followed", arguments: [301, 302, 303, 307, 308])
  func redirect(status: Int) async throws {
    let transport = ScriptedTransport(
      Response(
        status: HTTPResponse.Status(code: status),
        headerFields: [.location: "http://127.0.0.1:1/canary"],
        body: Array(#"{"response": null}"#.utf8)
      )
    )
    var memory = memory()
    let outcome = await provider(transport).beginSignIn(
      identifier: try .typed(),
      password: nil,
      memory: &memory
    )
    #expect(outcome.error?.reasons == [.serviceAnsweredNonsense])
    #expect(transport.calls.count == 1)
  }

  @Test(
    "a session without an end is refused: nobody is kept signed in for ever",
    arguments: ["null", #""later""#, "-1e15", "1e308", "[]"]
  )
  func endless(end: String) async throws {
    let session = Fixture.session().replacing("1767830400000", with: end)
    let client = Fixture.client(sessions: [session])
    let transport = ScriptedTransport(
      .enveloped(Fixture.signIn("complete", session: Fixture.sessionID), client: client),
      .enveloped(client)
    )
    var memory = memory()
    let outcome = await provider(transport).beginSignIn(
      identifier: try .typed(),
      password: try .typed(),
      memory: &memory
    )
    #expect(outcome.error?.reasons == [.serviceAnsweredNonsense])
  }

  @Test("optional parts may be broken, missing or null: the answer still counts")
  func tolerance() async throws {
    let session = #"""
      {"id": "\#(Fixture.sessionID)", "status": "active", "tasks": [{"key": "x"}, 7, {"no": 1}],
       "expire_at": 1767830400000, "public_user_data": {"user_id": "user_1", "identifier": 5},
       "user": "none", "last_active_organization_id": 7, "new": [[[]]]}
      """#
    let client = #"{"object": "client", "sessions": [null, 7, {}, \#(session)], "sign_in": 3}"#
    let signIn = #"""
      {"id": "sia_1", "status": "complete", "supported_first_factors": null,
       "created_session_id": "\#(Fixture.sessionID)", "abandon_at": 1e300, "surprise": {}}
      """#
    let transport = ScriptedTransport(.enveloped(signIn, client: client))
    var memory = memory()
    let outcome = await provider(transport).beginSignIn(
      identifier: try .typed(),
      password: try .typed(),
      memory: &memory
    )
    guard case .complete(let session) = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(session.user == Session.User(id: "user_1", identifier: "user_1"))
    #expect(session.tasks == [.unknown("x")])
  }

  // MARK: - Envelopes of errors

  @Test(
    "error envelopes are read in every documented form",
    arguments: [
      (
        #"{"errors": [{"code": "c", "message": "", "long_message": "l"}]}"#,
        Problem(.unrecognised, code: "c", message: "l")
      ),
      (
        #"{"errors": [{"code": "c", "message": "m", "long_message": ""}]}"#,
        Problem(.unrecognised, code: "c", message: "m")
      ),
      (#"{"errors": [{"code": "c"}]}"#, Problem(.unrecognised, code: "c")),
      (#"{"errors": null, "error": {"code": "c"}}"#, Problem(.unrecognised, code: "c")),
      (#"{"error": {"code": "c", "meta": null}}"#, Problem(.unrecognised, code: "c")),
      (
        #"{"error": {"code": "form_code_incorrect", "meta": {"name": "code"}}}"#,
        Problem(.codeIncorrect, at: .code, code: "form_code_incorrect")
      ),
      (
        #"{"errors": [{"code": "c", "meta": {"param_name": "username", "name": "password"}}]}"#,
        Problem(.unrecognised, at: .username, code: "c")
      ),
      (
        #"{"errors": [{"code": "c", "meta": {"param_name": "", "name": "username"}}]}"#,
        Problem(.unrecognised, at: .username, code: "c")
      ),
      (
        #"{"errors": [{"code": "c", "meta": {"name": "username", "n": 1e999}}]}"#,
        Problem(.unrecognised, at: .username, code: "c")
      ),
      (#"{"errors": [{"code": "c", "meta": 5}, 7, {}]}"#, Problem(.unrecognised, code: "c")),
      (#"{"errors": [{"code": "c"}], "meta": {"client": 5}}"#, Problem(.unrecognised, code: "c")),
    ] as [(String, Problem)]
  )
  func errorForms(body: String, problem: Problem) {
    let reading = ErrorReading(purpose: .signIn, now: now)
    let refusal = reading.refusal(of: .json(body, status: .unprocessableContent))
    #expect(refusal.error.plain.problems == [problem])
  }

  @Test("the API's words are cut before they are kept")
  func longWords() {
    let words = String(repeating: "\u{202e}x", count: 5_000)
    let body = #"{"errors": [{"code": "\#(words)", "long_message": "\#(words)"}]}"#
    let reading = ErrorReading(purpose: .signIn, now: now)
    let error = reading.refusal(of: .json(body, status: .badRequest)).error
    #expect(error.problems.first?.message?.count == 500)
    #expect(error.problems.first?.code.count == 100)
  }
}
