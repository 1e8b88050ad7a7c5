@_spi(Provider) import AuthFlow
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@testable import Site

@Suite("What became of a form")
struct OutcomeTests {
  private static let values = ["identifier": "ada@example.com", "password": "canary-password"]
  private static let later = Example.now.addingTimeInterval(90)

  @Test(
    "a refusal re-renders the page with its honest status (R2, R3)",
    arguments: [
      (.passwordIncorrect, 422), (.identifierNotFound, 422), (.unrecognised, 422),
      (.formatInvalid, 422), (.identifierNotAllowed, 403), (.forbidden, 403), (.busy, 422),
      (.tooManyRequests(until: later), 429),
      (.tooManyRequests(until: nil), 429), (.serviceAnsweredNonsense, 502), (.offline, 503),
      (.serviceAnswerLost, 503), (.serviceUnavailable, 503), (.serviceTimedOut, 504),
      (.botCheckRequired, 403), (.botCheckFailed, 422),
      (.methodUnavailable, 422), (.deliveryFailed, 422),
    ] as [(Reason, Int)]
  )
  func statuses(reason: Reason, status: Int) async throws {
    let provider = ScriptedProvider(.signIn(.refused(Example.error(reason), at: nil)))
    let visitor = try TestSite(provider).visitor { _ in }
    let page = await visitor.post("/sign-in", Self.values)
    #expect(provider.isDone)
    #expect(page.status == status)
    #expect(page.name == "sign-in")
    #expect(page.errorCodes == ["code_of_test"])
    #expect(page.value(of: "identifier") == "ada@example.com")
    #expect(!page.body.contains("canary-password"))
    #expect((page.header("Retry-After") == "90") == (reason == .tooManyRequests(until: Self.later)))
  }

  @Test("a password is asked for again if one was typed, not on a page just opened (F5)")
  func opened() async throws {
    let error = Example.error(.offline)
    let provider = ScriptedProvider(
      [.signIn(.refused(error, at: nil))],
      instance: .failure(error)
    )
    let visitor = try TestSite(provider).visitor { _ in }
    let opened = await visitor.open("/sign-in", [.accept: "text/html"])
    #expect(opened.status == 503)
    #expect(!opened.body.contains("Enter your password again"))
    let sent = await visitor.post("/sign-in", Self.values, [.accept: "text/html"])
    #expect(sent.status == 503)
    #expect(sent.body.contains("Enter your password again"))
  }

  @Test("the gravest of several problems decides the status; none is lost (E3)")
  func several() async throws {
    let error = AuthError(
      Problem(.identifierNotFound, at: .identifier, code: "first"),
      [
        Problem(.tooManyRequests(until: nil), code: "second"),
        Problem(.missing, at: .emailAddress, code: "third"),
      ]
    )
    let provider = ScriptedProvider(.signIn(.refused(error, at: nil)))
    let visitor = try TestSite(provider).visitor { _ in }
    let page = await visitor.post("/sign-in", Self.values)
    #expect(page.status == 429)
    #expect(page.errorCodes(at: "identifier") == ["first"])
    #expect(page.errorCodes == ["second", "third"])
  }

  @Test("a refused form for a password that must change still says that it must")
  func mustChange() async throws {
    let error = Example.error(.passwordResetRequired)
    let provider = ScriptedProvider(.signIn(.refused(error, at: nil)))
    let visitor = try TestSite(provider).visitor { _ in }
    #expect(await visitor.post("/sign-in", Self.values).header("Location") == "/forgot-password")
    #expect(await visitor.open("/forgot-password").body.contains("Change your password"))
    for _ in 0..<2 {
      let page = await visitor.post("/forgot-password", ["identifier": "", "change": "1"])
      #expect(page.status == 422)
      #expect(page.body.contains("Change your password"))
    }
  }

  @Test(
    "a beginning without an answer leaves the attempt that is under way alone (F5)",
    arguments: [(.offline, true), (.serviceTimedOut, true), (.identifierNotFound, false)]
      as [(Reason, Bool)]
  )
  func unheard(reason: Reason, stays: Bool) async throws {
    let provider = ScriptedProvider(.signIn(.refused(Example.error(reason), at: nil)))
    let asked = SignInState.codeRequired(try Example.codePrompt(Example.totp, stage: .secondFactor))
    let visitor = try TestSite(provider).visitor { $0.signIn(at: asked) }
    let before = visitor.visit?.attempts
    let page = await visitor.post("/sign-in", Self.values)
    #expect(page.name == "sign-in" && page.errorCodes == ["code_of_test"])
    #expect((visitor.visit?.attempts == before) == stays)
    #expect((await visitor.open("/sign-in/second-factor").status == 200) == stays)
  }

  @Test("a lock or a ban has a page of its own, kept in the visit (P-locked, P-blocked)")
  func pagesOfTheirOwn() async throws {
    for (reason, path, isWaiting) in [
      (.locked(until: Self.later), "/locked", true), (.locked(until: nil), "/locked", false),
      (.banned, "/blocked", false), (.noUsableMethod, "/blocked", false),
      (.stepUnsupported, "/blocked", false),
    ] as [(Reason, String, Bool)] {
      let provider = ScriptedProvider(.signIn(.refused(Example.error(reason), at: nil)))
      let test = try TestSite(provider)
      let visitor = try test.visitor { _ in }
      let answer = await visitor.post("/sign-in", Self.values)
      #expect(answer.status == 303)
      #expect(answer.location == path)
      for _ in 0..<2 {
        let page = await visitor.open(path)
        #expect(page.status == 403)
        #expect(page.errorCodes == ["code_of_test"])
        #expect(page.header("Retry-After") == (isWaiting ? "90" : nil))
      }
      #expect(await visitor.open("/sign-in").status == 200)
      test.clock.advance(91)
      let later = await visitor.open(path)
      #expect(later.status == (isWaiting ? 200 : 403))
      #expect(later.header("Retry-After") == nil)
    }
  }

  /// Sends a code that the auth API refuses since that session is in the way.
  private func sendCode(
    besides session: SessionInTheWay?,
    _ standing: ScriptedProvider.Answer...
  ) async throws -> (answer: Visitor.Page, visitor: Visitor, calls: [String]) {
    let problem = Problem(.alreadySignedIn, code: "code_of_test", sessionInTheWay: session)
    let refused = ScriptedProvider.Answer.signIn(.refused(AuthError(problem), at: nil))
    let test = try TestSite(ScriptedProvider([refused] + standing))
    let asked = SignInState.codeRequired(try Example.codePrompt())
    let visitor = try test.visitor { $0.signIn(at: asked) }
    let answer = await visitor.post("/sign-in/code", ["code": "424242"])
    return (answer, visitor, test.provider.calls)
  }

  @Test("a person who is signed in goes on in the session that the auth API names, and no other")
  func namedSession() async throws {
    for (session, call) in [
      (.named("sess_1"), #"standing session named("sess_1")"#), (nil, "standing session"),
    ] as [(SessionInTheWay?, String)] {
      let (answer, visitor, calls) = try await sendCode(
        besides: session,
        .session(.moved(to: Example.session()))
      )
      #expect(answer.location == "/account" && visitor.visit?.session?.id == "sess_1")
      #expect(calls.last == call)
    }
    let (answer, visitor, calls) = try await sendCode(besides: .named("sess_gone"))
    #expect(calls.last == #"standing session named("sess_gone")"#)
    #expect(answer.location == "/sign-in" && visitor.visit?.session == nil)
    #expect(await visitor.open("/sign-in").errorCodes == ["attempt_ended"])
  }

  @Test("a session in the way that cannot be read is reported; one that is over leads to the start")
  func sessionUnasked() async throws {
    let (answer, visitor, _) = try await sendCode(
      besides: nil,
      .thrown(Example.error(.offline))
    )
    #expect(answer.status == 503 && answer.errorCodes == ["code_of_test"])
    #expect(await visitor.open("/sign-in/code").status == 200)
    for reason in [Reason.signInAgain, .attemptEnded, .alreadySignedIn] {
      let (answer, visitor, _) = try await sendCode(besides: nil, .thrown(Example.error(reason)))
      #expect(answer.location == "/sign-in")
      #expect(await visitor.open("/sign-in").errorCodes == ["attempt_ended"])
    }
  }

  @Test(
    "a page whose opening is refused with what would lead to that page stays, with the refusal",
    arguments: [Reason.signInAgain, .attemptEnded, .consentRequired]
  )
  func ownAddress(reason: Reason) async throws {
    let provider = ScriptedProvider([], instance: .failure(Example.error(reason)))
    let page = try await TestSite(provider).visitor().open("/sign-in")
    #expect(page.location == nil && page.name == "sign-in")
    #expect(page.errorCodes == ["code_of_test"])
  }

  @Test("a link that could not be checked can be tried again; one that is refused cannot")
  func uncheckedLink() async throws {
    let factor = Factor(kind: .emailLink)
    let prompt = LinkPrompt(
      attempt: try Example.attempt(first: [factor]),
      factor: factor,
      proof: Continuation("canary-proof")
    )
    for (reason, canGoOn) in [(Reason.offline, true), (.linkExpired, false)] {
      let provider = ScriptedProvider(.signIn(.refused(Example.error(reason), at: nil)))
      let visitor = try TestSite(provider).visitor { $0.signIn(at: .linkRequired(prompt)) }
      let page = await visitor.post("/sign-in/link", ["test_link": "verified"])
      #expect(provider.calls == ["check link"])
      #expect(page.name == "sign-in-link" && page.errorCodes == ["code_of_test"])
      let forms = page.json["forms"] as? [[String: Any]] ?? []
      #expect(forms.contains { $0["name"] as? String == "continue" } == canGoOn)
    }
  }

  @Test("an unknown task is a step that the pages do not have")
  func unknownTask() async throws {
    for key in ["verify-age", "pending"] {
      let session = Example.session(tasks: [.unknown(key)])
      #expect(Block(ofTaskIn: session)?.error.reasons == [.stepUnsupported])
      let visitor = try TestSite().visitor { $0.enter(session) }
      let page = await visitor.open("/blocked")
      #expect(page.status == 403 && page.errorCodes == [key])
    }
    #expect(Block(ofTaskIn: Example.session(tasks: [.setUpSecondFactor])) == nil)
  }

  @Test("an attempt that has ended goes back to its start, and says so (R3)")
  func ended() async throws {
    let provider = ScriptedProvider(.signIn(.refused(Example.error(.attemptEnded), at: nil)))
    let visitor = try TestSite(provider).visitor { visit in
      visit.identifier = "ada@example.com"
      visit.signIn(at: .codeRequired(try Example.codePrompt()))
    }
    #expect(await visitor.post("/sign-in/code", ["code": "424242"]).location == "/sign-in")
    let page = await visitor.open("/sign-in")
    #expect(page.errorCodes == ["code_of_test"])
    #expect(page.value(of: "identifier") == "ada@example.com")
  }

  @Test("a session that ended elsewhere leads to the sign-in, and keeps the return address (R3a)")
  func signInAgain() async throws {
    let provider = ScriptedProvider(.session(.refused(Example.error(.signInAgain), at: nil)))
    let visitor = try TestSite(provider).visitor { visit in
      visit.enter(Example.session(tasks: [.resetPassword]))
      visit.returnAddress = "/reports"
    }
    #expect(await visitor.post("/tasks/reset-password", ["password": "p"]).location == "/sign-in")
    #expect(await visitor.open("/sign-in").noticeCodes == ["sign_in_again"])
    #expect(visitor.visit?.session == nil)
    #expect(visitor.visit?.returnAddress == "/reports")
  }

  @Test("a person who has to sign in again before being signed in is told only that (R3a)")
  func signInAgainInAttempt() async throws {
    let provider = ScriptedProvider(.signIn(.refused(Example.error(.signInAgain), at: nil)))
    let test = try TestSite(provider)
    let visitor = try test.visitor { visit in
      visit.identifier = "ada@example.com"
      visit.signIn(at: .codeRequired(try Example.codePrompt(Example.totp, stage: .secondFactor)))
    }
    let sent = await visitor.post("/sign-in/second-factor", ["code": "424242"])
    #expect(sent.location == "/sign-in")
    let page = await visitor.open("/sign-in")
    #expect(page.noticeCodes == ["sign_in_again"] && page.errorCodes.isEmpty)
    #expect(page.value(of: "identifier") == "ada@example.com")
    #expect(test.log.lines.contains { $0.hasPrefix("refused") && $0.contains("trace=trace_1") })
  }

  @Test(
    "a sign-in that is locked, blocked or begun again leaves a sign-up in another tab alone (S16)",
    arguments: [
      (Reason.locked(until: Example.now.addingTimeInterval(60)), "/locked"),
      (.banned, "/blocked"), (.signInAgain, "/sign-in"),
      (.passwordResetRequired, "/forgot-password"),
    ] as [(Reason, String)]
  )
  func besideSignUp(reason: Reason, place: String) async throws {
    let provider = ScriptedProvider(
      .signIn(.refused(Example.error(reason), at: nil)),
      .signUp(.moved(to: .continuing(.complete(Example.session()))))
    )
    let visitor = try TestSite(provider).visitor {
      $0.signUp(at: .codeRequired(Example.contactPrompt()))
    }
    let waiting = visitor.form("/sign-up/verify", ["code": "424242"])
    let values = ["identifier": "mia@example.com", "password": "walk-right-in-42"]
    #expect(await visitor.post("/sign-in", values).location == place)
    let page = await visitor.open(place)
    #expect(page.status == (["/locked", "/blocked"].contains(place) ? 403 : 200))
    #expect(await visitor.open("/sign-up/verify").status == 200)
    // The token of the form in that tab is still good.
    let body = String(decoding: waiting.body, as: UTF8.self)
    #expect(await visitor.post("/sign-up/verify", body: body).location == "/account")
  }

  @Test("a sign-up that begins beside a lock leaves its page as it is (S16)")
  func besideLock() async throws {
    let contact = SignUpState.codeRequired(Example.contactPrompt())
    let provider = ScriptedProvider(
      .signIn(.refused(Example.error(.locked(until: Example.now.addingTimeInterval(60))), at: nil)),
      .signUp(.moved(to: contact)),
      .signIn(.moved(to: .codeRequired(try Example.codePrompt())))
    )
    let visitor = try TestSite(provider).visitor { _ in }
    let values = ["identifier": "mia@example.com", "password": "walk-right-in-42"]
    #expect(await visitor.post("/sign-in", values).location == "/locked")
    let details = ["email_address": "new@example.com", "password": "walk-right-in-42"]
    #expect(await visitor.post("/sign-up", details).location == "/sign-up/verify")
    #expect(await visitor.open("/locked").status == 403)
    #expect(await visitor.open("/sign-up/verify").status == 200)
    #expect(await visitor.open("/account").location == "/sign-up/verify")
    // The next sign-in takes its place, and the sign-up stays.
    #expect(await visitor.post("/sign-in", values).location == "/sign-in/code")
    #expect(await visitor.open("/locked").location == "/sign-in/code")
    #expect(await visitor.open("/sign-up/verify").status == 200)
  }

  @Test("if nothing is typed, both fields say so, and no call is made (E1)")
  func empty() async throws {
    let test = try TestSite()
    let visitor = try test.visitor { _ in }
    let page = await visitor.post("/sign-in", ["identifier": " ", "password": ""])
    #expect(page.status == 422)
    #expect(page.errorCodes(at: "identifier") == ["required"])
    #expect(page.errorCodes(at: "password") == ["required"])
    #expect(test.provider.calls.isEmpty)
  }

  @Test("where an identifier is asked for alone, only it is missing (E1)")
  func emptyIdentifier() async throws {
    for (asksBoth, codes) in [(false, ["required"]), (true, ["required", "required"])] {
      var instance = InstanceDescription.unknown
      instance.signInForm = asksBoth ? .identifierAndPassword : .identifierFirst
      let test = try TestSite(ScriptedProvider([], instance: .success(instance)))
      let visitor = try test.visitor { _ in }
      let page = await visitor.post("/sign-in", ["identifier": ""])
      #expect(page.status == 422)
      #expect(page.allErrorCodes == codes)
      #expect(test.provider.calls.isEmpty)
    }
  }

  @Test(
    "a password reaches the provider as it was typed (S18)",
    arguments: [
      " lead", "trail ", "a\u{0301}b", "ä", "🔑🔑", "+%&=", "a\u{0}b", "\r\n",
      String(repeating: "x", count: 4_096),
    ]
  )
  func passwords(password: String) async throws {
    let provider = ScriptedProvider(
      .signIn(.refused(Example.error(.passwordIncorrect, at: .password), at: nil))
    )
    let visitor = try TestSite(provider).visitor { _ in }
    let values = ["identifier": "ada@example.com", "password": password]
    _ = await visitor.post("/sign-in", values)
    let call = try #require(provider.calls.first)
    #expect(Array(call.utf8) == Array("begin ada@example.com \(password)".utf8))
  }

  @Test("an identifier of 320 bytes is sent to the auth API, a longer one is not")
  func longIdentifier() async throws {
    for count in [320, 321] {
      let provider = ScriptedProvider(
        .signIn(.refused(Example.error(.identifierNotFound), at: nil))
      )
      let visitor = try TestSite(provider).visitor { _ in }
      let identifier = String(repeating: "a", count: count)
      let page = await visitor.post("/sign-in", ["identifier": identifier, "password": "p"])
      #expect(page.status == 422)
      #expect(provider.calls.count == (count == 320 ? 1 : 0))
      if count == 321 {
        #expect(page.errorCodes(at: "identifier") == ["form_param_max_length_exceeded"])
      }
    }
  }

  /// A form with a text whose length is limited.
  struct LongText: Sendable, CustomTestStringConvertible {
    var path: String
    var field: String
    var others: [String: String] = [:]
    var refusal: ScriptedProvider.Answer
    var change: @Sendable (inout Visit) throws -> Void

    var testDescription: String { "\(field) at \(path)" }
  }

  static let longTexts: [LongText] = {
    let error = Example.error(.unrecognised)
    return [
      LongText(
        path: "/forgot-password",
        field: "identifier",
        refusal: .reset(.refused(error, at: nil))
      ) { _ in },
      LongText(
        path: "/sign-in/enrolment",
        field: "contact",
        others: ["method": "email"],
        refusal: .signIn(.refused(error, at: nil))
      ) { $0.signIn(at: .enrolmentRequired(try Example.enrolmentPrompt())) },
      LongText(
        path: "/tasks/setup-mfa",
        field: "phone_number",
        refusal: .task(.refused(error, at: nil))
      ) {
        let session = Example.session(tasks: [.setUpSecondFactor])
        SessionTaskState.setUpSecondFactorTask(session, .phoneNumberRequired).enter(&$0)
      },
      LongText(
        path: "/account/token",
        field: "scopes",
        refusal: .signIn(.refused(error, at: nil))
      ) {
        var session = Example.session()
        session.access = Access(scopes: ["openid"], expiresAt: Example.now)
        $0.enter(session)
      },
    ]
  }()

  @Test(
    "any such text of 320 bytes is sent to the auth API, a longer one is not",
    arguments: longTexts
  )
  func longText(form: LongText) async throws {
    for count in [320, 321] {
      let provider = ScriptedProvider(form.refusal)
      let visitor = try TestSite(provider).visitor(form.change)
      var values = form.others
      values[form.field] = String(repeating: "a", count: count)
      let page = await visitor.post(form.path, values)
      #expect(page.status == 422)
      #expect(provider.isDone == (count == 320))
      let code = count == 320 ? "code_of_test" : "form_param_max_length_exceeded"
      #expect(page.allErrorCodes == [code])
    }
  }

  @Test("a registration without a method, a contact or both says which is missing (E1)")
  func emptyEnrolment() async throws {
    let rows = [
      (["contact": "ada@example.com"], ["none_chosen"]), (["method": "email"], ["required"]),
      (["contact": "ada@example.com", "method": "post"], ["none_chosen"]),
      ([:], ["none_chosen", "required"]),
    ]
    for (values, codes) in rows {
      let test = try TestSite()
      let prompt = try Example.enrolmentPrompt()
      let visitor = try test.visitor { $0.signIn(at: .enrolmentRequired(prompt)) }
      let page = await visitor.post("/sign-in/enrolment", values)
      #expect(page.status == 422)
      #expect(page.allErrorCodes.sorted() == codes)
      #expect(test.provider.calls.isEmpty)
    }
  }

  @Test("a token is renewed only for a session that has tokens")
  func tokenOfNobody() async throws {
    let test = try TestSite()
    let visitor = try test.visitor { $0.enter(Example.session()) }
    #expect(await visitor.post("/account/token", ["scopes": "openid"]).location == "/account")
    #expect(test.provider.calls.isEmpty)
  }

  @Test("of the methods for a second factor, only those of the instance can be set up")
  func methods() async throws {
    func visitor(_ methods: [SecondFactorMethod]) throws -> Visitor {
      var instance = InstanceDescription.unknown
      instance.secondFactorMethods = methods
      let provider = ScriptedProvider(
        [],
        lastKnownInstance: instance,
        instance: .success(instance)
      )
      return try TestSite(provider).visitor {
        $0.enter(Example.session(tasks: [.setUpSecondFactor]))
      }
    }
    for name in ["phone", "nonsense", ""] {
      let app = try visitor([.authenticator])
      let page = await app.post("/tasks/setup-mfa", ["method": name])
      #expect(page.status == 422 && page.allErrorCodes == ["none_chosen"], "\(name)")
      #expect(app.test.provider.calls.isEmpty)
    }
    let none = try visitor([])
    #expect(await none.open("/tasks/setup-mfa").location == "/blocked")
    #expect(await none.open("/blocked").errorCodes == ["setup-mfa"])
  }

  @Test("hostile text comes back as text (S17)")
  func escaping() async throws {
    let hostile = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>\u{338}"
    let error = AuthError(Problem(.unrecognised, code: "x\"><b>", message: hostile))
    let provider = ScriptedProvider(.signIn(.refused(error, at: nil)))
    let visitor = try TestSite(provider).visitor { _ in }
    let values = ["identifier": hostile, "password": "p"]
    let page = await visitor.post("/sign-in", values, [.accept: "text/html"])
    #expect(page.status == 422)
    #expect(!page.body.contains("<script>alert"))
    #expect(!page.body.contains("<img src=x"))
    #expect(!page.body.contains("<b>"))
    #expect(page.body.contains("&lt;script&gt;alert(1)"))
  }
}

@Suite("Where a finished sign-in leads")
struct ReturnTests {
  private static func lands(
    asking target: String,
    posting extra: [String: String] = [:],
    allowed: [String] = []
  ) async throws -> String? {
    let provider = ScriptedProvider(.signIn(.moved(to: .complete(Example.session()))))
    let visitor = try TestSite(provider, redirectOrigins: allowed).visitor()
    _ = await visitor.open(target)
    var values = ["identifier": "ada@example.com", "password": "p"]
    values.merge(extra) { $1 }
    return await visitor.post("/sign-in", values).location
  }

  @Test("a path of this site is followed, by default it is the account page (S15, R8)")
  func path() async throws {
    #expect(try await Self.lands(asking: "/sign-in?redirect_url=/reports%3Fy=1") == "/reports?y=1")
    #expect(try await Self.lands(asking: "/sign-in") == "/account")
    #expect(try await Self.lands(asking: "/account?redirect_url=/reports") == "/reports")
    let complete = "/sign-in?redirect_url=http%3A%2F%2Flocalhost%3A8080%2Freports"
    #expect(try await Self.lands(asking: complete) == "/reports")
    let escaped = "/sign-in?redirect_url=/caf%C3%A9%20au%20lait"
    #expect(try await Self.lands(asking: escaped) == "/caf%C3%A9%20au%20lait")
  }

  @Test("another origin is followed if it is on the list (S15)")
  func origin() async throws {
    let address = "https://app.example.com/in?x=1"
    let target = "/sign-in?redirect_url=https%3A%2F%2Fapp.example.com%2Fin%3Fx%3D1"
    let allowed = ["https://app.example.com"]
    #expect(try await Self.lands(asking: target, allowed: allowed) == address)
    #expect(try await Self.lands(asking: target) == "/account")
  }

  @Test(
    "anything else is dropped, never followed, and logged (R8)",
    arguments: [
      "//evil.example", "/%5Cevil.example", "https:evil.example", "%09//evil.example",
      "javascript:alert(1)", "/a%0D%0ASet-Cookie:%20x=1", "/%00", "%20/reports", "",
    ]
  )
  func dropped(text: String) async throws {
    #expect(try await Self.lands(asking: "/sign-in?redirect_url=\(text)") == "/account")
    let test = try TestSite()
    _ = await test.visitor().open("/sign-in?redirect_url=\(text)")
    #expect(test.log.lines.contains { $0.hasPrefix("return address dropped") })
  }

  @Test("a return address is kept in the visit, and never read back from a form (S15)")
  func sealed() async throws {
    let posted = ["redirect_url": "/elsewhere"]
    #expect(try await Self.lands(asking: "/sign-in", posting: posted) == "/account")
    let target = "/sign-in?redirect_url=/reports"
    #expect(try await Self.lands(asking: target, posting: posted) == "/reports")
  }

  @Test("the log names the origin of a dropped address, and the option that admits it (R8, S28)")
  func loggedOrigin() async throws {
    let test = try TestSite()
    let target = "/sign-in?redirect_url=https%3A%2F%2Fapp.example.com%2Fcanary%3Fcanary"
    _ = await test.visitor().open(target)
    let line = try #require(test.log.lines.first { $0.hasPrefix("return address dropped") })
    #expect(line.contains("origin=https://app.example.com"), "\(line)")
    #expect(line.contains("--allow-redirect-origin") && !line.contains("canary"), "\(line)")
  }

  private static let values = ["identifier": "ada@example.com", "password": "p"]

  @Test(
    "somebody who is in already is led there too, by the same rule and once (R8, S15)",
    arguments: ["/sign-in", "/sign-up", "/forgot-password"]
  )
  func alreadyIn(path: String) async throws {
    let test = try TestSite(redirectOrigins: ["https://app.example.com"])
    let visitor = try test.visitor { $0.enter(Example.session()) }
    let address = "https://app.example.com/in"
    let asking = "\(path)?redirect_url="
    #expect(await visitor.open(asking + "/reports").location == "/reports")
    #expect(await visitor.open(asking + address).location == address)
    #expect(await visitor.open(asking + "https://evil.example/").location == "/account")
    #expect(await visitor.open(path).location == "/account")
    #expect(test.provider.calls.isEmpty)
  }

  @Test("the form of a second tab leads where the sign-in of the first led")
  func secondTab() async throws {
    let provider = ScriptedProvider(.signIn(.moved(to: .complete(Example.session()))))
    let visitor = try TestSite(provider).visitor()
    _ = await visitor.open("/sign-in?redirect_url=/reports")
    let token = visitor.token(for: "/sign-in")
    #expect(await visitor.post("/sign-in", Self.values).location == "/reports")
    let calls = provider.calls
    let second = await visitor.post("/sign-in", Self.values, token: token)
    #expect(second.location == "/reports")
    #expect(provider.calls == calls)
    #expect(await visitor.open("/sign-in").location == "/account")
  }

  @Test("a session that is over at the auth API leads to a new sign-in first (R3a)")
  func sessionOver() async throws {
    let over = Example.error(.signInAgain)
    let provider = ScriptedProvider(
      .thrown(over),
      .thrown(over),
      .signIn(.moved(to: .complete(Example.session())))
    )
    let visitor = try TestSite(provider).visitor { $0.enter(Example.session()) }
    #expect(await visitor.open("/sign-in?redirect_url=/reports").location == "/account")
    #expect(await visitor.open("/account").location == "/sign-in")
    #expect(await visitor.open("/sign-in").noticeCodes == ["sign_in_again"])
    #expect(await visitor.post("/sign-in", Self.values).location == "/reports")
  }

  @Test("a session with open tasks finishes them first, and keeps the return address (R3a)")
  func openTasks() async throws {
    let visitor = try TestSite().visitor {
      $0.enter(Example.session(tasks: [.resetPassword]))
    }
    let target = "/sign-in?redirect_url=/reports"
    #expect(await visitor.open(target).location == "/tasks/reset-password")
    #expect(await visitor.open("/tasks/reset-password").status == 200)
    #expect(visitor.visit?.returnAddress == "/reports")
  }

  @Test("the return address of somebody who is in and sees their account is forgotten")
  func forgotten() async throws {
    let visitor = try TestSite().visitor { $0.enter(Example.session()) }
    #expect(await visitor.open("/account?redirect_url=/reports").status == 200)
    #expect(visitor.visit?.returnAddress == nil)
  }

  @Test("somebody whom an application sends back again and again within seconds stays")
  func roundAndRound() async throws {
    let test = try TestSite()
    let visitor = try test.visitor { $0.enter(Example.session()) }
    let target = "/sign-in?redirect_url=/app"
    for _ in 0..<3 { #expect(await visitor.open(target).location == "/app") }
    #expect(await visitor.open(target).location == "/account")
    #expect(await visitor.open("/account").noticeCodes == ["already_signed_in"])
    for _ in 0..<5 {
      #expect(await visitor.open(target).location == "/app")
      test.clock.advance(6)
    }
  }

  @Test("a sign-out leads there, too, also if it was done before (S15)")
  func signOut() async throws {
    let visitor = try TestSite().visitor { $0.enter(Example.session()) }
    let target = "/sign-out?redirect_url=/bye"
    #expect(await visitor.open(target).status == 200)
    #expect(await visitor.post("/sign-out").location == "/bye")
    #expect(visitor.visit?.session == nil)
    #expect(await visitor.open(target).location == "/bye")
    #expect(await visitor.open("/sign-out").location == "/sign-in")
  }

  @Test(
    "a sign-out leads to the sign-in if its page was left meanwhile, or the address is dropped",
    arguments: [
      ["/sign-out?redirect_url=/bye", "/account"], ["/sign-out?redirect_url=/bye", "/sign-out"],
      ["/sign-out?redirect_url=//evil.example"], ["/sign-out?redirect_url=https://evil.example"],
    ]
  )
  func plainSignOut(opened: [String]) async throws {
    let visitor = try TestSite().visitor { visit in
      visit.enter(Example.session(tasks: [.resetPassword]))
      visit.returnAddress = "/reports"
    }
    for target in opened { _ = await visitor.open(target) }
    #expect(await visitor.post("/sign-out").location == "/sign-in")
  }
}
