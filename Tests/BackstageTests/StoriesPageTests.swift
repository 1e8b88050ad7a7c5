import Backstage
import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import TestSupport
import Testing

@Suite("Stories on their page, and their worlds")
struct StoriesPageTests {
  private let worlds: Worlds
  private let workbench: BackstagePages

  init() throws {
    worlds = try Worlds(storage: .memory)
    workbench = try BackstagePages(
      worlds: worlds,
      renderer: .project(),
      secret: [1],
      stories: Stories(
        worlds: worlds,
        scheme: "http",
        over: InProcessTransport(to: BackstageAPI(worlds: worlds)),
        endOfVisit: { _ in [:] },
        randomBytes: { Array(repeating: 7, count: $0) }
      )
    )
  }

  private func open(
    _ target: String,
    host: String = "localhost:8080",
    cookie: String? = nil
  ) async -> (response: Response, html: String) {
    var fields: HTTPFields = [.host: host]
    fields[.cookie] = cookie
    let request = Request(method: .get, target: "/backstage/\(target)", headerFields: fields)
    let response = await workbench.respond(to: request)
    return (response, String(decoding: response.body, as: UTF8.self))
  }

  private func send(
    _ tool: String,
    _ fields: FormData,
    host: String = "localhost:8080",
    cookie: String? = nil
  ) async -> Response {
    var form: FormData = ["form_token": BackstagePages.token(of: [1])]
    form.fields += fields.fields
    var headerFields: HTTPFields = [.host: host]
    headerFields[.cookie] = cookie
    return await workbench.respond(
      to: Request(.post, "/backstage/\(tool)", form: form, headerFields: headerFields)
    )
  }

  private func begin(_ story: String, cookie: String? = nil) async -> String? {
    await send("stories", ["action": "begin", "id": story], cookie: cookie)
      .headerFields[.location]
  }

  @Test(
    "a story that is not told here is said to be elsewhere, or nowhere, above those that are",
    arguments: [
      ("dina", "“One permission declined” is told over Entra alone."),
      ("nobody", "There is no story &#39;nobody&#39;."),
    ]
  )
  func elsewhere(name: String, words: String) async {
    let (response, html) = await open("stories?story=\(name)")
    #expect(response.status == .notFound)
    #expect(html.contains("<h1>Stories</h1>") && html.contains("There is a problem"))
    #expect(html.contains(words) || html.contains(words.replacing("&#39;", with: "'")))
    #expect(html.contains("id=\"locked-out-on-a-friday\""))
  }

  @Test("what ?present chose goes along to the world of a story, and to those of the menu")
  func presence() async throws {
    let kept = "vestibule_present=on"
    let location = await begin("ada", cookie: kept)
    #expect(location == "http://ada-0707070.localhost:8080/sign-in?present=on")
    #expect(await begin("mia") == "http://mia-0707070.localhost:8080/sign-in")
    let (_, menu) = await open("users", cookie: kept)
    let address = "http://ada-0707070.localhost:8080/backstage?present=on"
    #expect(menu.contains("href=\"\(address)\""))
    let arrived = await open("users?present=on&new", host: "ada-0707070.localhost:8080").response
    #expect(arrived.status == .seeOther)
    #expect(arrived.headerFields[.location] == "/backstage/users?new=")
    #expect(arrived.headerFields[.setCookie]?.hasPrefix("\(kept);") == true)
  }

  @Test("that nothing is said of the demonstration goes along to no story, whose bar would be gone")
  func hidden() async throws {
    let zebra = try #require(WorldName("zebra"))
    _ = try await worlds.world(zebra)
    for kept in ["off", "usual"] {
      let cookie = "vestibule_present=\(kept)"
      let story = await begin(kept == "off" ? "ada" : "mia", cookie: cookie)
      #expect(story?.hasSuffix(".localhost:8080/sign-in") == true, "\(kept)")
      let (_, menu) = await open("users", cookie: cookie)
      #expect(menu.contains("href=\"http://ada-0707070.localhost:8080/backstage\""))
      #expect(menu.contains("href=\"http://zebra.localhost:8080/backstage?present=\(kept)\""))
    }
  }

  @Test("an address of backstage chooses as one of the pages does")
  func chosen() async {
    for (query, kept) in [("", "on"), ("=", "on"), ("=usual", "usual"), ("=huge", "usual")] {
      let arrived = await open("users?present\(query)").response
      #expect(arrived.headerFields[.location] == "/backstage/users", "\(query)")
      let cookie = arrived.headerFields[.setCookie]
      #expect(cookie?.hasPrefix("vestibule_present=\(kept);") == true, "\(query)")
    }
  }

  @Test("the menu begins with main and the world that is open, and ends with worlds of stories")
  func menu() async throws {
    for story in ["ada", "bann", "cody", "cora", "ezra", "iris", "kurt", "lena", "lou", "mia"] {
      _ = await begin(story)
    }
    _ = try await worlds.world(#require(WorldName("zebra")))
    let (_, html) = await open("users", host: "lou-0707070.localhost:8080")
    let sheet = html.split(separator: "<div class=\"sheet\">")[1].split(separator: "</ul>")[0]
    let names = sheet.matches(of: #/<a href="http[^>]*>([^<]*)</#).map { String($0.output.1) }
    #expect(Array(names.prefix(4)) == ["main", "lou-0707070", "zebra", "ada-0707070"])
    #expect(names.count == 8)
  }

  @Test("the page of the worlds tells the stories of worlds, and drops those at once")
  func dropped() async throws {
    for story in ["ada", "mia"] { _ = await begin(story) }
    _ = try await worlds.world(#require(WorldName("zebra")))
    let (_, html) = await open("world")
    #expect(html.contains("Tells: An ordinary morning"))
    #expect(!html.contains("The story that it tells is over then."))
    let host = "ada-0707070.localhost:8080"
    #expect(await open("world", host: host).html.contains("The story that it tells is over then."))
    #expect(await send("world", ["action": "drop-stories"], host: host).status == .seeOther)
    #expect(worlds.names.map(\.text) == ["ada-0707070", "main", "zebra"])
  }
}
