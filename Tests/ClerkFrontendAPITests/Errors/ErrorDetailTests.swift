import AuthFlow
@testable import ClerkFrontendAPI
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("What the API itself said of an error")
struct ErrorDetailTests {
  @Test("code, both messages, parameter, details and trace are kept; what was sent is masked")
  func api() throws {
    var reading = ErrorReading(purpose: .signIn, now: now)
    reading.secrets = ["sesame-open"]
    let body = """
      {"clerk_trace_id": "trace_7", "errors": [{"code": "form_password_incorrect",
       "message": "is wrong", "long_message": "sesame-open is wrong.",
       "meta": {"param_name": "password", "attempts_left": 2, "ratio": 0.5, "reset_token": "abc"}}]}
      """
    let error = reading.refusal(of: .json(body, status: .unprocessableContent)).error
    let detail = try #require(error.problems.first?.detail)
    #expect(detail.kind == .api)
    #expect(detail.message == "••• is wrong.")
    #expect(error.problems.first?.message == "••• is wrong.")
    #expect(
      detail.facts == [
        .init("code", .string("form_password_incorrect")), .init("message", .string("is wrong")),
        .init("long_message", .string("••• is wrong.")), .init("parameter", .string("password")),
        .init(
          "meta",
          .object([
            .init("attempts_left", .number(2)), .init("param_name", .string("password")),
            .init("ratio", .decimal(0.5)), .init("reset_token", .string("•••")),
          ])
        ),
        .init("trace_id", .string("trace_7")),
      ]
    )
  }

  @Test("a text is cut only after secrets are hidden in it, so that no half of one is left")
  func cutting() throws {
    var reading = ErrorReading(purpose: .signUp, now: now)
    reading.secrets = ["sesame-open"]
    let long =
      String(repeating: "x", count: 495) + "sesame-open" + String(repeating: "y", count: 500)
    let body = #"{"errors": [{"code": "c", "message": "\#(long)"}]}"#
    let problem = reading.refusal(of: .json(body, status: .unprocessableContent)).error.problems[0]
    for text in [problem.message, problem.detail?.message] {
      #expect(text == String(repeating: "x", count: 495) + "•••y…")
    }
  }

  @Test("the API's suggestions for a stronger password are kept, without what was sent")
  func suggestions() throws {
    var reading = ErrorReading(purpose: .signUp, now: now)
    reading.secrets = ["sesame-open"]
    func suggestion(_ list: String) -> String? {
      let body = """
        {"errors": [{"code": "form_password_not_strong_enough", "message": "weak",
         "meta": {"param_name": "password", "zxcvbn": {"suggestions": \(list)}}}]}
        """
      return reading.refusal(of: .json(body, status: .unprocessableContent)).error.problems[0]
        .suggestion
    }
    #expect(
      suggestion(
        """
        [{"code": "anotherWord", "message": "Add another word."}, {"code": "l33t"}, 7,
         {"message": "Not sesame-open."}]
        """
      ) == "Add another word. Not •••."
    )
    for none in ["[]", "null", "{}", #"[{"message": ""}]"#] { #expect(suggestion(none) == nil) }
  }

  @Test("a password and a token that were sent are masked wherever the API repeats them")
  func echo() async throws {
    let body = #"{"errors": [{"code": "c", "message": "s3same-open with token-1"}]}"#
    let transport = ScriptedTransport(.json(body, status: .unprocessableContent))
    var memory = memory()
    let outcome = await provider(transport).beginSignIn(
      identifier: try .typed(),
      password: try .typed("s3same-open"),
      memory: &memory
    )
    #expect(outcome.error?.problems.first?.message == "••• with •••")
  }

  @Test("the token that was sent and the new one in the answer are both masked")
  func rotatedEcho() async throws {
    let body = #"{"errors": [{"code": "c", "message": "token-1 is now token-2"}]}"#
    let transport = ScriptedTransport(
      .json(
        body,
        status: .unprocessableContent,
        headerFields: [.authorization: "Bearer token-2"]
      )
    )
    var memory = memory()
    let outcome = await provider(transport).beginSignIn(
      identifier: try .typed(),
      password: try .typed(),
      memory: &memory
    )
    #expect(outcome.error?.problems.first?.message == "••• is now •••")
    #expect(memory.clientToken == "token-2")
  }

  @Test(
    "what was sent is masked even as a code, parameter or trace; the API's own codes stay (S28)",
    arguments: ["s3same-open", String(repeating: "s3same-open ", count: 12)]
  )
  func words(secret: String) throws {
    var reading = ErrorReading(purpose: .signIn, now: now)
    reading.secrets = [secret, "form", "pass"]
    let body = """
      {"clerk_trace_id": "trace-\(secret)", "errors": [
       {"code": "\(secret)", "message": "m", "meta": {"param_name": "\(secret)"}},
       {"code": "form_password_incorrect", "message": "m", "meta": {"param_name": "password"}}]}
      """
    let error = reading.refusal(of: .json(body, status: .unprocessableContent)).error
    #expect(error.problems.map(\.code) == ["•••", "form_password_incorrect"])
    #expect(error.problems.map(\.field) == [Field(named: "•••"), Field.password] as [Field?])
    #expect(error.traceID == nil)
    let facts = try #require(error.problems.first?.detail).facts
    #expect(facts.first { $0.name == "code" }?.value == .string("•••"))
    #expect(facts.first { $0.name == "parameter" }?.value == .string("•••"))
    #expect(facts.first { $0.name == "trace_id" }?.value == .null)
    #expect(!String(describing: error).contains("s3same"))
  }

  @Test("without an answer, the error is the client's own")
  func client() async throws {
    var memory = memory()
    let outcome = await provider(ScriptedTransport([.failure(.timedOut)])).beginSignIn(
      identifier: try .typed(),
      password: try .typed(),
      memory: &memory
    )
    let detail = try #require(outcome.error?.problems.first?.detail)
    #expect(detail.kind == .client)
    #expect(
      detail.facts == [
        .init("code", .string("service_timed_out")), .init("message", .null),
        .init("long_message", .null), .init("parameter", .null), .init("meta", .null),
        .init("trace_id", .null),
      ]
    )
  }

  @Test("an unusable answer has every fact that an error has")
  func unusable() throws {
    let reading = ErrorReading(purpose: .signIn, now: now)
    let error = reading.refusal(of: Response(status: .badGateway)).error
    let detail = try #require(error.problems.first?.detail)
    #expect(detail.kind == .client)
    #expect(
      detail.facts.map(\.name)
        == ["code", "message", "long_message", "parameter", "meta", "trace_id"]
    )
  }
}
