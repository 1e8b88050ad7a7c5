import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

@Suite("Signing in with a password", .inTurn)
struct PasswordJourneys {
  @Test("ada signs in: one GET, one POST, one 303", arguments: Stage.both)
  func signsIn(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let start = try await browser.open("/sign-in")
      #expect(start.status == 200)
      #expect(start.page == "sign-in")
      #expect(start.form?.field("identifier")?.autocomplete == "username")
      #expect(start.form?.field("password")?.autocomplete == "current-password")
      let page = try await browser.submit([
        "identifier": "ada@example.com", "password": password,
      ])
      #expect(page.redirects == ["/account"])
      #expect(page.page == "account")
      let user = page.facts["user"] as? [String: Any]
      #expect(user?["identifier"] as? String == "ada@example.com")
      let session = page.facts["session"] as? [String: Any]
      #expect(session?["status"] as? String == "active")
    }
  }

  @Test(
    "a wrong password keeps the address and empties the password (P-signin)",
    arguments: Stage.both
  )
  func wrongPassword(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let page = try await browser.signIn("ada@example.com", "not-the-password")
      #expect(page.status == 422)
      #expect(page.page == "sign-in")
      #expect(page.title.hasPrefix("Error: "))
      #expect(
        page.errorCodes(at: "password")
          == [stage.either("form_password_incorrect", entra: "invalid_grant")]
      )
      #expect(page.errors.isEmpty)
      #expect(page.form?.field("identifier")?.value == "ada@example.com")
      #expect(page.form?.field("password")?.value == nil)
      #expect(!String(decoding: page.body, as: UTF8.self).contains("not-the-password"))
      // The page offers what else the account has, and is good for another try; on Entra the
      // service chooses the method.
      #expect(page.links.contains { $0.href == "/sign-in/methods" } == (stage.api == .clerk))
      #expect(try await browser.submit(["password": password]).page == "account")
    }
  }

  @Test("an unknown address is reported at its field", arguments: Stage.both)
  func unknownIdentifier(stage: Stage) async throws {
    try await stage.play { scene in
      let page = try await scene.newBrowser().signIn("nobody@example.com")
      #expect(page.status == 422)
      #expect(
        page.errorCodes(at: "identifier") == [
          stage.either("form_identifier_not_found", entra: "user_not_found")
        ]
      )
      #expect(page.form?.field("identifier")?.value == "nobody@example.com")
    }
  }

  @Test("empty fields are named, both or the password alone (E3)", arguments: Stage.both)
  func emptyFields(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let both = try await browser.signIn("  ", "")
      #expect(both.status == 422)
      #expect(both.errorCodes(at: "identifier") == ["required"])
      #expect(both.errorCodes(at: "password") == ["required"])
      let alone = try await browser.submit(["identifier": "ada@example.com", "password": ""])
      #expect(alone.status == 422)
      #expect(alone.page == "sign-in")
      #expect(alone.errorCodes(at: "identifier") == [])
      #expect(alone.errorCodes(at: "password") == ["required"])
      #expect(alone.form?.field("identifier")?.value == "ada@example.com")
    }
  }

  @Test("a bad address is reported at its field, at sign-in and sign-up", arguments: Stage.both)
  func badAddress(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let signIn = try await browser.signIn("ada@")
      #expect(signIn.status == 422)
      #expect(
        signIn.errorCodes(at: "identifier")
          == [stage.either("form_param_format_invalid", entra: "invalid_request")]
      )
      #expect(signIn.form?.field("identifier")?.value == "ada@")
      let signUp = try await browser.signUp("ada@")
      #expect(signUp.status == 422)
      #expect(
        signUp.errorCodes(at: "email_address")
          == [stage.either("form_param_format_invalid", entra: "invalid_request")]
      )
      #expect(signUp.form?.field("email_address")?.value == "ada@")
    }
  }

  @Test(
    "an address is cleaned of blanks and compared without case (F8)",
    arguments: Stage.both
  )
  func cleaned(stage: Stage) async throws {
    try await stage.play { scene in
      let byAddress = try await scene.newBrowser().signIn(" Ada@Example.com ")
      #expect(byAddress.page == "account")
      guard stage.api == .clerk else { return }
      let byNumber = try await scene.newBrowser().signIn("+1 (201) 555-0142")
      #expect(byNumber.page == "account")
    }
  }

  @Test("phil, who has only a phone number, signs in", arguments: Stage.allCases)
  func phoneOnly(stage: Stage) async throws {
    try await stage.play { scene in
      let page = try await scene.newBrowser().signIn("+12015550142")
      #expect(page.page == "account")
      let user = page.facts["user"] as? [String: Any]
      #expect(user?["identifier"] as? String == "+12015550142")
    }
  }

  @Test(
    "cody has no password: the address alone, or with any password, sends a code",
    arguments: Stage.both,
    ["", "whatever-was-typed"]
  )
  func noPassword(stage: Stage, typed: String) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let page = try await browser.signIn("cody@example.com", typed)
      #expect(page.path == "/sign-in/code")
      #expect(page.noticeCodes == ["code_sent"])
      let code = try await scene.backstage.latestCode(to: "cody@example.com", purpose: "sign_in")
      #expect(try await browser.submit(["code": code]).page == "account")
    }
  }

  @Test(
    "too many wrong passwords lock the account until its time has passed",
    arguments: Stage.both
  )
  func lockout(stage: Stage) async throws {
    try await stage.play(.init(instance: #"{"lockout_attempts":3}"#)) { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("ada@example.com", "wrong-1")
      try await browser.submit(["password": "wrong-2"])
      let locked = try await browser.submit(["password": "wrong-3"])
      #expect(locked.path == "/locked")
      #expect(locked.status == 403)
      #expect(locked.errorCodes == ["user_locked"])
      // The right password does not help before the time has passed, and does after.
      #expect(try await browser.signIn("ada@example.com").path == "/locked")
      guard scene.takesTokensOfLater else { return }
      try await scene.backstage.advanceClock(by: .seconds(3601))
      #expect(try await browser.signIn("ada@example.com").page == "account")
    }
  }
}
