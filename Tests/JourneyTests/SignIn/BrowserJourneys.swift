import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

@Suite("Going on in a browser (P-browser)", .inTurn)
struct BrowserJourneys {
  @Test("sven goes on in a browser, password typed or not, without a loop", arguments: Stage.both)
  func page(stage: Stage) async throws {
    try await stage.play { scene in
      for typed in ["", password] {
        let browser = scene.newBrowser()
        let page = try await browser.signIn("sven@example.com", typed)
        #expect(page.redirects == ["/continue"])
        #expect(page.status == 200)
        #expect(page.step == "continue")
        let still = try await browser.submit(form: "finished")
        #expect(still.path == "/continue")
        #expect(still.noticeCodes == ["still_waiting"])
        // The first page stays open, and the same answer leads to the same page.
        #expect(try await browser.open("/sign-in").status == 200)
        #expect(try await browser.signIn("sven@example.com", typed).path == "/continue")
        #expect(try await browser.submit(form: "restart").path == "/sign-in")
      }
    }
  }

  @Test("the link leads to the tenant's page, whose answer signs in", arguments: Stage.entra)
  func signsIn(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.open("/sign-in?redirect_url=/account?from=here")
      let page = try await browser.submit(["identifier": "sven@example.com", "password": ""])
      let back = try await scene.signInAtTenant(by: page)
      #expect(back.path == "/continue")
      let returned = try await browser.open(back.target)
      // The address with the code is left at once.
      #expect(returned.redirects == ["/continue"])
      #expect(returned.status == 200)
      let code = try #require(back.queryParameters["code"])
      #expect(!String(decoding: returned.body, as: UTF8.self).contains(code))
      let entered = try await browser.submit(form: "finished")
      #expect(entered.redirects == ["/account?from=here"])
      let user = entered.facts["user"] as? [String: Any]
      #expect(user?["identifier"] as? String == "sven@example.com")
      #expect((entered.facts["scopes"] as? [String])?.last == "api://orders/Write")
      #expect(try await browser.submit(form: "get-token").noticeCodes == ["token_renewed"])
    }
  }

  @Test(
    "permissions that were declined on the tenant's page are shown before the sign-in is complete",
    arguments: Stage.entra
  )
  func declined(stage: Stage) async throws {
    let users = #"""
      [{"email_addresses": ["sven@example.com"], "enterprise": true,
        "entra": {"declined_scopes": ["api://orders/Write"]}}]
      """#
    try await stage.play(.init(users: users)) { scene in
      let browser = scene.newBrowser()
      let page = try await browser.signIn("sven@example.com", "")
      try await browser.open(try await scene.signInAtTenant(by: page).target)
      let asked = try await browser.submit(form: "finished")
      #expect(asked.redirects == ["/permissions"])
      #expect(asked.facts["granted"] as? [String] == ["api://orders/Read"])
      #expect(asked.facts["declined"] as? [String] == ["api://orders/Write"])
      let entered = try await browser.submit(form: "continue")
      #expect(entered.page == "account")
      #expect(
        entered.facts["scopes"] as? [String]
          == ["openid", "profile", "offline_access", "api://orders/Read"]
      )
    }
  }

  @Test("a cancelled sign-in there says so at the start", arguments: Stage.entra)
  func cancelled(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      let page = try await browser.signIn("sven@example.com", "")
      let back = try await scene.signInAtTenant(by: page, ["cancel": "1"])
      let start = try await browser.open(back.target)
      #expect(start.redirects == ["/sign-in"])
      #expect(start.noticeCodes == ["cancelled"])
      #expect(start.errorCodes == [])
      #expect(start.form?.field("identifier")?.value == "sven@example.com")
    }
  }

  @Test("an answer that this browser does not wait for signs nobody in", arguments: Stage.entra)
  func foreign(stage: Stage) async throws {
    try await stage.play { scene in
      let page = try await scene.newBrowser().signIn("sven@example.com", "")
      let back = try await scene.signInAtTenant(by: page)
      let stranger = scene.newBrowser()
      let start = try await stranger.open(back.target)
      #expect(start.path == "/sign-in")
      #expect(start.errorCodes == ["attempt_ended"])
      // A browser that waits for its own answer does not take another's.
      try await stranger.signIn("sven@example.com", "")
      #expect(try await stranger.open(back.target).path == "/continue")
      let still = try await stranger.submit(form: "finished")
      #expect(still.path == "/continue")
      #expect(still.noticeCodes == ["still_waiting"])
    }
  }

  @Test("a code that took too long ends the attempt")
  func late() async throws {
    try await Stage(place: .inProcess, api: .entra).play { scene in
      let browser = scene.newBrowser()
      let page = try await browser.signIn("sven@example.com", "")
      let back = try await scene.signInAtTenant(by: page)
      try await browser.open(back.target)
      try await scene.backstage.advanceClock(by: .seconds(601))
      let start = try await browser.submit(form: "finished")
      #expect(start.redirects == ["/sign-in"])
      #expect(start.errors.count == 1)
      #expect(start.form?.field("identifier")?.value == "sven@example.com")
    }
  }

  @Test("the tenant's page is served in the world that was asked, and nothing else of it is")
  func world() async throws {
    try await Stage(place: .inProcess, api: .entra).play { scene in
      let pages = FormSession(over: scene.pages, host: "team-a.localhost:8080")
      let page = try await pages.signIn("sven@example.com", "")
      let link = try #require(page.links.first { $0.name == "open" }?.href)
      #expect(link.hasPrefix("http://team-a.localhost:8080/backstage/browser/"))
      for path in ["oauth2/v2.0/token", "oauth2/v2.0/initiate", "discovery/v2.0/keys"] {
        let answer = try await pages.send(
          .get,
          "/backstage/browser/contoso.onmicrosoft.com/\(path)"
        )
        #expect(answer.status == .notFound)
      }
    }
  }
}

extension Scene {
  /// Follows the link to the tenant's page and fills it in, as a browser would.
  ///
  /// - Returns: The request with which the browser comes back.
  /// - Throws: If there is no such page, or it leads elsewhere.
  func signInAtTenant(
    by page: PageSnapshot,
    _ more: [String: String] = [:]
  ) async throws -> Request {
    let link = try #require(page.links.first { $0.name == "open" }?.href)
    let parts = try #require(URLComponents(string: link))
    let target = "\(parts.percentEncodedPath)?\(parts.percentEncodedQuery ?? "")"
    let isEmbedded = target.hasPrefix("/backstage/")
    let tenant = isEmbedded ? pages : emulator
    var fields: HTTPFields = [:]
    if isEmbedded { fields[.host] = parts.authority }
    let opened = try await tenant.send(
      Request(method: .get, target: target, headerFields: fields)
    )
    #expect(opened.status == .ok)
    let policy = opened.headerFields[.contentSecurityPolicy] ?? ""
    #expect(
      policy.hasPrefix("default-src 'none'; style-src 'sha256-"),
      "a policy of its own, wherever it is served"
    )
    let html = String(decoding: opened.body, as: UTF8.self)
    #expect(html.contains("<form method=\"post\">"))
    var form = FormData()
    for field in html.matches(of: /<input[^>]* name="(\w+)"[^>]* value="([^"]*)"/) {
      form.append(String(field.1), String(field.2).replacing("&amp;", with: "&"))
    }
    #expect(form["username"] == "sven@example.com")
    for (name, value) in more { form.append(name, value) }
    fields[.contentType] = "application/x-www-form-urlencoded"
    let answer = try await tenant.send(
      Request(method: .post, target: target, headerFields: fields, body: form.encoded)
    )
    #expect(answer.status == .seeOther)
    let location = try #require(answer.headerFields[.location].flatMap(URLComponents.init))
    return Request(
      method: .get,
      target: "\(location.percentEncodedPath)?\(location.percentEncodedQuery ?? "")"
    )
  }
}

extension URLComponents {
  fileprivate var authority: String? { host.map { $0 + (port.map { ":\($0)" } ?? "") } }
}
