import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

@Suite("Emailed links (P-link)", .inTurn)
struct EmailLinkJourneys {
  private static let address = "link@example.com"

  /// What a link looks like to the pages: its path and query.
  static func path(of message: TestBackstage.Message) throws -> String {
    let link = try #require(message.link)
    let rest = try #require(link.range(of: "://"))
    let slash = try #require(link[rest.upperBound...].firstIndex(of: "/"))
    return String(link[slash...])
  }

  private static func newestLink(_ scene: Scene, to address: String = address) async throws
    -> String
  {
    try path(of: try await scene.backstage.latestMessage(to: address))
  }

  @Test(
    "the link signs in the browser that asked for it, and only by its button",
    arguments: Stage.allCases
  )
  func signIn(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let waiting = try await browser.signIn(Self.address)
      #expect(waiting.path == "/sign-in/link")
      #expect(waiting.page == "sign-in-link")
      #expect(waiting.step == "link")
      #expect(waiting.noticeCodes == ["code_sent"])
      #expect(waiting.facts["sent_to"] as? String == Self.address)
      #expect(waiting.facts["expires_at"] is String)
      #expect(waiting.links.allSatisfy { $0.name != "methods" })
      let opened = try await browser.open(Self.newestLink(scene))
      #expect(opened.noticeCodes == [], "Not the notice of the page that waits")
      try await browser.open("/sign-in/link")
      let still = try await browser.submit()
      #expect(still.path == "/sign-in/link")
      #expect(still.noticeCodes == ["still_waiting"])

      let path = try await Self.newestLink(scene)
      // A preview fetches the link without cookies, and changes nothing.
      let preview = try await scene.newBrowser().open(path)
      #expect(preview.page == "sign-in-link")
      let landing = try await browser.open(path)
      #expect(landing.status == 200)
      #expect(landing.page == "sign-in-link")
      #expect(landing.form?.name == "continue")
      #expect(landing.noticeCodes == [])
      #expect(try await browser.open("/account").path == "/sign-in/link")
      try await browser.open(path)
      let entered = try await browser.submit()
      #expect(entered.page == "account")
    }
  }

  @Test("a used link says so when it is opened here again (410)", arguments: Stage.allCases)
  func used(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn(Self.address)
      let path = try await Self.newestLink(scene)
      try await browser.open(path)
      try await browser.submit()
      let again = try await browser.open(path)
      #expect(again.status == 410)
      #expect(again.errorCodes == ["link_used"])
      #expect(again.title.hasPrefix("Error: This link has been used"))
      #expect(try await browser.open("/account").page == "account")
    }
  }

  @Test(
    "after the sign-in, the page that sent the link leads on without a notice",
    arguments: Stage.allCases
  )
  func comingBack(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let waiting = try await browser.signIn(Self.address)
      #expect(waiting.path == "/sign-in/link")
      let check = try await browser.filled([:])
      try await browser.open(try await Self.newestLink(scene))
      #expect(try await browser.submit().page == "account")
      let answer = try await browser.send(.post, check.form.action, body: check.body)
      let entered = try await browser.follow(answer, from: check.form.action)
      #expect(entered.page == "account")
      #expect(entered.noticeCodes == [])
      let reloaded = try await browser.open("/sign-in/link")
      #expect(reloaded.page == "account")
      #expect(reloaded.noticeCodes == [])
    }
  }

  @Test("another browser is told to use the first one (403)", arguments: Stage.allCases)
  func otherBrowser(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn(Self.address)
      let path = try await Self.newestLink(scene)
      let other = scene.newBrowser()
      let refused = try await other.open(path)
      #expect(refused.status == 403)
      #expect(refused.errorCodes == ["link_other_browser"])
      #expect(try await other.open("/account").page == "sign-in")
      // Nor does it work in a browser that waits for a link of its own.
      try await other.signIn(Self.address)
      #expect(try await other.open(path).status == 403)
      // The first browser is none the worse for it.
      try await browser.open(path)
      let entered = try await browser.submit()
      #expect(entered.page == "account")
    }
  }

  @Test("an old link has expired (410), and a new one works", arguments: Stage.allCases)
  func expired(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn(Self.address)
      let path = try await Self.newestLink(scene)
      try await scene.backstage.advanceClock(by: .seconds(601))
      var late = try await browser.open(path)
      // Pages with a clock of their own find out from the auth API.
      if !scene.pagesFollowTheClock { late = try await browser.submit() }
      #expect(late.status == 410)
      #expect(!late.errorCodes.isEmpty)
      let waiting = try await browser.open("/sign-in/link")
      #expect(waiting.path == "/sign-in/link")
      guard scene.pagesFollowTheClock else { return }
      let checked = try await browser.submit()
      #expect(checked.status == 422)
      #expect(checked.errorCodes == ["verification_expired"])
      let resent = try await browser.submit(form: "resend")
      #expect(resent.noticeCodes == ["code_resent"])
      // Only the newest link works.
      try await browser.open(path)
      let old = try await browser.submit()
      #expect(old.errorCodes == ["approval_token_invalid"])
      try await browser.open(try await Self.newestLink(scene))
      #expect(try await browser.submit().page == "account")
    }
  }

  @Test("a link is not sent twice within the cooldown (N4)", arguments: Stage.allCases)
  func cooldown(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let waiting = try await browser.signIn(Self.address)
      #expect(waiting.form("resend")?.availableAt != nil)
      let soon = try await browser.submit(form: "resend")
      #expect(soon.status == 429)
      #expect(soon.page == "sign-in-link")
      #expect(try await scene.backstage.messages(to: Self.address).count == 1)
    }
  }

  @Test(
    "the page shows the status in a link's address, in the same browser and in another",
    arguments: Stage.allCases,
    [
      ("verified", nil, 200), ("transferable", nil, 200), ("expired", "link_expired", 410),
      ("failed", "link_failed", 422), ("client_mismatch", "link_other_browser", 403),
    ] as [(String, String?, Int)]
  )
  func verdicts(stage: Stage, verdict: (word: String, code: String?, status: Int)) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn(Self.address)
      let path = "/sign-in/link?__clerk_status=\(verdict.word)"
      for (visitor, place) in [(browser, "/sign-in/link"), (scene.newBrowser(), "/sign-in")] {
        let landing = try await visitor.open(path)
        #expect(landing.path == path)
        #expect(landing.page == "sign-in-link")
        #expect(landing.status == verdict.status)
        #expect(landing.errorCodes == (verdict.code.map { [$0] } ?? []))
        #expect(try await visitor.open("/account").path == place)
      }
      // The status in the address proves nothing: the auth API is asked.
      try await browser.open(path)
      guard verdict.code == nil else { return }
      let still = try await browser.submit()
      #expect(still.path == "/sign-in/link")
      #expect(still.noticeCodes == ["still_waiting"])
    }
  }

  @Test(
    "if codes and links are offered, either can be chosen and leads in",
    arguments: Stage.allCases
  )
  func choice(stage: Stage) async throws {
    try await stage.play(.init(instance: #"{"email_link": true}"#)) { scene in
      let browser = scene.newBrowser()
      let methods = try await browser.signIn("cody@example.com")
      #expect(methods.path == "/sign-in/methods")
      #expect(methods.forms.map(\.name).prefix(2) == ["email_code", "email_link"])
      let link = try await browser.submit(form: "email_link")
      #expect(link.path == "/sign-in/link")
      #expect(link.links.contains { $0.name == "methods" })
      try await browser.open("/sign-in/methods")
      let code = try await browser.submit(form: "email_code")
      #expect(code.path == "/sign-in/code")
      let typed = try await scene.backstage.messages(to: "cody@example.com").compactMap(\.code)
      #expect(try await browser.submit(["code": try #require(typed.first)]).page == "account")

      let other = scene.newBrowser()
      try await other.signIn("cody@example.com")
      #expect(try await other.submit(form: "email_link").path == "/sign-in/link")
      try await other.open(try await Self.newestLink(scene, to: "cody@example.com"))
      #expect(try await other.submit().page == "account")
    }
  }

  @Test("a new address is verified by a link, or by a code instead", arguments: Stage.allCases)
  func signUp(stage: Stage) async throws {
    try await stage.play(.init(instance: #"{"email_link": true}"#)) { scene in
      let browser = scene.newBrowser()
      let waiting = try await browser.signUp("noor@example.com")
      #expect(waiting.path == "/sign-up/link")
      #expect(waiting.noticeCodes == ["code_sent"])
      #expect(try await browser.submit().noticeCodes == ["still_waiting"])
      let message = try await scene.backstage.latestMessage(to: "noor@example.com")
      #expect(message.purpose == "sign_up")
      let path = try Self.path(of: message)
      #expect(try await scene.newBrowser().open(path).status == 403)
      #expect(try await browser.open(path).form?.name == "continue")
      #expect(try await browser.submit().page == "account")
      #expect(try await browser.open(path).status == 410)

      let other = scene.newBrowser()
      try await other.signUp("nour@example.com")
      let changing = try await other.open("/sign-up?change")
      #expect(changing.links.first { $0.name == "back" }?.href == "/sign-up/link")
      #expect(!changing.links.contains { $0.href == "/sign-up/verify" })
      try await other.open("/sign-up/link")
      let verify = try await other.submit(form: "email_code")
      #expect(verify.path == "/sign-up/verify")
      #expect(verify.forms.contains { $0.name == "email_link" })
      let code = try await scene.backstage.latestCode(to: "nour@example.com", purpose: "sign_up")
      #expect(try await other.submit(["code": code]).page == "account")
    }
  }
}
