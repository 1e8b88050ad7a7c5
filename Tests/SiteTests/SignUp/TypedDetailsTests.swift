@_spi(Provider) import AuthFlow
import Testing
import TestSupport

@testable import Site

@Suite("What was typed into a sign-up")
struct TypedDetailsTests {
  private static let city = Field(named: "city")

  private func prompt() throws -> MissingDetailsPrompt {
    try #require(MissingDetailsPrompt(attempt: Example.signUpAttempt(), fields: [Self.city]))
  }

  private func value(of name: String, in page: Visitor.Page) -> String? {
    let forms = page.json["forms"] as? [[String: Any]]
    let fields = forms?.first?["fields"] as? [[String: Any]]
    return fields?.first { $0["name"] as? String == name }?["value"] as? String
  }

  @Test("stays when the attempt ends, up to the page that asks for it (N6)")
  func ended() async throws {
    let ended = Example.error(.attemptEnded)
    let test = try TestSite(
      ScriptedProvider(
        .signUp(.refused(ended, at: nil)),
        .signUp(.moved(to: .detailsMissing(try prompt())))
      )
    )
    let visitor = try test.visitor { $0.signUp(at: .detailsMissing(try prompt())) }
    _ = await visitor.open("/sign-up/continue")
    let refused = await visitor.post("/sign-up/continue", ["city": "Ulm"])
    #expect(refused.location == "/sign-up")
    #expect(value(of: "email_address", in: await visitor.open("/sign-up")) == "ada@example.com")
    _ = await visitor.post("/sign-up", ["email_address": "ada@example.com", "password": "secret"])
    #expect(value(of: "city", in: await visitor.open("/sign-up/continue")) == "Ulm")
  }

  @Test("stays when a refused sign-up is loaded again, except for the password")
  func refused() async throws {
    let test = try TestSite(ScriptedProvider(.signUp(.refused(Example.error(.busy), at: nil))))
    let visitor = test.visitor()
    _ = await visitor.open("/sign-up")
    let typed = ["email_address": "ada@example.com", "password": "walk-right-in-42"]
    let refused = await visitor.post("/sign-up", typed)
    #expect(refused.status >= 400)
    for _ in 0..<2 {
      let page = await visitor.open("/sign-up")
      #expect(value(of: "email_address", in: page) == "ada@example.com")
      #expect(value(of: "password", in: page) == nil)
      #expect(!page.body.contains("walk-right-in-42"))
    }
  }

  @Test("stays on the page of further details, too, except for what is too long to be kept")
  func refusedDetails() async throws {
    let test = try TestSite(ScriptedProvider(.signUp(.refused(Example.error(.busy), at: nil))))
    let visitor = try test.visitor { $0.signUp(at: .detailsMissing(try prompt())) }
    _ = await visitor.open("/sign-up/continue")
    _ = await visitor.post("/sign-up/continue", ["city": "Ulm"])
    #expect(value(of: "city", in: await visitor.open("/sign-up/continue")) == "Ulm")
    let long = String(repeating: "x", count: 5_000)
    #expect(await visitor.post("/sign-up/continue", ["city": long]).status == 422)
    #expect(value(of: "city", in: await visitor.open("/sign-up/continue")) == "Ulm")
  }

  @Test("stays when the attempt ends at the start")
  func endedAtOnce() async throws {
    let test = try TestSite(
      ScriptedProvider(.signUp(.refused(Example.error(.attemptEnded), at: nil)))
    )
    let visitor = test.visitor()
    _ = await visitor.open("/sign-up")
    let form = ["email_address": "mara@example.com", "password": "secret"]
    #expect(await visitor.post("/sign-up", form).location == "/sign-up")
    let again = await visitor.open("/sign-up")
    #expect(value(of: "email_address", in: again) == "mara@example.com")
    #expect(!again.body.contains("secret"))
  }

  @Test("stays when it is sent from a page that was open for too long (N6)")
  func visitIsOver() async throws {
    let late = try TestSite()
    let visitor = late.visitor()
    _ = await visitor.open("/sign-up")
    let token = visitor.token(for: "/sign-up")
    late.clock.advance(Visit.lifetime + 100)
    let form = ["email_address": "mara@example.com", "password": "secret"]
    let refused = await visitor.post("/sign-up", form, token: token)
    #expect(refused.status == 403 && refused.errorCodes == ["form_token_invalid"])
    let again = await visitor.open("/sign-up")
    #expect(again.errorCodes.isEmpty)
    for page in [refused, again] {
      #expect(page.name == "sign-up" && !page.body.contains("secret"))
      #expect(value(of: "email_address", in: page) == "mara@example.com")
    }
  }

  @Test(
    "stays when the sign-up's own time is over, whatever page is opened or sent then (N6)",
    arguments: ["code", "step", "start"]
  )
  func attemptIsOver(goingOn way: String) async throws {
    let visitor = try TestSite().visitor { $0.signUp(at: .codeRequired(Example.contactPrompt())) }
    let form = visitor.form("/sign-up/verify", ["code": "424242"])
    visitor.test.clock.advance(Visit.lifetime + 100)
    switch way {
    case "code": #expect(await visitor.send(form).location == "/sign-up")
    case "step": #expect(await visitor.open("/sign-up/verify").location == "/sign-up")
    default: break
    }
    for _ in 0..<2 {
      let start = await visitor.open("/sign-up")
      #expect(start.errorCodes == ["attempt_ended"])
      #expect(value(of: "email_address", in: start) == "ada@example.com")
    }
    #expect(visitor.visit?.typedDetails[.firstName] == "Ada")
    #expect(visitor.test.provider.calls.isEmpty)
  }

  @Test("comes back when a field is asked for again (F5)")
  func askedAgain() async throws {
    let attempt = SignUpAttempt(
      continuation: Continuation("c"),
      values: [.emailAddress: "ada@example.com", Self.city: "Ulm"]
    )
    let prompt = try #require(MissingDetailsPrompt(attempt: attempt, fields: [Self.city]))
    let visitor = try TestSite().visitor { $0.signUp(at: .detailsMissing(prompt)) }
    #expect(value(of: "city", in: await visitor.open("/sign-up/continue")) == "Ulm")
  }
}
