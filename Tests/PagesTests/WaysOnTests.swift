@_spi(Provider) import AuthFlow
import Foundation
import Testing

@testable import Pages

@Suite("Where a page leads")
struct WaysOnTests {
  private static func example(_ name: String) throws -> PageExample {
    try #require(PageExample.all.first { $0.name == name }, "\(name)")
  }

  @Test(
    "every link to sign-up carries the typed address, in the twin too (P-signin)",
    arguments: ["sign-in/prefilled", "sign-in/wrong-password", "sign-in/unknown-account"]
  )
  func carriedAddress(_ name: String) throws {
    let expected = "/sign-up?email_address=ada%40example.com"
    let example = try Self.example(name)
    let links = try example.html().all.filter { $0["data-link"] == "sign-up" }
    #expect(!links.isEmpty)
    #expect(links.allSatisfy { $0["href"] == expected })
    let twin = try #require(try example.json()["links"] as? [[String: Any]])
    let told = twin.filter { $0["name"] as? String == "sign-up" }
    #expect(told.map { $0["href"] as? String } == [expected])
  }

  @Test("nothing is carried if nothing was typed")
  func nothingTyped() throws {
    let link = try Self.example("sign-in/fresh").html().all.first { $0["data-link"] == "sign-up" }
    #expect(link?["href"] == "/sign-up")
  }

  @Test(
    "a failure that may pass offers only to try again where it failed",
    arguments: SiteRefusal.allCases
  )
  func failures(_ refusal: SiteRefusal) throws {
    let page = ErrorPage(status: 503, refusal: refusal, retry: .resetCode)
    let links = try HTML(renderer.get().html(page, in: Fixture.frame())).all("main")
      .flatMap(\.all).filter { $0["data-link"] != nil }
    let buttons = links.filter { $0["class"] == "button button-primary" }
    guard !refusal.isOfTheName else {
      return #expect(links.isEmpty)
    }
    #expect(buttons.count == 1)
    #expect((buttons.first?["data-link"] == "try-again") == refusal.passes)
    if refusal.passes {
      #expect(links.count == 1)
      #expect(buttons.first?["href"] == "/forgot-password/code")
    }
  }

  @Test(
    "an address that names no world leads to where pages are served, and to help (P-errors, 3.2.6)"
  )
  func noWorld() throws {
    let html = try Self.example("error/invalid_world").html()
    let button = try #require(html.all("main").flatMap(\.all).first { $0["data-link"] != nil })
    #expect(button["href"] == "http://localhost:8080/sign-in")
    #expect(html.all.contains { $0["data-link"] == "help" })
    #expect(html.all("div").contains { $0["class"] == "demo-bar" }, "S24")
    #expect(!html.all("a").contains { $0["href"]?.hasPrefix("/backstage") == true })
  }

  @Test(
    "a page that is one message has one button",
    arguments: PageExample.all.filter {
      $0.page.content(in: $0.frame).outcome != nil
        && $0.name != "error/host_not_allowed"
    }
  )
  func oneButton(_ example: PageExample) throws {
    let html = try example.html()
    let buttons = html.all("main").flatMap(\.all).filter {
      $0["class"]?.contains("button-primary") == true
    }
    #expect(buttons.count == 1)
  }

  @Test(
    "a refusal on the way to a provider leads to support only if there is no other method",
    arguments: [(Factor.Kind.password, true), (.enterprise, false)]
  )
  func refusedInTheBrowser(_ kind: Factor.Kind, hasOtherMethods: Bool) throws {
    let identifier = try #require(Identifier(typed: "sven@example.com"))
    let attempt = SignInAttempt(
      identifier: identifier,
      continuation: Continuation("1"),
      firstFactors: [Factor(kind: kind)]
    )
    let page = BrowserPage(prompt: BrowserPrompt(identifier: identifier, attempt: attempt))
    let error = AuthError(Problem(.methodUnavailable, code: "strategy_for_user_invalid"))
    let html = try HTML(renderer.get().html(page, in: Fixture.frame(error: error)))
    #expect(html.all.contains { $0["data-link"] == "methods" } == hasOtherMethods)
    let message = try #require(
      html.all.first { $0["data-error-code"] == "strategy_for_user_invalid" }
    )
    #expect(message.text.contains("Use another method.") == hasOtherMethods)
    #expect(message.text.contains("Contact support.") != hasOtherMethods)
  }

  @Test("the icon of a refusal is red only for a failure (P-errors)")
  func signs() throws {
    for refusal in SiteRefusal.allCases {
      let page = ErrorPage(status: 400, refusal: refusal)
      let html = try HTML(renderer.get().html(page, in: Fixture.frame()))
      let icon = try #require(html.all("svg").first?["class"])
      let failures: [SiteRefusal] = [
        .offline, .serviceUnavailable, .serviceTimedOut, .serviceAnsweredNonsense, .internalError,
        .worldUnavailable,
      ]
      #expect((icon == "icon icon-failure") == failures.contains(refusal), "\(refusal)")
    }
  }

  @Test(
    "waiting is not a failure: its banner is calm",
    arguments: [
      ("sign-in-code/cooldown", true), ("sign-in/too-many-requests", true),
      ("sign-in-code/too-many-tries", true), ("sign-in-link/expired", true),
      ("sign-in/offline", false), ("forgot-password/no-password", false),
      ("sign-in/attempt-ended", false),
    ]
  )
  func calm(_ name: String, _ isCalm: Bool) throws {
    let html = try Self.example(name).html()
    let banner = try #require(html.all.first { $0["class"] == "banner" })
    #expect(banner["data-tone"] == (isCalm ? "calm" : nil))
  }

  @Test("a banner's heading is that of its first message, and it is calm only if nothing failed")
  func heading() throws {
    let page = try Self.example("sign-in/fresh").page
    let waiting = AuthError(Problem(.tooManyRequests(until: nil), code: "too_many_requests"))
    let alone = try renderer.get().presentation(of: page, in: Fixture.frame(error: waiting))
    #expect(alone.isOnlyAWait)
    let both = try renderer.get().presentation(
      of: page,
      in: Fixture.frame(error: waiting, refusal: .attemptEnded)
    )
    #expect(both.general.map(\.code) == ["attempt_ended", "too_many_requests"])
    #expect(both.generalHeading == SiteRefusal.attemptEnded.heading.inEnglish)
    #expect(both.generalHeading != alone.generalHeading)
    #expect(!both.isOnlyAWait)
  }

  @Test(
    "the focus begins at the first field that is empty, or at what is to be changed (E7)",
    arguments: [
      ("sign-in/fresh", "identifier"), ("sign-in/prefilled", "password"),
      ("forgot-password/prefilled", "identifier"), ("sign-up/every-field", "first_name"),
      ("sign-up/changing", "email_address"),
    ]
  )
  func focus(_ name: String, _ field: String) throws {
    #expect(try Self.example(name).html().all(having: "autofocus").map { $0["name"] } == [field])
  }

  @Test("if every field may stay empty, the focus begins at the first (E7)")
  func optionalFields() throws {
    let page = SignUpPage(
      form: SignUpForm(
        mode: .open,
        fields: [Field.firstName, .lastName].map { .init($0, isRequired: false) }
      ),
      rules: PasswordRules(minimumLength: 8),
      values: [:],
      acceptsTerms: false
    )
    let html = try HTML(renderer.get().html(page, in: Fixture.frame()))
    #expect(html.all(having: "autofocus").map { $0["name"] } == ["first_name"])
  }

  @Test("the notice about an ended session is read before the list of the others (E7)")
  func endedSession() throws {
    let page = try Self.example("account/sessions").page
    let html = try HTML(renderer.get().html(page, in: Fixture.frame(notices: [.sessionEnded])))
    #expect(html.all(having: "autofocus").map { $0["id"] } == ["notices"])
    #expect(html.element(id: "notices")?["tabindex"] == "-1")
    #expect(html.element(id: "sessions-heading")?["tabindex"] == nil)
    let frame = Fixture.frame(
      error: AuthError(Problem(.serviceTimedOut, code: "timed_out")),
      notices: [.sessionEnded]
    )
    let refused = try HTML(renderer.get().html(page, in: frame))
    #expect(refused.all(having: "autofocus").map { $0["class"] } == ["banner"])
  }

  @Test("signing out everywhere is offered with or without the list of sessions (P-signedin)")
  func everywhere() throws {
    func session(_ id: String) -> ActiveSession {
      ActiveSession(id: id, isCurrent: id == "sess_1", device: .init(), lastActiveAt: nil)
    }
    let one = Session(
      id: "sess_1",
      user: .init(id: "user_1", identifier: "ada@example.com"),
      expiresAt: Fixture.now
    )
    for (overview, endings) in [
      (.folded, ["end-others", "end-all"]),
      (.listed([session("sess_1")]), ["end-all"]),
      (
        .listed([session("sess_1"), session("sess_2")]),
        ["end-session-2", "end-others", "end-all"]
      ),
      (.unavailable, []),
    ] as [(SessionOverview, [String])] {
      let page = AccountPage(session: one, sessions: overview)
      let html = try HTML(renderer.get().html(page, in: Fixture.frame()))
      let forms = html.all("form").filter { $0["action"] == "/account/sessions" }
      #expect(forms.map { $0["id"] } == endings)
    }
  }

  @Test("a page that says to open another has the link to it, with a reason or without (P-browser)")
  func identityProvider() throws {
    for name in ["continue/fresh", "continue/with-reason"] {
      #expect(try Self.example(name).html().all.contains { $0["data-link"] == "open" }, "\(name)")
    }
    // If the API names no address, there is no page to open.
    let unlinked = try Self.example("continue/without-link").html()
    #expect(!unlinked.all.contains { $0["data-link"] == "open" })
  }

  @Test("if no page can be opened, nobody is asked whether they have finished there (P-browser)")
  func nowhereToGoOn() throws {
    let identifier = try #require(Identifier(typed: "ada@example.com"))
    func content(_ factors: [Factor], _ browser: BrowserPrompt.Browser = .away) -> PageContent {
      BrowserPage(
        prompt: BrowserPrompt(
          identifier: identifier,
          providerName: "Google",
          attempt: SignInAttempt(
            identifier: identifier,
            continuation: Continuation("1"),
            firstFactors: factors
          ),
          browser: browser
        )
      ).content(in: Fixture.frame())
    }
    let alone = content([])
    #expect(alone.heading == .page(.blockedHeadingSignedIn))
    #expect(alone.lead.last == .page(.browserNextNone))
    #expect(alone.forms.map(\.name) == ["restart"] && alone.links.isEmpty)
    let among = content([Factor(kind: .emailCode, reference: "idn_1")])
    #expect(among.heading == .outcome(.adviceChooseAnotherMethod))
    #expect(among.forms.map(\.name) == ["restart"] && among.links.map(\.name) == ["methods"])
    let back = content([], .returned)
    #expect(back.heading == .page(.browserHeading))
    #expect(back.forms.map(\.name) == ["finished", "restart"])
  }

  @Test(
    "a signed-in person who is refused more permissions is led back to the account (P-scopes)",
    arguments: [
      ("permissions/no-more-granted", true), ("permissions/none-granted", false),
      ("permissions/some-granted", false),
    ]
  )
  func morePermissions(_ name: String, _ leadsBack: Bool) throws {
    let example = try Self.example(name)
    let html = try example.html()
    let links = html.all.filter { $0["data-link"] == "account" }
    #expect(links.map { $0["href"] } == (leadsBack ? ["/account"] : []))
    let twin = try #require(try example.json()["links"] as? [[String: Any]])
    #expect(twin.contains { $0["name"] as? String == "account" } == leadsBack)
    let isTheEnd = html.root.text.contains(Phrase.page(.permissionsNone).inEnglish)
    #expect(isTheEnd == (name == "permissions/none-granted"))
    let buttons = html.all("main").flatMap(\.all).filter {
      $0["class"]?.contains("button-primary") == true
    }
    #expect(buttons.count == 1)
  }

  @Test("a missing value's input is empty beside the message that asks for it (E5)")
  func nothingEntered() throws {
    let html = try Self.example("sign-in-enrolment/nothing-entered").html()
    let form = try #require(html.element(id: "enrolment"))
    let wrong = form.all.filter { $0["aria-invalid"] == "true" }
    #expect(wrong.map { $0["data-field"] ?? $0["name"] } == ["method", "contact"])
    #expect(!form.all.contains { $0["checked"] != nil })
    #expect(try #require(wrong.last)["value"] ?? "" == "")
  }

  @Test("what only support needs is folded away, and a session's place has no full stop")
  func account() throws {
    let html = try Self.example("account/sessions").html()
    let folded = try #require(html.all("details").first)
    #expect(folded.text.contains("sess_2aJ9example"))
    let details = html.all.filter { $0["class"] == "details" }
    #expect(!details.contains { $0.text.contains("sess_2aJ9example") })
    #expect(html.root.text.contains("127.0.0.1 · Last used"))
  }
}
