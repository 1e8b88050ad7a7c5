import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

@Suite("Signing in at an organization's own page (P-browser)", .inTurn)
struct EnterpriseJourneys {
  @Test(
    "sven is sent to his organization's page, password typed or not, and comes back signed in",
    arguments: Stage.allCases
  )
  func signIn(stage: Stage) async throws {
    try await stage.play { scene in
      for typed in ["", password] {
        let browser = scene.newBrowser()
        let page = try await browser.signIn("sven@example.com", typed)
        #expect(page.redirects == ["/continue"])
        #expect(page.status == 200)
        #expect(page.step == "continue")
        let html = try await browser.send(.get, "/continue", fields: [.accept: "text/html"])
        #expect(
          String(decoding: html.body, as: UTF8.self)
            .contains("Open the sign-in page of example.com")
        )
        let still = try await browser.submit(form: "finished")
        #expect(still.path == "/continue")
        #expect(still.noticeCodes == ["still_waiting"])
        let back = try await scene.decide("approve", at: still.providerLink)
        let over = try await scene.visit(still.providerLink).2
        #expect(over.status == .gone)
        #expect(back.hasPrefix("/continue?returned=1&rotating_token_nonce="))
        // The address alone does nothing for another browser that opens it.
        #expect(try await scene.newBrowser().open(back).path == "/sign-in")
        let returned = try await browser.open(back)
        // The address with the nonce is left at once.
        #expect(returned.redirects == ["/continue"])
        #expect(returned.page == "continue")
        #expect(returned.noticeCodes == [])
        #expect(try await browser.submit(form: "finished").page == "account")
        try await browser.signOut()
      }
    }
  }

  @Test("the organization's page is on the host that people know, and leads back there")
  func publicHost() async throws {
    var configuration = TestVestibule.Configuration()
    configuration.publicURL = "https://login.example.com"
    let vestibule = try TestVestibule(configuration)
    let browser = FormSession(over: vestibule.transport, host: "login.example.com")
    let page = try await browser.signIn("sven@example.com")
    #expect(page.path == "/continue")
    let link = try #require(page.providerLink)
    let origin = "https://login.example.com"
    #expect(link.hasPrefix("\(origin)/backstage/browser/v1/enterprise_sso?token="))
    let decided = try await browser.send(
      .post,
      String(link.dropFirst(origin.count)),
      body: ["decision": "approve"]
    )
    #expect(decided.headerFields[.location]?.hasPrefix("\(origin)/continue?") == true)
  }

  @Test("going on in the first window signs in as well", arguments: Stage.allCases)
  func firstWindow(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let page = try await browser.signIn("sven@example.com")
      _ = try await scene.decide("approve", at: page.providerLink)
      #expect(try await browser.submit(form: "finished").page == "account")
    }
  }

  @Test("only the page's buttons decide", arguments: Stage.allCases, ["", "decision=deny"])
  func otherForms(stage: Stage, form: String) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let page = try await browser.signIn("sven@example.com")
      let (stranger, target, _) = try await scene.visit(page.providerLink)
      let body = try FormData(decoding: Array(form.utf8))
      #expect(try await stranger.send(.post, target, body: body).status == .badRequest)
      #expect(try await browser.submit(form: "finished").path == "/continue")
    }
  }

  @Test("a person who gives up there is told so, and can begin again", arguments: Stage.allCases)
  func cancelled(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let page = try await browser.signIn("sven@example.com")
      let back = try await scene.decide("cancel", at: page.providerLink)
      #expect(back == "/continue?returned=1")
      let returned = try await browser.open(back)
      #expect(returned.redirects == ["/continue"])
      let html = try await browser.send(.get, "/continue", fields: [.accept: "text/html"])
      #expect(String(decoding: html.body, as: UTF8.self).contains("You are back from"))
      let start = try await browser.submit(form: "finished")
      #expect(start.path == "/sign-in")
      #expect(start.noticeCodes == ["cancelled"])
      #expect(try await browser.signIn("sven@example.com").path == "/continue")
    }
  }

  @Test("a page that was left too long is replaced by a new one", arguments: Stage.allCases)
  func expired(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let first = try await browser.signIn("sven@example.com").providerLink
      try await scene.backstage.advanceClock(by: .seconds(601))
      let late = try await browser.submit(form: "finished")
      #expect(late.path == "/continue")
      let second = late.providerLink
      #expect(second != first)
      _ = try await scene.decide("approve", at: second)
      #expect(try await browser.submit(form: "finished").page == "account")
      #expect(try await browser.open("/continue").page == "account")
    }
  }
}

extension PageSnapshot {
  /// Where the page sends a browser to sign in.
  var providerLink: String? { links.first { $0.name == "open" }?.href }
}

extension Scene {
  /// Opens the organization's page, presses one of its buttons, and returns where that leads.
  func decide(_ decision: String, at link: String?) async throws -> String {
    let (stranger, target, page) = try await visit(link)
    #expect(page.status == .ok)
    #expect(page.headerFields[.contentType] == "text/html; charset=utf-8")
    #expect(String(decoding: page.body, as: UTF8.self).contains("Sign in as sven@example.com"))
    let decided = try await stranger.send(.post, target, body: ["decision": decision])
    #expect(decided.status == .seeOther)
    return try path(of: try #require(decided.headerFields[.location]))
  }

  /// Opens the organization's page, beside the pages or on the emulator's own port.
  fileprivate func visit(_ link: String?) async throws -> (FormSession, String, Response) {
    let link = try #require(link)
    let isBeside = link.contains("/backstage/browser/")
    let stranger = FormSession(over: isBeside ? pages : emulator, host: host)
    let target = try path(of: link)
    return (stranger, target, try await stranger.send(.get, target))
  }

  private func path(of address: String) throws -> String {
    let rest = try #require(address.range(of: "://"))
    let slash = try #require(address[rest.upperBound...].firstIndex(of: "/"))
    return String(address[slash...])
  }
}
