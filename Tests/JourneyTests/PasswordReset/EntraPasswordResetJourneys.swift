import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

@Suite("Resetting a password that takes a while", .inTurn)
struct EntraPasswordResetJourneys {
  /// Proves the address, up to the page that asks for the new password.
  private func prove(_ scene: Scene, _ browser: FormSession) async throws -> PageSnapshot {
    try await browser.forgotPassword("ada@example.com")
    let code = try await scene.backstage.latestCode(
      to: "ada@example.com",
      purpose: "reset_password"
    )
    return try await browser.submit(["code": code])
  }

  private func reset(_ scene: Scene, _ browser: FormSession) async throws -> PageSnapshot {
    _ = try await prove(scene, browser)
    return try await browser.submit(["password": "Quite-another-secret-9"])
  }

  @Test(
    "the page does not offer to end other sessions, which the API cannot do",
    arguments: [Stage.entra[0]]
  )
  func otherSessions(stage: Stage) async throws {
    try await stage.play { scene in
      let page = try await prove(scene, scene.newBrowser())
      #expect(page.path == "/forgot-password/new")
      #expect(page.form?.field("password") != nil)
      #expect(page.form?.field("sign_out_of_other_sessions") == nil)
    }
  }

  @Test(
    "a tenant without native authentication sends the browser on, and no page offers a reset",
    arguments: Stage.entra
  )
  func redirectOnly(stage: Stage) async throws {
    try await stage.play(.init(instance: #"{"entra_challenge_types":[]}"#)) { scene in
      let browser = scene.newBrowser()
      let page = try await browser.forgotPassword("ada@example.com")
      #expect(page.redirects == ["/continue"])
      // Pages in a process of their own do not know the settings of the tenant.
      guard stage.place != .twoProcesses else { return }
      let start = try await scene.newBrowser().open("/sign-in")
      #expect(!start.links.contains { $0.href.hasPrefix("/forgot-password") })
    }
  }

  @Test("one press asks once; nothing reloads by itself (N5)", arguments: Stage.entra)
  func waits(stage: Stage) async throws {
    try await stage.play(.init(instance: #"{"entra_reset_polls":3}"#)) { scene in
      let browser = scene.newBrowser()
      let waiting = try await reset(scene, browser)
      #expect(waiting.path == "/forgot-password/waiting")
      #expect(waiting.step == "waiting")
      #expect(waiting.form?.name == "check")
      let html = try await browser.send(
        .get,
        "/forgot-password/waiting",
        fields: [.accept: "text/html"]
      )
      #expect(!String(decoding: html.body, as: UTF8.self).contains("http-equiv=\"refresh\""))
      #expect(html.headerFields.contains { $0.name.canonicalName == "refresh" } == false)
      #expect(try await browser.submit().path == "/forgot-password/waiting")
      #expect(try await browser.submit().path == "/forgot-password/waiting")
      let entered = try await browser.submit()
      #expect(entered.page == "account")
      #expect(entered.noticeCodes == ["password_changed"])
      let old = try await scene.newBrowser().signIn("ada@example.com")
      #expect(old.errorCodes(at: "password") == ["invalid_grant"])
      let new = try await scene.newBrowser().signIn("ada@example.com", "Quite-another-secret-9")
      #expect(new.page == "account")
    }
  }

  @Test(
    "an attempt that ends while the password is still being set leads to signing in with it",
    // Two processes have two clocks: the pages would refuse a token from ten minutes ahead.
    arguments: Stage.entra.filter { $0.place != .twoProcesses }
  )
  func endsWaiting(stage: Stage) async throws {
    try await stage.play(.init(instance: #"{"entra_reset_polls":3}"#)) { scene in
      let browser = scene.newBrowser()
      #expect(try await reset(scene, browser).step == "waiting")
      try await scene.backstage.advanceClock(by: .seconds(601))
      let page = try await browser.submit()
      #expect(page.path == "/sign-in")
      #expect(page.noticeCodes == ["sign_in_again"])
      #expect(page.errorCodes == [])
      #expect(page.form?.field("identifier")?.value == "ada@example.com")
      let entered = try await browser.submit(["password": "Quite-another-secret-9"])
      #expect(entered.page == "account")
    }
  }

  @Test("a service that never finishes is a 504, and can be asked again", arguments: Stage.entra)
  func endless(stage: Stage) async throws {
    try await stage.play(.init(instance: #"{"entra_reset_polls":1000}"#)) { scene in
      let browser = scene.newBrowser()
      var page = try await reset(scene, browser)
      for _ in 0..<4 {
        page = try await browser.submit()
        #expect(page.status == 200)
      }
      for _ in 0..<2 {
        page = try await browser.submit()
        #expect(page.status == 504)
        #expect(page.page == "forgot-password-waiting")
        #expect(page.errorCodes == ["service_timed_out"])
        #expect(page.errors.first?.reference?.isEmpty == false)
      }
    }
  }

  @Test("a weak password is refused at its field, and a good one taken", arguments: Stage.entra)
  func weak(stage: Stage) async throws {
    try await stage.play(.init(instance: #"{"entra_reset_polls":0}"#)) { scene in
      let browser = scene.newBrowser()
      try await browser.forgotPassword("ada@example.com")
      let code = try await scene.backstage.latestCode(
        to: "ada@example.com",
        purpose: "reset_password"
      )
      let wrong = try await browser.submit(["code": stage.wrongCode])
      #expect(wrong.errorCodes(at: "code") == ["invalid_grant/invalid_oob_value"])
      try await browser.submit(["code": code])
      let short = try await browser.submit(["password": "short"])
      #expect(short.status == 422)
      #expect(short.errorCodes(at: "password") == ["invalid_grant/password_too_short"])
      let entered = try await browser.submit(["password": "Quite-another-secret-9"])
      #expect(entered.redirects == ["/account"])
    }
  }
}
