import Testing
import VestibuleTesting

@Suite("Resetting a password")
struct PasswordResetJourneys {
  @Test("by e-mail and by phone", arguments: Stage.allCases, ["ada@example.com", "+12015550110"])
  func resets(stage: Stage, identifier: String) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let asked = try await browser.forgotPassword(identifier)
      #expect(asked.path == "/forgot-password/code")
      #expect(asked.noticeCodes == ["code_sent"])
      let code = try await scene.workbench.latestCode(to: identifier, purpose: "reset_password")
      let new = try await browser.submit(["code": code])
      #expect(new.path == "/forgot-password/new")
      let entered = try await browser.submit(["password": "quite-another-secret-9"])
      #expect(entered.page == "account")
      #expect(entered.noticeCodes == ["password_changed"])
      try await browser.signOut()
      let old = try await browser.signIn("ada@example.com")
      #expect(old.errorCodes(at: "password") == ["form_password_incorrect"])
      let fresh = try await browser.submit(["password": "quite-another-secret-9"])
      #expect(fresh.page == "account")
    }
  }

  @Test("mia's asks for the second factor afterwards", arguments: Stage.allCases)
  func secondFactor(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.forgotPassword("mia@example.com")
      let code = try await scene.workbench.latestCode(
        to: "mia@example.com",
        purpose: "reset_password"
      )
      try await browser.submit(["code": code])
      let asked = try await browser.submit(["password": "quite-another-secret-9"])
      #expect(asked.path == "/sign-in/second-factor")
      #expect(asked.flow == "password-reset")
      let app = authenticatorCode(
        secret: SecondFactorJourneys.secret,
        at: try await scene.workbench.now()
      )
      let entered = try await browser.submit(["code": app])
      #expect(entered.page == "account")
    }
  }

  @Test("an account without a password is told to use another method", arguments: Stage.both)
  func withoutPassword(stage: Stage) async throws {
    try await stage.play { scene in
      let page = try await scene.newBrowser().forgotPassword("cody@example.com")
      #expect(page.status == 422)
      #expect(page.page == "forgot-password")
      #expect(
        page.errorCodes == [stage.either("strategy_for_user_invalid", entra: "invalid_request")]
      )
    }
  }
}
