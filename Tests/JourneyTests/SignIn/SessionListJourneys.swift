import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

@Suite("Where a person is signed in", .inTurn)
struct SessionListJourneys {
  @Test(
    "the account page says how the person signed in, and lists the other sessions",
    arguments: Stage.allCases
  )
  func list(stage: Stage) async throws {
    try await stage.play { scene in
      let there = scene.newBrowser()
      try await there.signIn("ada@example.com")
      let here = scene.newBrowser()
      let page = try await here.signIn("ada@example.com")
      #expect(page.path == "/account")
      #expect(page.facts["sessions"] == nil)
      let link = try #require(page.links.first { $0.name == "sessions" })
      let listed = try await here.open(link.href)
      #expect(listed.sessions.map { $0["current"] as? Bool } == [true, false])
      let answer = try await here.send(.get, link.href, fields: [.accept: "text/html"])
      let html = String(decoding: answer.body, as: UTF8.self)
      #expect(html.contains("<dt>Signed in with</dt><dd>Password</dd>"))
      #expect(html.contains("This browser"))
    }
  }

  @Test(
    "a list that cannot be fetched says so, and does not end the session",
    arguments: Stage.allCases
  )
  func withoutList(stage: Stage) async throws {
    try await stage.play { scene in
      let here = scene.newBrowser()
      try await here.signIn("ada@example.com")
      let fault = """
        {"match": {"method": "GET", "path": "/v1/me/sessions/active"}, "times": 1,
         "fault": "html_500"}
        """
      _ = try await scene.backstage.call(.post, "faults", json: fault)
      let page = try await here.open("/account?sessions")
      #expect(page.page == "account" && page.status == 502)
      #expect(page.errorCodes == ["service_answered_nonsense"])
      let whole = try await here.open("/account?sessions")
      #expect(whole.sessions.count == 1)
    }
  }

  @Test(
    "a session elsewhere is ended by its own button, and only that one",
    arguments: Stage.allCases
  )
  func endOne(stage: Stage) async throws {
    try await stage.play { scene in
      let (there, elsewhere, here) = (scene.newBrowser(), scene.newBrowser(), scene.newBrowser())
      for browser in [there, elsewhere, here] { try await browser.signIn("ada@example.com") }
      try await here.open("/account?sessions")
      let ended = try await here.submit([:], form: "end-session-2")
      #expect(ended.path == "/account")
      #expect(ended.noticeCodes == ["session_ended"])
      #expect(ended.sessions.count == 2, "the sessions that are left can be ended")
      let left = try await here.open("/account?sessions")
      #expect(left.sessions.count == 2)
      #expect(try await there.open("/account").page == "sign-in")
      #expect(try await elsewhere.open("/account").page == "account")
    }
  }

  @Test("all other sessions are ended at once, and this one stays", arguments: Stage.allCases)
  func endOthers(stage: Stage) async throws {
    try await stage.play { scene in
      let (there, here) = (scene.newBrowser(), scene.newBrowser())
      for browser in [there, here] { try await browser.signIn("ada@example.com") }
      let ended = try await here.submit([:], form: "end-others")
      #expect(ended.noticeCodes == ["other_sessions_ended"])
      let left = try await here.open("/account?sessions")
      #expect(left.sessions.count == 1)
      #expect(!left.forms.contains { $0.name == "end-others" })
      #expect(try await there.open("/account").page == "sign-in")
    }
  }

  @Test(
    "a session that waits at a task is listed too, and ended with all others",
    arguments: Stage.allCases
  )
  func endPending(stage: Stage) async throws {
    try await stage.play { scene in
      let (there, here) = (scene.newBrowser(), scene.newBrowser())
      let task = try await there.signIn("otto@example.com")
      #expect(task.page == "tasks-choose-organization")
      let page = try await here.signIn("otto@example.com")
      let pine = try #require(page.form?.field("organization_id")?.options?.last?.value)
      #expect(try await here.submit(["organization_id": pine]).path == "/account")
      let listed = try await here.open("/account?sessions")
      #expect(listed.sessions.count == 2)
      let ended = try await here.submit([:], form: "end-others")
      #expect(ended.noticeCodes == ["other_sessions_ended"])
      #expect(try await there.open("/tasks/choose-organization").page == "sign-in")
      #expect(try await here.open("/account?sessions").sessions.count == 1)
    }
  }

  @Test("signing out everywhere ends this session too", arguments: Stage.allCases)
  func endAll(stage: Stage) async throws {
    try await stage.play { scene in
      let (there, here) = (scene.newBrowser(), scene.newBrowser())
      for browser in [there, here] { try await browser.signIn("ada@example.com") }
      let out = try await here.submit([:], form: "end-all")
      #expect(out.path == "/sign-in")
      #expect(out.noticeCodes == ["signed_out"])
      #expect(try await there.open("/account").page == "sign-in")
    }
  }
}

extension PageSnapshot {
  /// The sessions that the account page lists.
  fileprivate var sessions: [[String: Any]] { facts["sessions"] as? [[String: Any]] ?? [] }
}
