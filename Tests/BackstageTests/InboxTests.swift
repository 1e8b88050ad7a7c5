import Backstage
import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Testing

@Suite("The inbox in the browser")
struct InboxTests {
  private let client: BackstageClient
  private let workbench: WorkbenchClient

  init() throws {
    client = try BackstageClient()
    workbench = try WorkbenchClient(over: client.worlds)
  }

  private func open(
    _ page: String = "inbox",
    _ method: HTTPRequest.Method = .get,
    world: String = "main"
  ) async -> WorkbenchClient.Page {
    await workbench.open(page, method: method, [.vestibuleWorld: world])
  }

  @Test("shows messages with their recipients and codes, newest first")
  func messages() async throws {
    await client.sendCode(to: "cody@example.com")
    await client.sendCode(to: "ada@example.com")
    let codes = try await client.send(.get, "messages").json
    let page = await open()
    let html = page.html
    #expect(page.status == 200)
    #expect(page.fields[.cacheControl] == "no-store")
    let ada = try #require(html.firstRange(of: "ada@example.com"))
    let cody = try #require(html.firstRange(of: "cody@example.com"))
    #expect(ada.lowerBound < cody.lowerBound)
    let list = try #require(codes.array)
    #expect(list.count == 2)
    for message in list {
      let code = try #require(message["code"]?.string)
      #expect(html.contains("<p class=\"code\">\(code)</p>"))
    }
    #expect(html.contains(#/data-latest="[^"]+"/#))
  }

  @Test("has a button to keep new messages back, which a script shows (WCAG 2.2.2)")
  func pause() async {
    let html = await open().html
    #expect(html.contains(#/<button type="button"[^>]* hidden data-pause aria-pressed="false">/#))
  }

  @Test("an opened message is shown in full, and the others stay beside it")
  func opens() async throws {
    await client.sendCode(to: "cody@example.com")
    await client.sendCode(to: "ada@example.com")
    let list = try #require(try await client.send(.get, "messages").json.array)
    let id = try #require(list.last?["id"]?.string)
    let code = try #require(list.last?["code"]?.string)
    let html = await open("inbox?message=\(id)").html
    #expect(html.contains("<span id=\"message-code\" class=\"code\">\(code)</span>"))
    #expect(html.ranges(of: "<li data-purpose=\"sign_in\"").count == 2)
    #expect(html.contains("panes is-chosen"))
  }

  @Test("a message that is gone is reported above the others, and none is opened in its place")
  func gone() async throws {
    await client.sendCode()
    let page = await open("inbox?message=nothing")
    #expect(page.status == 404)
    #expect(page.html.contains("There is no message &#39;nothing&#39; in this world."))
    #expect(page.html.contains("<li data-purpose=\"sign_in\""))
    #expect(!page.html.contains("id=\"message\"") && !page.html.contains("is-chosen"))
  }

  @Test(
    "a search finds by address, words and purpose, and keeps what was typed",
    arguments: [
      ("q=CODY", 1), ("q=example.com", 2), ("q=ada+cody", 0), ("q=code", 2),
      ("purpose=sign_in", 2), ("purpose=sign_up", 0), ("q=ada&purpose=sign_in", 1),
    ]
  )
  func search(query: String, count: Int) async throws {
    await client.sendCode(to: "cody@example.com")
    await client.sendCode(to: "ada@example.com")
    let html = await open("inbox?\(query)").html
    #expect(html.ranges(of: "<li data-purpose=\"sign_in\"").count == count)
    #expect(html.contains("No message matches all of that.") == (count == 0))
    if query.hasPrefix("q=CODY") { #expect(html.contains("value=\"CODY\"")) }
  }

  @Test("a long list is shown in parts, which go on and lead back, within a search, too")
  func parts() async throws {
    for number in 0..<30 {
      await client.sendCode(to: number < 4 ? "ada@example.com" : "cody@example.com")
    }
    let row = "<li data-purpose=\"sign_in\""
    func linked(_ address: Substring) -> String {
      let path = address.dropFirst("/backstage/".count).prefix { $0 != "#" }
      return String(path).replacing("&amp;", with: "&")
    }
    for (query, count) in [("", 5), ("?q=cody", 1)] {
      let newest = await open("inbox\(query)").html
      #expect(newest.ranges(of: row).count == 25)
      #expect(!newest.contains("Newest messages"))
      let link = try #require(newest.firstMatch(of: #/href="([^"]+)">More messages/#)).output.1
      let later = await open(linked(link)).html
      #expect(later.ranges(of: row).count == count)
      #expect(!later.contains("More messages") && later.contains(">Newest messages</a>"))
      // Whoever opens one of them stays at the same part.
      let opened = try #require(later.firstMatch(of: #/class="row" href="([^"]+)"/#)).output.1
      #expect(await open(linked(opened)).html.ranges(of: row).count == count)
    }
    #expect(await open("inbox?after=nothing").html.ranges(of: row).count == 25)
  }

  @Test("a message is marked with its language, but a text's purpose is not (WCAG 3.1.2)")
  func language() async throws {
    await client.sendCode(in: "de")
    let mail = await open().html
    #expect(mail.contains(#"<h2 id="message-subject" dir="auto" lang="de">"#))
    #expect(mail.contains(#"<div class="letter" lang="de">"#))
    #expect(mail.contains(#"<pre dir="auto" lang="de">"#))
    await client.sendCode(to: "+12015550142", strategy: "phone_code", in: "ja")
    let text = await open().html
    #expect(text.contains(#"<h2 id="message-subject" dir="auto">Sign in</h2>"#))
    #expect(text.contains(#"<div class="letter" lang="ja">"#))
    let told = try await client.send(.get, "messages").json.array ?? []
    #expect(told.allSatisfy { $0["language"] == nil }, "programs get the same members as before")
  }

  @Test("an imported message's language is used only if it is a language tag")
  func importedLanguage() async throws {
    await client.sendCode(in: "de")
    let exported = try await client.send(.get, "export").json.encoded
    let text = String(decoding: exported, as: UTF8.self)
      .replacing(#""language":"de""#, with: #""language":"no tag""#)
    try #require(text.contains("no tag"))
    #expect(try await client.send(.post, "import", body: text).status == 200)
    let mail = await open().html
    #expect(mail.contains(#"<div class="letter">"#) && !mail.contains("no tag"))
  }

  @Test("shows what the authenticator apps show at the world's time")
  func authenticatorApps() async throws {
    let world = try await client.worlds.world(.main)
    _ = world.clock.freeze(true)
    let html = await open().html
    let reading = try await world.authenticatorReading(of: "user_mia")
    #expect(html.contains("mia@example.com"))
    #expect(html.contains("class=\"code\">\(try #require(reading).code)</span>"))
    // A script uses these to know what to renew, and when.
    let app = try #require(html.firstMatch(of: #/<li data-purpose="totp" data-app>(?s:.*?)<\/li>/#))
    #expect(app.output.contains(#/<span id="app-user_mia" class="code">/#))
    #expect(app.output.contains(#/class="about">shows now, .*data-moment="/#))
    #expect(!html.contains("JBSWY3DPEHPK3PXP"))
  }

  @Test("worlds do not see each other's messages")
  func worlds() async throws {
    await client.sendCode(world: "one", to: "cody@example.com")
    let one = await open(world: "one")
    let other = await open(world: "other")
    #expect(one.html.contains("cody@example.com</span>"))
    #expect(!other.html.contains("cody@example.com</span>"))
    #expect(other.html.contains("World <b>other</b>"))
  }

  @Test("other people's text never becomes markup (S17)")
  func escaping() async throws {
    let hostile = """
      {"id": "<img src=x>", "phone_numbers": ["+12015550199"], "totp_secret": "JBSWY3DPEHPK3PXP"}
      """
    let added = try await client.send(.post, "users", body: hostile)
    try #require(added.status == 200)
    let html = await open().html
    #expect(html.contains("&lt;img src=x&gt;"))
    #expect(!html.contains("<img"))
  }

  @Test(
    "is at its two addresses",
    arguments: [
      ("", HTTPRequest.Method.get, 200), ("inbox", .head, 200), ("inbox", .post, 415),
      ("inbox", .put, 405), ("nothing", .get, 404),
    ]
  )
  func addresses(page: String, method: HTTPRequest.Method, status: Int) async throws {
    let answer = await open(page, method)
    #expect(answer.status == status)
    #expect(answer.html.contains("<h1>\(status == 404 ? "Page not found" : "Inbox")</h1>"))
    #expect((answer.fields[.allow] == "GET, HEAD, POST") == (status == 405))
  }

  @Test("an invalid world name is refused with a page")
  func badWorld() async throws {
    let answer = await open(world: "Not A World")
    #expect(answer.status == 400)
    #expect(answer.html.contains("</html>"))
  }
}
