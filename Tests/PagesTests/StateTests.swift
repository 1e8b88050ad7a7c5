@_spi(Provider) import AuthFlow
import Foundation
import Testing

@testable import Pages

@Suite("States of pages")
struct StateTests {
  private func example(_ name: String) throws -> PageExample {
    try #require(PageExample.all.first { $0.name == name })
  }

  @Test("when a lock's time is over, the page says that one can sign in again (N7, P-locked)")
  func lock() throws {
    let until = Fixture.now.addingTimeInterval(720)
    let page = LockedPage(
      problem: Problem(.locked(until: nil), code: "user_locked"),
      until: until,
      traceID: "trace-1"
    )
    #expect(!page.isOver(at: Fixture.now))
    #expect(page.isOver(at: until))
    let before = try HTML(renderer.get().html(page, in: Fixture.frame()))
    #expect(before.all.contains { $0["data-error-code"] == "user_locked" })
    #expect(before.root.text.contains("You can try again from: 14:35 UTC, in 12 minutes"))
    #expect(before.all("title").first?.text == "Account locked – Vestibule")
    let after = try HTML(renderer.get().html(page, in: Fixture.frame(now: until)))
    #expect(after.all("h1").first?.text == "You can sign in again")
    #expect(after.all(having: "data-error-code").isEmpty)
  }

  @Test("the page about a lock, and its twin, have what the API itself said")
  func lockDetail() throws {
    let page = LockedPage(
      problem: Problem(
        .locked(until: nil),
        code: "user_locked",
        detail: ErrorDetail(.api, facts: [.init("error", .string("invalid_grant"))])
      ),
      until: nil,
      traceID: nil
    )
    let html = try HTML(renderer.get().html(page, in: Fixture.frame()))
    #expect(html.all("code").contains { $0.text == "invalid_grant" })
    let twin = String(decoding: try renderer.get().json(page, in: Fixture.frame()), as: UTF8.self)
    #expect(twin.contains(#""detail":{"kind":"api","error":"invalid_grant"}"#))
  }

  @Test("the resend button can be pressed while it waits, and its name says until when (N4)")
  func cooldown() throws {
    let html = try example("sign-in-code/just-sent").html()
    let form = try #require(html.element(id: "resend"))
    let button = try #require(form.all.first { $0.tag == "button" })
    #expect(button["aria-disabled"] == "true" && button["disabled"] == nil)
    #expect(button.text == "Resend code, available at 14:23:30 UTC")
    #expect(form["action"] == "/sign-in/code/resend")
    let later = try #require(try example("sign-in-code/only-method").html().element(id: "resend"))
    #expect(later.text == "Resend code")
  }

  @Test(
    "a page restarts the flow that its path begins with",
    arguments: [
      ("sign-in-code/just-sent", "/sign-in/restart"),
      ("sign-in-methods/fresh", "/sign-in/restart"),
      ("sign-in-second-factor/in-password-reset", "/sign-in/restart"),
      ("forgot-password-code/just-sent", "/forgot-password/restart"),
      ("forgot-password-new/fresh", "/forgot-password/restart"),
      ("sign-up-continue/fresh", "/sign-up/restart"),
    ]
  )
  func restart(_ name: String, _ action: String) throws {
    let form = try example(name).html().element(id: "restart")
    #expect(form?["action"] == action)
    #expect(form?["data-action"] == "restart")
  }

  @Test("an authenticator app's page offers neither a resend nor the inbox")
  func app() throws {
    let html = try example("sign-in-second-factor/app").html()
    #expect(html.element(id: "resend") == nil)
    #expect(!html.all.contains { $0["data-link"] == "inbox" })
    #expect(html.all.contains { $0["data-link"] == "backup-code" })
  }

  @Test("a code page's twin says where the code went and how long it works")
  func codeFacts() throws {
    let facts = try #require(
      try example("sign-in-code/just-sent").json()["facts"] as? [String: Any]
    )
    #expect(facts["sent_to"] as? String == "m•••@example.com")
    #expect(facts["expires_at"] as? String == "2026-11-21T14:33:00Z")
    #expect(facts["code_length"] as? Int == 6)
  }

  @Test("each method is a form of its own; a second one of a kind has a number")
  func methods() throws {
    let json = try example("sign-in-methods/two-of-a-kind").json()
    let forms = try #require(json["forms"] as? [[String: Any]])
    #expect(forms.map { $0["name"] as? String } == ["email_code", "email_code-2", "restart"])
    let fields = try #require(forms[1]["fields"] as? [[String: Any]])
    #expect(fields.first?["name"] as? String == "factor")
    #expect(fields.first?["type"] as? String == "hidden")
    #expect(fields.first?["value"] as? String == "email_code-2")
  }

  @Test("the reason that a method must be chosen is in the banner, and marks the title (P-factor)")
  func concern() throws {
    let json = try example("sign-in-methods/leaked-password").json()
    let errors = try #require(json["errors"] as? [[String: Any]])
    #expect(errors.first?["code"] as? String == "form_password_pwned")
    #expect(errors.first?["reference"] as? String == "b1946ac92492d234")
    #expect((json["title"] as? String)?.hasPrefix("Error: ") == true)
  }

  @Test("sign-up is offered only if it is open to somebody")
  func signUpLink() throws {
    func names(_ name: String) throws -> [String] {
      try example(name).html().all.compactMap { $0["data-link"] }
    }
    #expect(try names("sign-in/fresh").contains("sign-up"))
    #expect(try names("sign-in/waiting-list").contains("sign-up"))
    #expect(try !names("sign-in/phone-only").contains("sign-up"))
    #expect(try !names("sign-in/fresh").contains("methods"))
    #expect(try names("sign-in/wrong-password").contains("methods"))
  }

  @Test("if the auth API does not answer, a link tries again, unless typed text would be lost")
  func retry() throws {
    func retry(_ name: String) throws -> [String: Any]? {
      let links = try #require(try example(name).json()["links"] as? [[String: Any]])
      return links.first { $0["name"] as? String == "try-again" }
    }
    #expect(try retry("account/offline")?["href"] as? String == "/account")
    #expect(try retry("sign-in/offline")?["href"] as? String == "/sign-in")
    #expect(try retry("sign-up/offline") == nil)
    #expect(try retry("sign-in/wrong-password") == nil)
  }

  @Test(
    "the page of a refused link leads on, to waiting or to sign-in (P-link)",
    arguments: [true, false]
  )
  func refusedLink(isWaiting: Bool) throws {
    let landing = LinkLandingPage(
      link: FollowedLink(.unredeemed, parameters: ["flow_id": "1"]),
      standing: .ready,
      flow: .signIn,
      isWaiting: isWaiting
    )
    func names(_ frame: PageFrame) throws -> [String] {
      try renderer.get().presentation(of: landing, in: frame).ways.map(\.name)
    }
    let refused = AuthError(Problem(.forbidden, code: "requires_captcha"))
    #expect(try names(Fixture.frame()) == [])
    #expect(try names(Fixture.frame(error: refused)) == [isWaiting ? "link" : "sign-in"])
  }

  @Test("in its last ten minutes each step of an attempt says when it ends (N6)")
  func lastMinutes() throws {
    let end = Fixture.now.addingTimeInterval(240)
    let identifier = try #require(Identifier(typed: "ada@example.com"))
    let attempt = SignInAttempt(
      identifier: identifier,
      continuation: Continuation("c"),
      firstFactors: [Factor(kind: .password)],
      endsAt: end
    )
    let pages: [any Page] = [
      NewPasswordPage(
        variant: .reset,
        identifier: identifier.text,
        rules: PasswordRules(minimumLength: 8),
        endsAt: end
      ),
      PasswordPage(identifier: identifier.text, offersOtherMethods: false, endsAt: end),
      BrowserPage(prompt: BrowserPrompt(identifier: identifier, attempt: attempt)),
      NewPasswordPage(
        variant: .task,
        identifier: identifier.text,
        rules: PasswordRules(minimumLength: 8),
        endsAt: end
      ),
      OrganizationPage(
        options: nil,
        identifier: identifier.text,
        step: .choose,
        endsAt: end
      ),
      SecondFactorSetupPage(
        setup: .methodRequired,
        methods: [.authenticator, .phone],
        identifier: identifier.text,
        endsAt: end
      ),
    ]
    for page in pages {
      func told(_ now: Date) throws -> HTML.Element? {
        try HTML(renderer.get().html(page, in: Fixture.frame(now: now))).element(id: "page-ends")
      }
      let soon = try #require(try told(Fixture.now), "\(page.name)")
      #expect(soon["hidden"] == nil && soon.text.contains("works until 14:27"), "\(page.name)")
      let later = try #require(try told(end.addingTimeInterval(-601)), "\(page.name)")
      #expect(later["hidden"] != nil, "\(page.name)")
    }
  }

  @Test(
    "the page that leads to a provider belongs to the flow begun, and restarts it (P-browser)",
    arguments: [
      (BrowserPrompt.Origin.signIn, FlowName.signIn, "/sign-in/restart"),
      (.signUp, .signUp, "/sign-up/restart"),
      (.passwordReset, .passwordReset, "/forgot-password/restart"),
    ]
  )
  func browserOrigin(origin: BrowserPrompt.Origin, flow: FlowName, restart: String) throws {
    let identifier = try #require(Identifier(typed: "ada@example.com"))
    let page = BrowserPage(prompt: BrowserPrompt(origin: origin, identifier: identifier))
    #expect(page.flow == flow)
    let html = try HTML(renderer.get().html(page, in: Fixture.frame()))
    #expect(html.element(id: "restart")?["action"] == restart)
  }

  @Test("a wait of over 15 minutes, as after a clock was moved back, is not shown (S34)")
  func longWait() {
    func available(after seconds: Double) -> Date? {
      Form.resend(
        .resendCode,
        availableAt: Fixture.now.addingTimeInterval(seconds),
        now: Fixture.now
      ).availableAt
    }
    #expect(available(after: 900) == Fixture.now.addingTimeInterval(900))
    #expect(available(after: 901) == nil)
    #expect(available(after: 0) == nil)
  }

  @Test("if a new code is needed, the button that asks for one stands out (P-code)")
  func urgedResend() throws {
    func weight(_ name: String) throws -> String? {
      try example(name).html().element(id: "resend")?.all.first { $0.tag == "button" }?["class"]
    }
    #expect(try weight("sign-in-code/expired") == "button button-primary")
    #expect(try weight("sign-in-code/too-many-tries") == "button button-primary")
    #expect(try weight("sign-in-code/just-sent") == "button button-quiet")
  }

  @Test("a page has one primary button, or none", arguments: PageExample.all)
  func onePrimary(_ example: PageExample) throws {
    let primary = try example.html().all.filter { $0["class"] == "button button-primary" }
    #expect(primary.count <= 1)
  }

  @Test("a step shows under its heading whom it is about, with a way to change that")
  func identity() throws {
    func chip(_ name: String) throws -> (text: String, changes: String?) {
      let html = try example(name).html()
      let chip = try #require(html.all.first { $0["class"] == "identity" })
      let button = chip.all.first { $0.tag == "button" }
      let link = chip.all.first { $0.tag == "a" }
      return (chip.text, button?["form"] ?? link?["href"])
    }
    #expect(try chip("sign-in-code/just-sent") == ("M mia@example.com Change", "restart"))
    #expect(
      try chip("sign-in-password/fresh")
        == ("A ada@example.com Change", "/sign-in?identifier=ada%40example.com")
    )
    #expect(try chip("sign-up-verify/email").changes == "/sign-up?change")
    #expect(try chip("tasks-choose-organization/fresh").changes == "sign-out")
    #expect(try chip("sign-out/fresh").changes == nil, "leaving is what the page is for")
  }

  @Test("a refused form's page tells scripts its own path, so that nothing is sent again (E7)")
  func refusedAt() throws {
    func path(_ name: String) throws -> String? {
      try example(name).html().all("main").first?["data-refused-at"]
    }
    #expect(try path("sign-in/wrong-password") == "/sign-in")
    #expect(try path("sign-in-code/wrong-code") == "/sign-in/code")
    #expect(try path("sign-in/fresh") == nil)
    let shown = try #require(
      try Atlas(renderer: renderer.get()).page(named: "sign-in/wrong-password")
    )
    #expect(
      try HTML(shown).all("main").first?["data-refused-at"] == nil,
      "a page in the atlas keeps its address"
    )
  }

  @Test("the twin's link to sign-in carries the address that is taken (P-signup)")
  func carriedAddress() throws {
    let json = try example("sign-up/many-errors").json()
    let links = try #require(json["links"] as? [[String: Any]])
    let signIn = links.filter { $0["name"] as? String == "sign-in" }
    #expect(signIn.count == 1)
    #expect(signIn.first?["href"] as? String == "/sign-in?identifier=grace%40example.com")
  }

  @Test("a person without a password is led to their account's other methods (P-forgot)")
  func otherMethods() throws {
    let example = try example("forgot-password/no-password")
    let link = try #require(example.html().all.first { $0["data-link"] == "methods" })
    #expect(link.text == "Choose another method")
    #expect(link["href"]?.hasPrefix("/sign-in?identifier=") == true)
    let links = try #require(example.json()["links"] as? [[String: Any]])
    #expect(links.contains { $0["name"] as? String == "methods" })
  }

  @Test(
    "pages have the headings that the rules give them (R5)",
    arguments: [
      ("sign-in-methods", "Choose a method"), ("sign-in-code", "Enter the code"),
      ("forgot-password", "Forgot your password"), ("sign-in-enrolment", "Register a method"),
      ("continue", "Continue in the browser"), ("account", "Signed in"),
    ]
  )
  func headings(_ page: String, _ heading: String) throws {
    let headings = try PageExample.all.filter { $0.page.name == page }.map { example in
      try example.html().all("h1").first?.text
    }
    #expect(headings.contains(heading))
  }

  @Test("what was typed comes back, and a password is asked for again (F5)")
  func typed() throws {
    let html = try example("sign-in/unknown-account").html()
    #expect(html.element(id: "sign-in-identifier")?["value"] == "ada@example.com")
    #expect(html.element(id: "sign-in-password-hint")?.text == "Enter your password again.")
    let page = try example("sign-in/unknown-account").page
    let error = AuthError(Problem(.attemptEnded, code: "attempt_ended"))
    let frame = Fixture.frame(error: error)
    let nothingTyped = try HTML(renderer.get().html(page, in: frame))
    #expect(nothingTyped.element(id: "sign-in-password-hint") == nil)
    let signUp = try example("sign-up/many-errors").html()
    #expect(signUp.element(id: "sign-up-first_name")?["value"] == "Grace")
    #expect(signUp.element(id: "sign-up-legal_accepted")?["checked"] != nil)
  }

  @Test("a message calls a field by the name that the auth API gave it")
  func attributeName() throws {
    let html = try example("sign-up/choice").html()
    let message = html.all.first { $0["class"] == "error-message" }?.text
    #expect(message?.contains("Department") == true, "\(message ?? "no message")")
  }

  @Test("a select has one empty choice: the API's own, if it has one")
  func emptyChoice() throws {
    for (choices, values) in [
      (["North", "South"], ["", "North", "South"]), (["", "North"], ["", "North"]),
    ] {
      let entry = SignUpForm.Entry(Field(named: "area"), isRequired: false, choices: choices)
      let page = SignUpPage(
        form: SignUpForm(mode: .open, fields: [entry]),
        rules: PasswordRules(minimumLength: 8),
        values: [:],
        acceptsTerms: false
      )
      let html = try HTML(renderer.get().html(page, in: Fixture.frame()))
      #expect(html.all("option").map { $0["value"] } == values)
    }
  }

  @Test("a moment from which something is possible is rounded up to the next second (N4)")
  func wholeSeconds() throws {
    let until = Fixture.now.addingTimeInterval(60.4)
    let locked = LockedPage(
      problem: Problem(.locked(until: until), code: "user_locked"),
      until: until,
      traceID: nil
    )
    let bytes = try renderer.get().json(locked, in: Fixture.frame())
    let twin = try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    #expect((twin["facts"] as? [String: Any])?["until"] as? String == "2026-11-21T14:24:01Z")
    let errors = twin["errors"] as? [[String: Any]]
    #expect(errors?.first?["until"] as? String == "2026-11-21T14:24:01Z")
    let html = try HTML(renderer.get().html(locked, in: Fixture.frame()))
    #expect(html.all("time").map { $0["datetime"] }.contains("2026-11-21T14:24:01Z"))
    #expect(!html.all("time").map { $0["datetime"] }.contains("2026-11-21T14:24:00Z"))
    #expect(!locked.isOver(at: Fixture.now.addingTimeInterval(60)))
    #expect(locked.isOver(at: Fixture.now.addingTimeInterval(61)))
    let form = Form("resend", action: .resendCode, button: .verbatim("Resend"), availableAt: until)
    #expect(form.availableAt == Fixture.now.addingTimeInterval(61))
  }

  @Test("a page tells scripts to the millisecond when it was rendered (N2)")
  func lookedAt() throws {
    let page = SignInPage(instance: .unknown, identifier: nil, hasAttempt: false)
    let frame = Fixture.frame(now: Fixture.now.addingTimeInterval(0.25))
    let html = try HTML(renderer.get().html(page, in: frame))
    #expect(html.all("main").first?["data-now"] == "2026-11-21T14:23:00.250Z")
  }

  @Test("the account's facts are the documented ones")
  func account() throws {
    let facts = try #require(try example("account/pending").json()["facts"] as? [String: Any])
    #expect(Set(facts.keys) == ["user", "session", "organization", "tasks", "factors"])
    #expect(facts["factors"] as? [String] == [])
    let others = try example("account/sessions").json()["facts"] as? [String: Any]
    #expect(others?["factors"] as? [String] == ["password", "totp"])
    #expect(facts["organization"] is NSNull)
    #expect(facts["tasks"] as? [String] == ["setup-mfa", "wave"])
    let session = try #require(facts["session"] as? [String: Any])
    #expect(session["status"] as? String == "pending")
    #expect(session["expires_at"] as? String == "2026-11-21T15:23:00Z")
  }

  @Test("an emulated API is named on every page (S24)", arguments: PageExample.all)
  func emulation(_ example: PageExample) throws {
    let says = try example.html().root.text.contains("Emulated Clerk API · world main")
    #expect(says == (example.frame.emulation != nil))
  }

  @Test("only a form's token is refused in other words if its cookie is missing")
  func missingCookie() throws {
    let page = SignInPage(instance: .unknown, identifier: nil, hasAttempt: false)
    for refusal in [SiteRefusal.formTokenInvalid, .attemptEnded, .originRefused] {
      var frame = Fixture.frame(refusal: refusal)
      let kept = try renderer.get().html(page, in: frame)
      frame.lacksCookie = true
      let missing = try renderer.get().html(page, in: frame)
      #expect((kept != missing) == (refusal == .formTokenInvalid), "\(refusal)")
    }
  }

  @Test(
    "a missing password comes with the identifier given before, unless another one is asked for",
    arguments: [
      ([.lastName, .password], "ada@example.com"), ([.username, .password], nil),
      ([.lastName], nil),
    ] as [([Field], String?)]
  )
  func identifierOfPassword(fields: [Field], identifier: String?) throws {
    let attempt = SignUpAttempt(
      continuation: Continuation("c"),
      values: [.emailAddress: "ada@example.com"]
    )
    let page = MissingDetailsPage(
      prompt: try #require(MissingDetailsPrompt(attempt: attempt, fields: fields)),
      rules: PasswordRules(minimumLength: 8),
      values: [:]
    )
    let form = try #require(page.content(in: Fixture.frame()).forms.first)
    let helpers = form.fields.filter { $0.kind == .usernameHelper }.map(\.value)
    #expect(helpers == (identifier == nil ? [] : [identifier]))
  }
}
