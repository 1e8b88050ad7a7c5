import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

@Suite("Tasks, one after another", .inTurn)
struct TaskOrderJourneys {
  private static let tasks = [
    "/tasks/reset-password", "/tasks/choose-organization", "/tasks/setup-mfa",
  ]

  /// The pages that must never show a session as signed in before it is.
  private static let inside = ["/", "/account"]

  /// Opens what only a signed-in person may see, and the tasks that are not due.
  private func expect(
    _ browser: FormSession,
    isAt due: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    for path in Self.inside + Self.tasks + ["/sign-in", "/sign-up", "/forgot-password"] {
      let page = try await browser.open(path)
      #expect(page.path == due, "\(path)", sourceLocation: sourceLocation)
      #expect(page.page != "account", sourceLocation: sourceLocation)
      #expect(page.form("sign-out") != nil, sourceLocation: sourceLocation)
    }
  }

  @Test(
    "trix does her three tasks in order, and is not signed in before the last (P-signedin)",
    arguments: Stage.allCases
  )
  func trix(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.open("/sign-in?redirect_url=/account?from=trix")
      let first = try await browser.submit([
        "identifier": "trix@example.com", "password": password,
      ])
      #expect(first.path == Self.tasks[0])
      try await expect(browser, isAt: Self.tasks[0])
      try await browser.open(Self.tasks[0])
      let second = try await browser.submit(["password": "quite-another-secret-9"])
      #expect(second.path == Self.tasks[1])
      #expect(second.noticeCodes == ["password_changed"])
      #expect(second.step == "create")
      try await expect(browser, isAt: Self.tasks[1])
      try await browser.open(Self.tasks[1])
      let third = try await browser.submit(["organization_name": "Trix"])
      #expect(third.path == Self.tasks[2])
      try await expect(browser, isAt: Self.tasks[2])
      try await browser.open(Self.tasks[2])
      try await browser.submit(form: "authenticator")
      try await expect(browser, isAt: Self.tasks[2])
      try await browser.open(Self.tasks[2])
      let code = try await scene.backstage.authenticatorCode(of: "user_trix")
      try await browser.submit(["code": code])
      try await expect(browser, isAt: Self.tasks[2])
      try await browser.open(Self.tasks[2])
      let account = try await browser.submit()
      #expect(account.path == "/account?from=trix", "the return address was kept")
      #expect(account.page == "account")
      let session = account.facts["session"] as? [String: Any]
      #expect(session?["status"] as? String == "active")
      let organization = account.facts["organization"] as? [String: Any]
      #expect(organization?["slug"] as? String == "trix")
    }
  }

  @Test(
    "a person who leaves during a task can sign out, and resumes it at the next sign-in",
    arguments: ["otto", "olga", "tess", "trix", "kurt"]
  )
  func signsOut(name: String) async throws {
    try await Stage.inProcess.play { scene in
      let identifier = name == "kurt" ? name : "\(name)@example.com"
      let browser = scene.newBrowser()
      let due = try await browser.signIn(identifier)
      #expect(due.path.hasPrefix("/tasks/"))
      let asked = try await browser.open("/sign-out")
      #expect(asked.page == "sign-out")
      #expect(asked.links.contains { $0.href == "/account" })
      #expect(try await browser.open("/account").path == due.path)
      let out = try await browser.submit(form: "sign-out")
      #expect(out.path == "/sign-in")
      #expect(out.noticeCodes == ["signed_out"])
      for path in Self.tasks {
        #expect(try await browser.open(path).path == "/sign-in")
      }
      #expect(try await browser.signIn(identifier).path == due.path)
    }
  }

  @Test("task pages lead strangers to the sign-in, and people without tasks to the account")
  func notDue() async throws {
    try await Stage.inProcess.play { scene in
      let stranger = scene.newBrowser()
      for path in Self.tasks { #expect(try await stranger.open(path).path == "/sign-in") }
      let ada = scene.newBrowser()
      try await ada.signIn("ada@example.com")
      for path in Self.tasks {
        let page = try await ada.open(path)
        #expect(page.path == "/account")
        #expect(page.noticeCodes == ["moved_on"])
      }
    }
  }

  @Test("a task that was done on another device is not asked for again")
  func metElsewhere() async throws {
    try await Stage.inProcess.play { scene in
      let here = scene.newBrowser()
      let there = scene.newBrowser()
      try await here.signIn("tess@example.com")
      try await there.signIn("tess@example.com")
      try await there.submit(form: "authenticator")
      let code = try await scene.backstage.authenticatorCode(of: "user_tess")
      try await there.submit(["code": code])
      try await there.submit()
      let choice = try #require(await here.page)
      #expect(choice.step == "method")
      let page = try await here.submit(form: "authenticator")
      #expect(page.path == "/account")
    }
  }

  @Test("a session that ended elsewhere leads from its task to signing in again (R3a)")
  func endedElsewhere() async throws {
    try await Stage.inProcess.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("otto@example.com")
      _ = try await scene.backstage.call(.delete, "users/user_otto")
      let page = try await browser.open("/tasks/choose-organization")
      #expect(page.path == "/sign-in")
      #expect(page.noticeCodes == ["sign_in_again"])
    }
  }
}
