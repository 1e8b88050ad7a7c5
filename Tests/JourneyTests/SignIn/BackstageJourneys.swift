import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

@Suite("Backstage in the browser", .inTurn)
struct BackstageJourneys {
  @Test(
    "the map shows where a sign-in stands, and a form moves the clock that it follows (S23)",
    arguments: [.inProcess, .overSockets, Stage(place: .inProcess, api: .entra)]
  )
  func workbench(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let asked = try await browser.signIn("ezra@example.com")
      #expect(asked.page == "sign-in-second-factor")

      let map = try await browser.send(.get, "/backstage/map", fields: [.accept: "text/html"])
      let chart = String(decoding: map.body, as: UTF8.self)
      #expect(chart.contains("data-step=\"/sign-in/second-factor\" aria-current=\"step\""))
      let way = #/\/sign-in\/second-factor \(sign-in[^)]*, walked by this browser\)/#
      #expect(chart.contains(way) && chart.contains("data-walked"))
      let strangers = try await scene.newBrowser().send(
        .get,
        "/backstage/map",
        fields: [.accept: "text/html"]
      )
      #expect(!String(decoding: strangers.body, as: UTF8.self).contains("aria-current=\"step\""))

      let before = try await scene.backstage.now()
      let clock = try await browser.send(.get, "/backstage/clock", fields: [.accept: "text/html"])
      let html = String(decoding: clock.body, as: UTF8.self)
      let token = try #require(html.firstMatch(of: #/name="form_token" value="([^"]*)"/#)).output.1
      var form: FormData = ["action": "advance", "advance_seconds": "600"]
      let forged = try await browser.send(.post, "/backstage/clock", body: form)
      #expect(forged.status == .forbidden)
      form.append("form_token", String(token))
      let moved = try await browser.send(.post, "/backstage/clock", body: form)
      #expect(moved.status == .seeOther)
      #expect(moved.headerFields[.location] == "/backstage/clock")
      let after = try await scene.backstage.now()
      #expect((600..<660).contains(after.timeIntervalSince(before)))
    }
  }

  @Test(
    "a form that comes again after a reset signs in to the new world",
    arguments: [.inProcess, .overSockets, Stage(place: .inProcess, api: .entra)]
  )
  func formAfterReset(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.open("/sign-in")
      let signIn = try await browser.filled([
        "identifier": "ada@example.com", "password": password,
      ])
      let before = await browser.cookies
      for _ in 0..<2 {
        await browser.replaceCookies(before)
        let answer = try await browser.send(.post, signIn.form.action, body: signIn.body)
        let page = try await browser.follow(answer, from: signIn.form.action)
        #expect(page.page == "account")
        _ = try await scene.backstage.call(.post, "reset")
      }
    }
  }

  @Test("the atlas shows the pages that are served", arguments: [Stage.inProcess, .overSockets])
  func atlas(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let list = try await browser.send(.get, "/backstage/atlas", fields: [.accept: "text/html"])
      #expect(list.status == .ok)
      let page = try await browser.send(
        .get,
        "/backstage/atlas/sign-in/fresh",
        fields: [.accept: "text/html"]
      )
      let twin = try await browser.send(.get, "/backstage/atlas/sign-in/fresh")
      #expect(String(decoding: twin.body, as: UTF8.self).hasPrefix(#"{"page":"sign-in""#))
      #expect(String(decoding: page.body, as: UTF8.self).contains("data-page=\"sign-in\""))
      let framed = try #require(page.headerFields[.contentSecurityPolicy])
      #expect(framed.contains("frame-ancestors 'self'"))
      let real = try await browser.send(.get, "/sign-in")
      let unframed = try #require(real.headerFields[.contentSecurityPolicy])
      #expect(unframed.contains("frame-ancestors 'none'"))
    }
  }
}
