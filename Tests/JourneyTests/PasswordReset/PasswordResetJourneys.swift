import Testing
import VestibuleTesting

@Suite("Resetting a password", .inTurn)
struct PasswordResetJourneys {
  @Test("by email", arguments: Stage.both)
  func byEmail(stage: Stage) async throws {
    try await reset(by: "ada@example.com", on: stage)
  }

  @Test("by phone", arguments: Stage.allCases)
  func byPhone(stage: Stage) async throws { try await reset(by: "+12015550110", on: stage) }

  private func reset(by identifier: String, on stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let asked = try await browser.forgotPassword(identifier)
      #expect(asked.path == "/forgot-password/code")
      #expect(asked.noticeCodes == ["code_sent"])
      let code = try await scene.backstage.latestCode(to: identifier, purpose: "reset_password")
      let new = try await browser.submit(["code": code])
      #expect(new.path == "/forgot-password/new")
      let entered = try await browser.setPassword()
      #expect(entered.page == "account")
      #expect(entered.noticeCodes == ["password_changed"])
      try await browser.signOut()
      let old = try await browser.signIn("ada@example.com")
      #expect(
        old.errorCodes(at: "password")
          == [stage.either("form_password_incorrect", entra: "invalid_grant")]
      )
      let fresh = try await browser.submit(["password": "Quite-another-secret-9"])
      #expect(fresh.page == "account")
    }
  }

  @Test(
    "the page says that the password is changed, wherever on this site the reset leads",
    arguments: ["/", "/account", "/account%3Ffrom%3Dhere", "/account%23top"]
  )
  func returning(to address: String) async throws {
    try await Stage.inProcess.play { scene in
      let browser = scene.newBrowser()
      try await browser.open("/forgot-password?redirect_url=\(address)")
      try await browser.submit(["identifier": "ada@example.com"])
      let code = try await scene.backstage.latestCode(
        to: "ada@example.com",
        purpose: "reset_password"
      )
      try await browser.submit(["code": code])
      let entered = try await browser.setPassword()
      #expect(entered.page == "account")
      #expect(entered.noticeCodes == ["password_changed"])
    }
  }

  @Test("mia's reset asks for the second factor afterwards", arguments: Stage.both)
  func secondFactor(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.forgotPassword("mia@example.com")
      let code = try await scene.backstage.latestCode(
        to: "mia@example.com",
        purpose: "reset_password"
      )
      try await browser.submit(["code": code])
      let asked = try await browser.setPassword()
      #expect(asked.flow == "password-reset")
      if stage.api == .entra {
        #expect(asked.path == "/sign-in/second-factor/methods")
        let sent = try await browser.submit(form: "phone_code")
        #expect(sent.flow == "password-reset")
      }
      #expect(await browser.page?.path == "/sign-in/second-factor")
      let app =
        stage.api == .clerk
        ? authenticatorCode(
          secret: SecondFactorJourneys.secret,
          at: try await scene.backstage.now()
        ) : try await scene.backstage.latestCode(to: "+12015550123", purpose: "second_factor")
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

  @Test("a reset that fails ends the sign-in that the API has given up for it")
  func insteadOfSignIn() async throws {
    try await Stage.inProcess.play { scene in
      let browser = scene.newBrowser()
      for (identifier, isReplaced) in [("nobody@example.com", false), ("cody@example.com", true)] {
        let step = try await browser.signIn("mia@example.com")
        #expect(step.path == "/sign-in/second-factor")
        #expect(try await browser.forgotPassword(identifier).status == 422)
        let left = try await browser.open("/sign-in/second-factor")
        #expect(left.path == (isReplaced ? "/sign-in" : "/sign-in/second-factor"))
      }
    }
  }
}
