import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

@Suite("Several tabs of one browser", .inTurn)
struct TabJourneys {
  /// Which tab's cookies the browser is left with.
  enum Last: String, CaseIterable, Sendable {
    case signIn, reset
  }

  @Test(
    "after a sign-in and a reset at once, the next request works whichever cookie came last",
    arguments: Stage.both,
    Last.allCases
  )
  func signInAndReset(stage: Stage, last: Last) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.open("/forgot-password")
      let reset = try await browser.filled(["identifier": "ada@example.com"])
      try await browser.open("/sign-in")
      let signIn = try await browser.filled([
        "identifier": "ezra@example.com", "password": password,
      ])
      let before = await browser.cookies

      // Both leave with the same cookies; the answers overwrite one another.
      let tabs = [scene.newBrowser(), scene.newBrowser()]
      for tab in tabs { await tab.replaceCookies(before) }
      async let signInAnswer = tabs[0].send(.post, signIn.form.action, body: signIn.body)
      async let resetAnswer = tabs[1].send(.post, reset.form.action, body: reset.body)
      let answers = try await [signInAnswer, resetAnswer]
      #expect(answers.map(\.status.code) == [303, 303])
      await browser.replaceCookies(await tabs[last == .signIn ? 0 : 1].cookies)

      // The tab whose cookies won goes on; the other one is led to where the person stands.
      let secondFactor = try await browser.open("/sign-in/second-factor")
      let resetCode = try await browser.open("/forgot-password/code")
      let due = last == .signIn ? "sign-in-second-factor" : "forgot-password-code"
      #expect([secondFactor.page, resetCode.page] == [due, due])
      #expect([secondFactor.status, resetCode.status] == [200, 200])

      // Nobody is locked out.
      let page = try await browser.signIn("ada@example.com")
      #expect(page.page == "account")
    }
  }

  @Test("a reset that begins during a sign-in takes its place, and goes on", arguments: Stage.both)
  func oneAfterTheOther(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("ezra@example.com")
      try await browser.forgotPassword("ada@example.com")
      let standing = try await browser.open("/sign-in/second-factor")
      #expect(standing.status == 200)
      #expect(standing.page == "forgot-password-code")
      let code = try await browser.open("/forgot-password/code")
      #expect(code.page == "forgot-password-code")
      let reset = try await scene.backstage.latestCode(
        to: "ada@example.com",
        purpose: "reset_password"
      )
      let new = try await browser.submit(["code": reset])
      #expect(new.page == "forgot-password-new")
    }
  }

  @Test("a stale form of another tab is led to where the person stands", arguments: Stage.both)
  func staleForm(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.open("/sign-in")
      let stale = try await browser.filled([
        "identifier": "ezra@example.com", "password": password,
      ])
      try await browser.submit(["identifier": "ada@example.com", "password": password])
      let answer = try await browser.send(.post, stale.form.action, body: stale.body)
      #expect(answer.status == .seeOther)
      let page = try await browser.follow(answer, from: stale.form.action)
      #expect(page.page == "account")
      #expect(page.noticeCodes.count == 1)
      let sent = try await scene.backstage.messages(to: "ezra@example.com")
      #expect(sent.isEmpty)
    }
  }

  @Test(
    "a refused sign-in that is sent again does not lose the second factor after it",
    arguments: Stage.both
  )
  func refusedAgain(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.open("/sign-in")
      let old = try await browser.filled([
        "identifier": "ezra@example.com", "password": "a-wrong-password-1",
      ])
      let refusal = try await browser.send(.post, old.form.action, body: old.body)
      #expect(refusal.status == .unprocessableContent)
      try await browser.signIn("ezra@example.com")
      let answer = try await browser.send(.post, old.form.action, body: old.body)
      let page = try await browser.follow(answer, from: old.form.action)
      #expect(page.page == "sign-in-second-factor" && page.noticeCodes == ["moved_on"])
      let code = try await scene.backstage.latestCode(
        to: "ezra@example.com",
        purpose: "second_factor"
      )
      #expect(try await browser.submit(["code": code]).page == "account")
    }
  }

  @Test(
    "a refused reset that is sent again leaves the code that was mailed after it good",
    arguments: Stage.both
  )
  func refusedResetAgain(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.open("/forgot-password")
      let old = try await browser.filled(["identifier": "nobody@example.com"])
      let refusal = try await browser.send(.post, old.form.action, body: old.body)
      #expect(refusal.status == .unprocessableContent)
      try await browser.forgotPassword("ada@example.com")
      let answer = try await browser.send(.post, old.form.action, body: old.body)
      let page = try await browser.follow(answer, from: old.form.action)
      #expect(page.page == "forgot-password-code" && page.noticeCodes == ["moved_on"])
      let code = try await scene.backstage.latestCode(
        to: "ada@example.com",
        purpose: "reset_password"
      )
      #expect(try await browser.submit(["code": code]).page == "forgot-password-new")
    }
  }

  @Test("reloading a code page sends nothing", arguments: Stage.both)
  func reload(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("ezra@example.com")
      for _ in 0..<3 { try await browser.open("/sign-in/second-factor") }
      let sent = try await scene.backstage.messages(to: "ezra@example.com")
      #expect(sent.count == 1)
    }
  }

  @Test(
    "starting again ends the attempt and keeps the address, and somebody else can sign in",
    arguments: Stage.both
  )
  func restart(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("ezra@example.com")
      let start = try await browser.submit(form: "restart")
      #expect(start.path == "/sign-in")
      #expect(start.form?.field("identifier")?.value == "ezra@example.com")
      #expect(try await browser.open("/sign-in/second-factor").path == "/sign-in")
      let entered = try await browser.submit([
        "identifier": "ada@example.com", "password": password,
      ])
      #expect(entered.page == "account")
    }
  }
}
