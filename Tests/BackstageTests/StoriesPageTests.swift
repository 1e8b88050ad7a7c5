import Backstage
import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Testing

@Suite("Stories on their page, and their worlds")
struct StoriesPageTests {
  private let worlds: Worlds
  private let workbench: WorkbenchClient

  init() throws {
    worlds = try Worlds(storage: .memory)
    workbench = WorkbenchClient(
      try BackstagePages(
        worlds: worlds,
        renderer: .project(),
        secret: WorkbenchClient.secret,
        stories: Stories(
          worlds: worlds,
          scheme: "http",
          over: InProcessTransport(to: BackstageAPI(worlds: worlds)),
          endOfVisit: { _ in [:] },
          randomBytes: { Array(repeating: 7, count: $0) }
        )
      )
    )
  }

  private func begin(_ story: String, cookie: String? = nil) async -> String? {
    await workbench.send("stories", ["action": "begin", "id": story], cookie: cookie).location
  }

  @Test(
    "an unknown story, or one of the other API, is reported above those that can be played",
    arguments: [
      ("dina", "“One permission declined” is told only with Entra."),
      ("nobody", "There is no story &#39;nobody&#39;."),
    ]
  )
  func elsewhere(name: String, words: String) async {
    let page = await workbench.open("stories?story=\(name)")
    let html = page.html
    #expect(page.response.status == .notFound)
    #expect(html.contains("<h1>Stories</h1>") && html.contains("There is a problem"))
    #expect(html.contains(words) || html.contains(words.replacing("&#39;", with: "'")))
    #expect(html.contains("id=\"locked-out-on-a-friday\""))
  }

  @Test("the choice of ?present carries over to a story's world, and to the worlds in the menu")
  func presence() async throws {
    let kept = "vestibule_present=on"
    let location = await begin("ada", cookie: kept)
    #expect(location == "http://ada-0707070.localhost:8080/sign-in?present=on")
    #expect(await begin("mia") == "http://mia-0707070.localhost:8080/sign-in")
    let menu = await workbench.open("users", cookie: kept).html
    let address = "http://ada-0707070.localhost:8080/backstage?present=on"
    #expect(menu.contains("href=\"\(address)\""))
    let there = "ada-0707070.localhost:8080"
    let arrived = await workbench.open("users?present=on&new", host: there)
    #expect(arrived.response.status == .seeOther)
    #expect(arrived.location == "/backstage/users?new=")
    #expect(arrived.fields[.setCookie]?.hasPrefix("\(kept);") == true)
  }

  @Test("a choice that hides the bar does not carry over to a story, which needs it")
  func hidden() async throws {
    let zebra = try #require(WorldName("zebra"))
    _ = try await worlds.world(zebra)
    for kept in ["off", "usual"] {
      let cookie = "vestibule_present=\(kept)"
      let story = await begin(kept == "off" ? "ada" : "mia", cookie: cookie)
      #expect(story?.hasSuffix(".localhost:8080/sign-in") == true, "\(kept)")
      let menu = await workbench.open("users", cookie: cookie).html
      #expect(menu.contains("href=\"http://ada-0707070.localhost:8080/backstage\""))
      #expect(menu.contains("href=\"http://zebra.localhost:8080/backstage?present=\(kept)\""))
    }
  }

  @Test("?present works at backstage's addresses as at those of the pages")
  func chosen() async {
    for (query, kept) in [("", "on"), ("=", "on"), ("=usual", "usual"), ("=huge", "usual")] {
      let arrived = await workbench.open("users?present\(query)")
      #expect(arrived.location == "/backstage/users", "\(query)")
      let cookie = arrived.fields[.setCookie]
      #expect(cookie?.hasPrefix("vestibule_present=\(kept);") == true, "\(query)")
    }
  }

  @Test("the menu begins with main and the world that is open, and ends with worlds of stories")
  func menu() async throws {
    for story in ["ada", "bann", "cody", "cora", "ezra", "iris", "kurt", "lena", "lou", "mia"] {
      _ = await begin(story)
    }
    _ = try await worlds.world(#require(WorldName("zebra")))
    let html = await workbench.open("users", host: "lou-0707070.localhost:8080").html
    let sheet = html.split(separator: "<div class=\"sheet\">")[1].split(separator: "</ul>")[0]
    let names = sheet.matches(of: #/<a href="http[^>]*>([^<]*)</#).map { String($0.output.1) }
    #expect(Array(names.prefix(4)) == ["main", "lou-0707070", "zebra", "ada-0707070"])
    #expect(names.count == 8)
  }

  @Test("the worlds' page names each world's story, and drops the other stories' worlds at once")
  func dropped() async throws {
    for story in ["ada", "mia"] { _ = await begin(story) }
    _ = try await worlds.world(#require(WorldName("zebra")))
    let html = await workbench.open("world").html
    #expect(html.contains("Tells: An ordinary morning"))
    #expect(!html.contains("The story that it tells ends."))
    let host = "ada-0707070.localhost:8080"
    let there = await workbench.open("world", host: host).html
    #expect(there.contains("The story that it tells ends."))
    let dropped = await workbench.send("world", ["action": "drop-stories"], host: host)
    #expect(dropped.response.status == .seeOther)
    #expect(worlds.names.map(\.text) == ["ada-0707070", "main", "zebra"])
  }

  @Test("a story that is named is shown alone")
  func named() async {
    let page = await workbench.open("stories?story=ada")
    #expect(page.status == 200)
    #expect(page.html.contains("id=\"ada\""))
    #expect(!page.html.contains("id=\"locked-out-on-a-friday\""))
    #expect(!page.html.contains("There is a problem"))
  }

  @Test("a world whose name is taken is not begun again")
  func taken() async throws {
    #expect(await begin("ada") != nil)
    // The random digits are always the same here, so that no name is left.
    #expect(await begin("ada") == nil)
    #expect(worlds.names.map(\.text) == ["ada-0707070", "main"])
  }
}
