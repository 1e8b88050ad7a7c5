@_spi(Provider) import AuthFlow
import Foundation
import Testing

@testable import Pages

/// Words that once were said twice, too early, or as nobody would say them.
@Suite("Words are plain, and said once")
struct PlainWordsTests {
  private static func example(_ name: String) throws -> PageExample {
    try #require(PageExample.all.first { $0.name == name })
  }

  @Test(
    "either the notice or the lead says where a code or link went, not both",
    arguments: [
      "sign-in-code/just-sent", "sign-in-link/just-sent", "sign-up-link/just-sent",
      "forgot-password-code/just-sent", "sign-in-device/just-sent", "sign-in-link/resent",
    ]
  )
  func sentOnce(_ name: String) throws {
    let example = try Self.example(name)
    let told = Self.count(of: "We ", in: try example.html().root.text)
    #expect(told == 1)
    var later = example.frame
    later.notices = []
    let html = try HTML(renderer.get().html(example.page, in: later))
    #expect(Self.count(of: "We ", in: html.root.text) == 1, "after a reload the lead says it")
  }

  private static func count(of word: String, in text: String) -> Int {
    text.components(separatedBy: word).count - 1
  }

  @Test("a page says only in the last ten minutes when its attempt ends (N6)")
  func endOfAttempt() throws {
    let attempt = SignInAttempt(
      identifier: try #require(Identifier(typed: "ada@example.com")),
      continuation: Continuation("c"),
      firstFactors: [],
      endsAt: Fixture.now.addingTimeInterval(3_600)
    )
    let page = Self.codePage(of: attempt)
    for (left, isTold) in [(3_600, false), (601, false), (600, true), (60, true), (0, true)] {
      let now = Fixture.now.addingTimeInterval(3_600 - Double(left))
      let html = try HTML(renderer.get().html(page, in: Fixture.frame(now: now)))
      let end = try #require(html.element(id: "page-ends"), "a page that stays open tells it later")
      #expect(end.text.hasPrefix("This page works until 15:23"), "\(left)")
      #expect((end["hidden"] == nil) == isTold, "\(left)")
      // Whoever listens learns it as the page comes, with the field that has the focus.
      let focused = try #require(html.all(having: "autofocus").first)
      let described = focused["aria-describedby"]?.split(separator: " ") ?? []
      #expect((described.last == "page-ends") == isTold, "\(left)")
    }
    let over = Fixture.now.addingTimeInterval(3_601)
    let html = try HTML(renderer.get().html(page, in: Fixture.frame(now: over)))
    #expect(html.element(id: "page-ends") == nil)
  }

  private static func codePage(of attempt: SignInAttempt) -> CodePage {
    let prompt = CodePrompt(
      attempt: attempt,
      stage: .passwordReset,
      factor: Factor(kind: .resetPasswordEmailCode, destination: "a•••@example.com")
    )
    return CodePage(prompt: prompt, flow: .passwordReset, offersOtherMethods: false)
  }

  @Test("a password that must change is not called forgotten")
  func mustChange() throws {
    let page = ForgotPasswordPage(instance: .unknown, identifier: nil)
    func heading(_ error: AuthError?) -> String {
      page.content(in: Fixture.frame(error: error)).heading.inEnglish
    }
    #expect(heading(nil) == "Forgot your password")
    let changed = AuthError(Problem(.passwordResetRequired, code: "invalid_grant"))
    #expect(heading(changed) == "Change your password")
  }

  @Test("people whose password must change are told so until they have begun")
  func stillMustChange() throws {
    let page = ForgotPasswordPage(instance: .unknown, identifier: nil, mustChange: true)
    let missing = AuthError(Problem(.missing, at: .identifier, code: "form_param_nil"))
    let content = page.content(in: Fixture.frame(error: missing))
    #expect(content.heading.inEnglish == "Change your password")
    #expect(content.forms.first?.fields.map(\.field) == [ForgotPasswordPage.change, .identifier])
  }

  @Test("the message names what it waits for: a link, or a page elsewhere")
  func stillWaiting() {
    func words(_ setting: Setting) -> String {
      ReasonWords(setting: setting).words(for: .stillWaiting).inEnglish
    }
    #expect(
      words(Setting(sendsLink: true))
        == "The link has not been opened yet. Open it, then check again."
    )
    #expect(words(Setting()) == "You have not finished there yet. Finish there, then come back.")
  }

  @Test("if a link was sent, the message speaks of a new link, not of a new code")
  func resentLink() throws {
    func words(_ reason: Reason, _ setting: Setting) -> String {
      ReasonWords(setting: setting).words(for: Problem(reason, code: "c")).inEnglish
    }
    let later = Reason.resendTooSoon(until: Fixture.now.addingTimeInterval(24))
    for reason in [later, .resendTooSoon(until: nil)] {
      let link = words(reason, Setting(sendsLink: true))
      #expect(link.contains("a new link") && !link.contains("code"))
      #expect(words(reason, Setting()) == link.replacing("link", with: "code"))
    }
    let page = try Self.example("sign-in-link/cooldown").html().root.text
    #expect(page.contains("You can ask for a new link at") && !page.contains("new code"))
  }

  @Test("nobody who reached the API is told to check the connection")
  func unavailable() {
    func words(_ reason: Reason) -> String {
      ReasonWords(setting: Setting()).words(for: Problem(reason, code: "c")).inEnglish
    }
    for reason in [Reason.offline, .serviceUnreachable] {
      #expect(words(reason).contains("Check the connection"))
    }
    for reason in [Reason.serviceAnswerLost, .serviceUnavailable] {
      #expect(words(reason) == "The sign-in service did not answer properly. Try again.")
    }
  }

  @Test("a step that the pages do not have is not said to be the account's fault")
  func unsupportedStep() {
    func content(_ reason: Reason, _ offersSignOut: Bool = false) -> PageContent {
      let error = AuthError(Problem(reason, code: "c"))
      return BlockedPage(error: error, offersSignOut: offersSignOut).content(in: Fixture.frame())
    }
    for offersSignOut in [false, true] {
      let heading = content(.stepUnsupported, offersSignOut).heading
      #expect(heading.inEnglish == "You cannot go on here")
    }
    #expect(content(.noUsableMethod).heading.inEnglish == "This account cannot sign in here")
    let words = ReasonWords(setting: Setting())
      .words(for: Problem(.stepUnsupported, code: "c")).inEnglish
    #expect(words.contains("one more step") && !words.contains("account"))
  }

  @Test("a person who has left their last organisation is not told to choose another")
  func leftTheLast() throws {
    let page = OrganizationPage(
      options: OrganizationOptions(mayCreate: true),
      identifier: "otto@example.com",
      step: .choose
    )
    let error = AuthError(Problem(.notAMember, at: .organization, code: "c"))
    let html = try HTML(renderer.get().html(page, in: Fixture.frame(error: error)))
    #expect(html.root.text.contains("You are no longer a member of that organisation."))
    #expect(!html.root.text.contains("Choose another"))
  }

  @Test("the page about another browser's link does not say to start again")
  func otherBrowser() throws {
    let html = try Self.example("sign-in-link/other-browser").html().root.text
    #expect(html.contains("This link belongs to another browser"))
    #expect(!html.contains("Start again"))
  }

  @Test("the page of a followed link says what its button does")
  func landing() throws {
    let html = try Self.example("sign-in-link/opened").html().root.text
    #expect(html.contains("Press “Continue” to sign in to this browser."))
  }

  @Test("a person sent to the start is not said to have moved on, nor called by what they typed")
  func sentToStart() throws {
    let frame = Fixture.frame(notices: [.movedOn])
    let page = SignInPage(instance: .unknown, identifier: "not an address", hasAttempt: false)
    let text = try HTML(renderer.get().html(page, in: frame)).root.text
    #expect(text.contains("That step is not under way. Start here."))
    #expect(!text.contains("not an address"))
    let step = ReasonWords(setting: Setting(identifier: "ada@example.com"))
    #expect(
      step.words(for: .movedOn).inEnglish
        == "You have moved on from that page. This is where ada@example.com is."
    )
  }

  @Test(
    "a notice and a banner together say only once to sign in again",
    arguments: [Reason.extraVerificationRequired, .consentRequired]
  )
  func signInAgain(_ reason: Reason) throws {
    let error = AuthError(Problem(reason, code: "interaction_required"))
    let frame = Fixture.frame(error: error, notices: [.signInAgain])
    let page = SignInPage(instance: .unknown, identifier: nil, hasAttempt: false)
    let html = try HTML(renderer.get().html(page, in: frame)).root.text
    #expect(Self.count(of: "ign in again", in: html) == 1)
  }
}
