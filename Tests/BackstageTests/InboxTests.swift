import Backstage
import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Testing

@Suite("The inbox in the browser")
struct InboxTests {
  private let client: BackstageClient
  private let workbench: BackstagePages

  init() throws {
    client = try BackstageClient()
    workbench = try BackstagePages(worlds: client.worlds, renderer: .project(), secret: [1, 2, 3])
  }

  private func open(
    _ path: String = "/backstage/inbox",
    _ method: HTTPRequest.Method = .get,
    world: String = "main"
  ) async -> (status: Int, html: String, fields: HTTPFields) {
    let response = await workbench.respond(
      to: Request(
        method: method,
        target: path,
        headerFields: [.host: "localhost:8080", .vestibuleWorld: world]
      )
    )
    let html = String(decoding: response.body, as: UTF8.self)
    return (response.status.code, html, response.headerFields)
  }

  @Test("shows whom a message went to, its code and its world, newest first")
  func messages() async throws {
    await client.sendCode(to: "cody@example.com")
    await client.sendCode(to: "ada@example.com")
    let codes = try await client.send(.get, "messages").json
    let (status, html, fields) = await open()
    #expect(status == 200)
    #expect(fields[.cacheControl] == "no-store")
    let ada = try #require(html.firstRange(of: "ada@example.com"))
    let cody = try #require(html.firstRange(of: "cody@example.com"))
    #expect(ada.lowerBound < cody.lowerBound)
    let list = try #require(codes.array)
    #expect(list.count == 2)
    for message in list {
      let code = try #require(message["code"]?.string)
      #expect(html.contains("<p class=\"code\">\(code)</p>"))
    }
  }

  @Test("shows what the authenticator apps show at the world's time")
  func authenticatorApps() async throws {
    let world = try await client.worlds.world(.main)
    _ = world.clock.freeze(true)
    let (_, html, _) = await open()
    let reading = try await world.authenticatorReading(of: "user_mia")
    #expect(html.contains("mia@example.com"))
    #expect(html.contains("<p class=\"code\">\(try #require(reading).code)</p>"))
    #expect(!html.contains("JBSWY3DPEHPK3PXP"))
  }

  @Test("worlds do not see each other's messages")
  func worlds() async throws {
    await client.sendCode(world: "one", to: "cody@example.com")
    let one = await open(world: "one")
    let other = await open(world: "other")
    #expect(one.html.contains("cody@example.com</p>"))
    #expect(!other.html.contains("cody@example.com</p>"))
    #expect(other.html.contains("world <b>other</b>"))
  }

  @Test("text of others never becomes markup (S17)")
  func escaping() async throws {
    let hostile = """
      {"id": "<img src=x>", "phone_numbers": ["+12015550199"], "totp_secret": "JBSWY3DPEHPK3PXP"}
      """
    let added = try await client.send(.post, "users", body: hostile)
    try #require(added.status == 200)
    let (_, html, _) = await open()
    #expect(html.contains("&lt;img src=x&gt;"))
    #expect(!html.contains("<img"))
  }

  @Test(
    "is only read, at its two addresses",
    arguments: [
      ("/backstage", HTTPRequest.Method.get, 200), ("/backstage/inbox", .head, 200),
      ("/backstage/inbox", .post, 405), ("/backstage/nothing", .get, 404),
    ]
  )
  func addresses(path: String, method: HTTPRequest.Method, status: Int) async throws {
    let answer = await open(path, method)
    #expect(answer.status == status)
    #expect(answer.html.contains("<h1>\(status == 404 ? "Backstage" : "Inbox")</h1>"))
    #expect((answer.fields[.allow] == "GET, HEAD") == (status == 405))
  }

  @Test("a world that is no name is refused with a page")
  func badWorld() async throws {
    let answer = await open(world: "Not A World")
    #expect(answer.status == 400)
    #expect(answer.html.contains("</html>"))
  }
}
