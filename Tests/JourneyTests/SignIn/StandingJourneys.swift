import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

@Suite("Where a person stands", .inTurn)
struct StandingJourneys {
  @Test(
    "a sign-in page leads on to the account until the sign-out, which may be repeated",
    arguments: Stage.both
  )
  func signOut(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("ada@example.com")
      let already = try await browser.open("/sign-in")
      #expect(already.path == "/account")
      #expect(already.noticeCodes == ["already_signed_in"])
      let out = try await browser.signOut()
      #expect(out.path == "/sign-in")
      #expect(out.noticeCodes == ["signed_out"])
      #expect(out.form?.field("identifier")?.value ?? "" == "")
      let account = try await browser.open("/account")
      #expect(account.page == "sign-in")
      let again = try await browser.open("/sign-out")
      #expect(again.path == "/sign-in")
      #expect(again.noticeCodes == ["signed_out"])
    }
  }

  private struct Trace: Decodable {
    struct Answer: Decodable { var droppedReturnAddress: String? }

    var answer: Answer?
  }

  @Test(
    "somebody who is in is led on at once; that an address is not followed is in the trace (R8)",
    arguments: Stage.both
  )
  func returnAddress(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("ada@example.com")
      let led = try await browser.open("/sign-in?redirect_url=/account?from=here")
      #expect(led.redirects == ["/account?from=here"])
      #expect(led.noticeCodes == ["already_signed_in"])
      let stayed = try await browser.open("/sign-up?redirect_url=https://elsewhere.example/in")
      #expect(stayed.redirects == ["/account"])
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      let data = try await scene.backstage.call(.get, "traces")
      let traces = try decoder.decode([Trace].self, from: data)
      // An emulator of its own process does not hear how pages were answered.
      let told = stage.place == .twoProcesses ? [] : ["origin_not_allowed"]
      #expect(traces.compactMap { $0.answer?.droppedReturnAddress } == told)
    }
  }

  @Test("steps that are not due lead to the one that is", arguments: Stage.both)
  func outOfOrder(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      for path in [
        "/sign-in/code", "/sign-in/second-factor", "/sign-in/methods", "/sign-in/password",
      ] {
        #expect(try await browser.open(path).path == "/sign-in")
      }
      for path in ["/forgot-password/code", "/forgot-password/new"] {
        #expect(try await browser.open(path).path == "/forgot-password")
      }
      #expect(try await browser.open("/sign-up/verify").path == "/sign-up")
      try await browser.signIn("ezra@example.com")
      let moved = try await browser.open("/sign-in/code")
      #expect(moved.path == "/sign-in/second-factor")
      #expect(moved.noticeCodes == ["moved_on"])
    }
  }

  @Test(
    "the same form sent twice at once leads on twice and sends one message, which leads in (S16)",
    arguments: Stage.both
  )
  func twice(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.open("/sign-up")
      let (form, body) = try await browser.filled([
        "email_address": "noor@example.com", "password": "a-good-new-password-7",
      ])
      async let one = browser.send(.post, form.action, body: body)
      async let other = browser.send(.post, form.action, body: body)
      let answers = try await [one, other]
      #expect(answers.map(\.status.code) == [303, 303])
      let places = answers.map { $0.headerFields[.location] }
      #expect(places == ["/sign-up/verify", "/sign-up/verify"])
      let sent = try await scene.backstage.messages(to: "noor@example.com")
      #expect(sent.count == 1)
      try await browser.open("/sign-up/verify")
      let code = try #require(sent.first?.code)
      #expect(try await browser.submit(["code": code]).page == "account")
    }
  }

  @Test(
    "a wrong form token is a 403 with a complete page that keeps the address (S14, N6)",
    arguments: Stage.both
  )
  func forged(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.open("/sign-in")
      let page = try await browser.submit([
        "form_token": "forged", "identifier": "ada@example.com", "password": password,
      ])
      // The session's own token goes first, so send the forged one alone.
      #expect(page.status == 400)
      let answer = try await browser.send(
        .post,
        "/sign-in",
        body: ["form_token": "forged", "identifier": "ada@example.com", "password": password]
      )
      let refused = try await browser.follow(answer, from: "/sign-in")
      #expect(refused.status == 403)
      #expect(refused.errorCodes == ["form_token_invalid"])
      #expect(refused.form?.field("identifier")?.value == "ada@example.com")
      // The page that came back works.
      let entered = try await browser.submit(["password": password])
      #expect(entered.page == "account")
    }
  }

  @Test("a broken cookie gives a page that works", arguments: Stage.both)
  func brokenCookie(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("ezra@example.com")
      let broken = await browser.cookies.mapValues { String($0.dropLast(9)) + "AAAAAAAAA" }
      await browser.replaceCookies(broken)
      let page = try await browser.submit(["code": "123456"])
      #expect(page.status == 403)
      #expect(page.page == "sign-in")
      let entered = try await browser.signIn("ada@example.com")
      #expect(entered.page == "account")
    }
  }

  @Test("after an answer that never arrived, a new sign-in works (S13)", arguments: Stage.both)
  func lostAnswer(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("ezra@example.com")
      let before = await browser.cookies
      let code = try await scene.backstage.latestCode(
        to: "ezra@example.com",
        purpose: "second_factor"
      )
      try await browser.submit(["code": code])
      // The token was rotated, and the browser is where it was before.
      await browser.replaceCookies(before)
      let stale = try await browser.open("/sign-in/second-factor")
      #expect(stale.status == 200)
      let ended = try await browser.submit(["code": stage.wrongCode])
      #expect(ended.path == "/sign-in")
      // Only one thing is said: over Clerk the client is unknown, over Entra the attempt.
      #expect(
        ended.notices.map(\.code) + ended.errorCodes == [
          stage.either("sign_in_again", entra: "invalid_grant")
        ]
      )
      #expect(ended.form?.field("identifier")?.value == "ezra@example.com")
      let entered = try await browser.signIn("ada@example.com")
      #expect(entered.page == "account")
    }
  }

  @Test("bad requests get complete pages (R3)", arguments: Stage.both)
  func badRequests(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let unknown = try await browser.open("/no-such-page")
      #expect(unknown.status == 404)
      #expect(unknown.page == "error")
      #expect(unknown.errorCodes == ["not_found"])
      let method = try await browser.send(.delete, "/sign-in")
      #expect(method.status.code == 405)
      #expect(method.headerFields[.allow] == "GET, HEAD, POST")
      #expect(!method.body.isEmpty)
      let type = try await browser.send(
        .post,
        "/sign-in",
        body: [:],
        fields: [.contentType: "application/json"]
      )
      #expect(type.status.code == 415)
      #expect(!type.body.isEmpty)
    }
  }
}
