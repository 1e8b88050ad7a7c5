import Testing
import VestibuleTesting

@Suite("Tokens and permissions", .inTurn)
struct TokenJourneys {
  @Test("the account page says what the token is good for, and until when", arguments: Stage.entra)
  func facts(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let page = try await browser.signIn("ada@example.com")
      #expect(
        page.facts["scopes"] as? [String]
          == ["openid", "profile", "offline_access", "api://orders/Read", "api://orders/Write"]
      )
      #expect(page.facts["token_expires_at"] is String)
      let renewed = try await browser.submit(form: "get-token")
      #expect(renewed.redirects == ["/account"])
      #expect(renewed.noticeCodes == ["token_renewed"])
      let fewer = try await browser.submit(["scopes": "api://orders/Read"], form: "get-token")
      #expect(
        fewer.facts["scopes"] as? [String]
          == ["openid", "profile", "offline_access", "api://orders/Read"]
      )
    }
  }

  @Test(
    "a token that ends is renewed silently",
    arguments: Stage.entra.filter(\.pagesFollowTheClock)
  )
  func silent(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let before = try await browser.signIn("ada@example.com")
      try await scene.backstage.advanceClock(by: .seconds(3_600))
      let after = try await browser.open("/account")
      #expect(after.page == "account")
      let ends = [before, after].map { $0.facts["token_expires_at"] as? String ?? "" }
      #expect(ends[0] < ends[1])
    }
  }

  @Test(
    "dina goes on without the permission that was declined, and is not asked again",
    arguments: Stage.entra
  )
  func declined(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.open("/sign-in?redirect_url=/account?from=here")
      let page = try await browser.submit(["identifier": "dina@example.com", "password": password])
      #expect(page.redirects == ["/permissions"])
      #expect(page.facts["granted"] as? [String] == ["api://orders/Read"])
      #expect(page.facts["declined"] as? [String] == ["api://orders/Write"])
      #expect(page.forms.map(\.name) == ["continue", "stop"])
      // The sign-in is not complete yet.
      #expect(try await browser.open("/account").path != "/account")
      try await browser.open("/permissions")
      let entered = try await browser.submit(form: "continue")
      #expect(entered.redirects == ["/account?from=here"])
      let again = try await browser.submit(form: "get-token")
      #expect(again.path == "/account")
    }
  }

  @Test("dina stops, and is signed out", arguments: Stage.entra)
  func stopped(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("dina@example.com")
      let out = try await browser.submit(form: "stop")
      #expect(out.path == "/sign-in")
      #expect(out.noticeCodes == ["signed_out"])
      #expect(try await browser.open("/permissions").path == "/sign-in")
    }
  }

  @Test("a session may ask for more, and stays when that is declined", arguments: Stage.entra)
  func more(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("dina@example.com")
      try await browser.submit(form: "continue")
      let asked = try await browser.submit(
        ["scopes": "api://orders/Read api://orders/Write"],
        form: "get-token"
      )
      #expect(asked.redirects == ["/permissions"])
      #expect(try await browser.open("/account").page == "account")
      let more = try await browser.submit(["scopes": "api://orders/Write"], form: "get-token")
      #expect(more.redirects == ["/permissions"])
      #expect(more.facts["granted"] as? [String] == ["api://orders/Read"])
      #expect(more.forms.map(\.name) == ["continue", "stop"])
      let back = try #require(more.links.first { $0.name == "account" })
      let account = try await browser.open(back.href)
      #expect(account.page == "account")
      #expect(
        account.facts["scopes"] as? [String]
          == ["openid", "profile", "offline_access", "api://orders/Read"]
      )
    }
  }

  @Test(
    "iris has to sign in again, sees the reason, and then meets what was demanded",
    arguments: Stage.entra
  )
  func claims(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("iris@example.com")
      let again = try await browser.submit(form: "get-token")
      #expect(again.redirects == ["/sign-in"])
      #expect(again.noticeCodes == ["sign_in_again"])
      #expect(again.errorCodes == ["interaction_required/basic_action"])
      #expect(again.errors.first?.reference?.isEmpty == false)
      #expect(again.form?.field("identifier")?.value == "iris@example.com")
      let entered = try await browser.submit(["password": password])
      #expect(entered.page == "account")
      let renewed = try await browser.submit(form: "get-token")
      #expect(renewed.noticeCodes == ["token_renewed"])
    }
  }
}
