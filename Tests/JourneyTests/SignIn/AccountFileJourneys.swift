import Testing
import VestibuleTesting

@Suite("Accounts from a file", .inTurn)
struct AccountFileJourneys {
  private static let users = """
    [
      {"id": "user_jo", "email_addresses": ["jo@example.com"], "password": "out-of-a-file-11"},
      {"email_addresses": ["ann@example.com"], "phone_numbers": ["+12015550177"],
       "password": "out-of-a-file-12", "second_factor_phone_numbers": ["+12015550178"]},
      {"email_addresses": ["max@example.com"]},
      {"email_addresses": ["pat@example.com"], "password": "out-of-a-file-13", "banned": true}
    ]
    """

  @Test("sign in, by everything that the file says about them", arguments: Stage.both)
  func signIn(stage: Stage) async throws {
    try await stage.play(Stage.Setting(users: Self.users)) { scene in
      let jo = try await scene.newBrowser().signIn("jo@example.com", "out-of-a-file-11")
      #expect(jo.page == "account")
      let user = jo.facts["user"] as? [String: Any]
      // Entra identifies an account to an app by a GUID.
      if stage.api == .clerk { #expect(user?["id"] as? String == "user_jo") }
      #expect(user?["identifier"] as? String == "jo@example.com")

      let ann = scene.newBrowser()
      let secondFactor = try await ann.signIn("ann@example.com", "out-of-a-file-12")
      #expect(secondFactor.page == "sign-in-second-factor")
      let text = try await scene.backstage.latestCode(to: "+12015550178", purpose: "second_factor")
      let entered = try await ann.submit(["code": text])
      #expect(entered.page == "account")

      let max = scene.newBrowser()
      let code = try await max.signIn("max@example.com", "")
      #expect(code.page == "sign-in-code")

      let pat = try await scene.newBrowser().signIn("pat@example.com", "out-of-a-file-13")
      #expect(pat.path == "/blocked")
      #expect(pat.errorCodes == ["user_banned"])

      // The file replaces the demo users.
      let ada = try await scene.newBrowser().signIn("ada@example.com")
      #expect(
        ada.errorCodes(at: "identifier") == [
          stage.either("form_identifier_not_found", entra: "user_not_found")
        ]
      )
    }
  }

  @Test("reset their passwords", arguments: Stage.both)
  func reset(stage: Stage) async throws {
    try await stage.play(Stage.Setting(users: Self.users)) { scene in
      let browser = scene.newBrowser()
      // Entra knows accounts by their addresses.
      let contact = stage.either("+12015550177", entra: "ann@example.com")
      try await browser.forgotPassword(contact)
      let code = try await scene.backstage.latestCode(
        to: contact,
        purpose: "reset_password"
      )
      try await browser.submit(["code": code])
      let next = try await browser.setPassword()
      #expect(next.page == "sign-in-second-factor")
    }
  }
}
