import HTTPExchange
import Testing
import VestibuleTesting

@Suite("A session that the auth API has and the visit does not", .inTurn)
struct StandingSessionJourneys {
  private static let reverification =
    #"{"errors":[{"code":"session_reverification_required","message":"m"}]}"#

  @Test("a person who has to sign in again does so, and goes on", arguments: Stage.allCases)
  func signsInAgain(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("tess@example.com")
      try await scene.answer("/v1/me/totp", 403, Self.reverification)
      let again = try await browser.submit(form: "authenticator")
      #expect(again.path == "/sign-in" && again.noticeCodes == ["sign_in_again"])
      let entered = try await browser.signIn("tess@example.com")
      #expect(entered.path == "/tasks/setup-mfa" && entered.noticeCodes.isEmpty)
      #expect(try await browser.submit(form: "authenticator").facts["secret"] is String)
    }
  }

  @Test(
    "a person who has to sign in again is signed out: a wrong password lets nobody in",
    arguments: Stage.allCases,
    [false, true]
  )
  func isOut(stage: Stage, failsToEnd: Bool) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("ada@example.com")
      try await scene.answer("/v1/me/sessions/active", 403, Self.reverification, method: "GET")
      if failsToEnd {
        try await scene.answer("/v1/client/sessions", 403, #"{"errors":[]}"#, method: "DELETE")
      }
      let again = try await browser.open("/account?sessions")
      #expect(again.path == "/sign-in" && again.noticeCodes == ["sign_in_again"])
      for identifier in ["mia@example.com", "ada@example.com"] {
        let refused = try await browser.signIn(identifier, "not-this-one-42")
        #expect(refused.errorCodes(at: "password") == ["form_password_incorrect"])
      }
      #expect(try await browser.signIn("ada@example.com").page == "account")
    }
  }

  /// A browser that the API knows, whose next sign-ins it answers with `session_exists`.
  private func standing(_ scene: Scene, times: Int = 1) async throws -> FormSession {
    let browser = scene.newBrowser()
    try await browser.signIn("ada@example.com", "not-this-one-42")
    for _ in 0..<times {
      try await scene.answer(
        "/v1/client/sign_ins",
        400,
        #"{"errors":[{"code":"session_exists","message":"m"}]}"#
      )
    }
    return browser
  }

  @Test("a sign-in ends the session that is in its way", arguments: Stage.allCases)
  func isEnded(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = try await standing(scene)
      let account = try await browser.signIn("ada@example.com")
      #expect(account.redirects == ["/account"] && account.noticeCodes.isEmpty)
    }
  }

  @Test("if it cannot be ended, nobody gets in", arguments: Stage.allCases)
  func isNotEnded(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = try await standing(scene)
      try await scene.rehearse("/v1/client/sessions", #""fault":"empty""#, method: "DELETE")
      let refused = try await browser.signIn("ada@example.com")
      #expect(refused.status == 502 && refused.path == "/sign-in")
      #expect(try await browser.signIn("ada@example.com").page == "account")
    }
  }

  @Test("if it is still in the way, the attempt ends and nobody is stuck")
  func notStuck() async throws {
    try await Stage.inProcess.play { scene in
      let browser = try await standing(scene, times: 2)
      let start = try await browser.signIn("ada@example.com")
      #expect(start.path == "/sign-in" && start.errorCodes == ["attempt_ended"])
      #expect(try await browser.signIn("ada@example.com").page == "account")
    }
  }
}
