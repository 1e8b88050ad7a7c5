import Testing
import VestibuleTesting

@Suite("What only Entra asks for on the way in", .inTurn)
struct EntraSignInJourneys {
  @Test("mia chooses between her two methods, and may change her mind", arguments: Stage.entra)
  func secondFactor(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let methods = try await browser.signIn("mia@example.com")
      #expect(methods.redirects == ["/sign-in/second-factor/methods"])
      #expect(methods.forms.map(\.name).prefix(2) == ["email_code", "phone_code"])
      let asked = try await browser.submit(form: "email_code")
      #expect(asked.path == "/sign-in/second-factor")
      #expect((asked.facts["code_length"] as? Int) == 8)
      let wrong = try await browser.submit(["code": stage.wrongCode])
      #expect(wrong.status == 422)
      #expect(wrong.errorCodes(at: "code") == ["invalid_grant/invalid_oob_value"])
      // The wrong code has not spent the attempt.
      try await browser.open("/sign-in/second-factor/methods")
      try await browser.submit(form: "phone_code")
      let code = try await scene.backstage.latestCode(to: "+12015550123", purpose: "second_factor")
      #expect(try await browser.submit(["code": code]).page == "account")
    }
  }

  @Test(
    "every page says where to get help, as over Clerk (3.2.6)",
    arguments: ["sign-in", "locked"]
  )
  func help(name: String) async throws {
    try await RunningJourneys.withPages(RunningJourneys.plain(["--api", "entra"])) { _, pages in
      let browser = FormSession(over: recorded(pages))
      let page =
        name == "locked"
        ? try await browser.signIn("lou@example.com") : try await browser.open("/sign-in")
      #expect(page.page == name)
      #expect(page.links.first { $0.name == "help" }?.href == "mailto:help@example.com")
    }
  }

  @Test(
    "rita registers a strong method first; a bad contact is refused at its field",
    arguments: Stage.entra,
    ["email", "phone"]
  )
  func enrolment(stage: Stage, method: String) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let asked = try await browser.signIn("rita@example.com")
      #expect(asked.redirects == ["/sign-in/enrolment"])
      #expect(asked.step == "contact")
      #expect(asked.form?.field("method")?.options?.map(\.value) == ["email", "phone"])
      let empty = try await browser.submit(["method": method, "contact": " "])
      #expect(empty.errorCodes(at: "contact") == ["required"])
      let bad = try await browser.submit(["method": method, "contact": "neither"])
      #expect(bad.status == 422)
      #expect(bad.errorCodes(at: "contact") == ["invalid_request"])
      #expect(bad.form?.field("contact")?.value == "neither")
      #expect(
        bad.form?.field("contact")?.errors?.first?.message
          == (method == "email"
            ? "Enter an email address like name@example.com"
            : "Enter a phone number with its country code, like +44\u{A0}20\u{A0}7946\u{A0}0000")
      )
      let contact = method == "email" ? "rita.second@example.com" : "+12015550177"
      let code = try await browser.submit(["method": method, "contact": contact])
      #expect(code.path == "/sign-in/enrolment")
      #expect(code.step == "code")
      #expect(code.noticeCodes == ["code_sent"])
      let sent = try await scene.backstage.messages(to: contact)
      let secret = try #require(sent.first?.code)
      #expect(try await browser.submit(["code": secret]).page == "account")
    }
  }

  @Test("a tenant without a method that is needed sends the browser on", arguments: Stage.entra)
  func missingMethod(stage: Stage) async throws {
    let setting = Stage.Setting(instance: #"{"entra_challenge_types":["password","redirect"]}"#)
    try await stage.play(setting) { scene in
      for name in ["cody", "mia", "rita"] {
        let page = try await scene.newBrowser().signIn("\(name)@example.com")
        #expect(page.redirects == ["/continue"])
      }
    }
  }

  @Test("a lock, a ban and a policy have pages of their own", arguments: Stage.entra)
  func refused(stage: Stage) async throws {
    try await stage.play { scene in
      for (name, path, code) in [
        ("lou", "/locked", "user_locked"), ("bann", "/blocked", "user_banned"),
        ("pola", "/blocked", "unauthorized_client/protection_policy_required"),
      ] {
        let page = try await scene.newBrowser().signIn("\(name)@example.com")
        #expect(page.redirects == [path])
        #expect(page.status == 403)
        #expect(page.errorCodes == [code])
        #expect(page.errors.first?.reference?.isEmpty == false)
      }
    }
  }

  @Test("cora and pia must change their passwords first", arguments: Stage.entra, ["cora", "pia"])
  func mustChange(stage: Stage, name: String) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let page = try await browser.signIn("\(name)@example.com")
      #expect(page.redirects == ["/forgot-password"])
      #expect(page.errors.count == 1)
      #expect(page.form?.field("identifier")?.value == "\(name)@example.com")
      try await browser.submit()
      let code = try await scene.backstage.latestCode(
        to: "\(name)@example.com",
        purpose: "reset_password"
      )
      try await browser.submit(["code": code])
      try await browser.submit(["password": "Quite-another-secret-9"])
      let entered = try await browser.submit(form: "check")
      #expect(entered.page == "account")
    }
  }
}
