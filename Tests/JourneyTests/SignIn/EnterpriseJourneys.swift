import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

@Suite("Signing in at an organization's own page (P-browser)")
struct EnterpriseJourneys {
  private func link(_ page: PageSnapshot?) throws -> String {
    try #require(page?.links.first { $0.name == "open" }?.href)
  }

  /// Opens the organization's page, presses one of its buttons, and returns where that leads.
  private func decide(_ decision: String, at link: String, _ scene: Scene) async throws -> String {
    // Beside the pages, or on the emulator's own port.
    let isBeside = link.contains("/backstage/browser/")
    let stranger = FormSession(over: isBeside ? scene.pages : scene.emulator, host: scene.host)
    let target = try path(of: link)
    let page = try await stranger.send(.get, target)
    #expect(page.status == .ok)
    #expect(page.headerFields[.contentType] == "text/html; charset=utf-8")
    #expect(String(decoding: page.body, as: UTF8.self).contains("Sign in as sven@example.com"))
    let decided = try await stranger.send(.post, target, body: ["decision": decision])
    #expect(decided.status == .seeOther)
    #expect(try await stranger.send(.get, target).status == .gone)
    return try path(of: try #require(decided.headerFields[.location]))
  }

  private func path(of address: String) throws -> String {
    let rest = try #require(address.range(of: "://"))
    let slash = try #require(address[rest.upperBound...].firstIndex(of: "/"))
    return String(address[slash...])
  }

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
        let back = try await decide("approve", at: try link(still), scene)
        #expect(back.hasPrefix("/continue?rotating_token_nonce="))
        // Coming back alone does nothing, for whoever else may open the address.
        #expect(try await scene.newBrowser().open(back).path == "/sign-in")
        let returned = try await browser.open(back)
        // The address that brought the nonce is left at once.
        #expect(returned.redirects == ["/continue"])
        #expect(returned.page == "continue")
        #expect(try await browser.submit(form: "finished").page == "account")
        try await browser.signOut()
      }
    }
  }

  @Test("who comes back by the first window is in as well", arguments: Stage.allCases)
  func firstWindow(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let page = try await browser.signIn("sven@example.com")
      _ = try await decide("approve", at: try link(page), scene)
      #expect(try await browser.submit(form: "finished").page == "account")
    }
  }

  @Test("who gives up there is told so, and can begin again", arguments: Stage.allCases)
  func cancelled(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let page = try await browser.signIn("sven@example.com")
      #expect(try await decide("cancel", at: try link(page), scene) == "/continue")
      try await browser.open("/continue")
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
      let first = try link(try await browser.signIn("sven@example.com"))
      try await scene.workbench.advanceClock(by: .seconds(601))
      let late = try await browser.submit(form: "finished")
      #expect(late.path == "/continue")
      let second = try link(late)
      #expect(second != first)
      _ = try await decide("approve", at: second, scene)
      #expect(try await browser.submit(form: "finished").page == "account")
      #expect(try await browser.open("/continue").page == "account")
    }
  }
}
