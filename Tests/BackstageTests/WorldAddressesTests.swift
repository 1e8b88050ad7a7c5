import Backstage
import Emulators
import HTTPExchange
import Testing

@Suite("Where a browser finds the worlds")
struct WorldAddressesTests {
  private static let hostsElsewhere = [
    "laptop.test:8080", "192.168.0.7:8080", "[fe80::7]:8080", "laptop.localhost.test",
  ]

  private let client: BackstageClient
  private let workbench: WorkbenchClient

  init() throws {
    client = try BackstageClient()
    workbench = WorkbenchClient(
      try BackstagePages(
        worlds: client.worlds,
        renderer: .project(),
        secret: WorkbenchClient.secret,
        stories: Stories(
          worlds: client.worlds,
          scheme: "http",
          over: InProcessTransport(to: client.backstage),
          endOfVisit: { _ in [:] },
          randomBytes: { Array(repeating: 1, count: $0) }
        )
      )
    )
  }

  @Test(
    "a phone is told where worlds are, and no world is made that it could not reach",
    arguments: hostsElsewhere
  )
  func elsewhere(host: String) async throws {
    let forms: [(tool: String, form: FormData)] = [
      ("world", ["action": "open", "name": "team-a"]),
      ("stories", ["action": "begin", "id": "mia"]),
    ]
    for (tool, form) in forms {
      let refused = await workbench.send(tool, form, host: host)
      #expect(refused.status == 422, "\(tool)")
      #expect(refused.location == nil, "\(tool)")
      #expect(refused.html.contains("Open backstage there, at localhost."), "\(tool)")
    }
    #expect(client.worlds.names == [.main])
    let main = await workbench.send(
      "world",
      ["action": "open", "name": "main"],
      host: host
    )
    #expect(main.location?.hasPrefix("http://\(host)/backstage/") == true)
  }

  @Test("no link leads a phone to a world that it could not reach", arguments: hostsElsewhere)
  func links(host: String) async throws {
    _ = try await client.worlds.world(try #require(WorldName("team-a")))
    let there = await workbench.open("world", host: host)
    #expect(there.html.contains("team-a") && !there.html.contains("team-a.localhost"))
    let here = await workbench.open("world")
    #expect(here.html.contains("href=\"http://team-a.localhost:8080/backstage\""))
  }

  @Test(
    "a browser on the machine itself is led to each world",
    arguments: ["localhost:8080", "127.0.0.1:8080", "[::1]:8080", "team-a.localhost:8080"]
  )
  func here(host: String) async {
    let opened = await workbench.send(
      "world",
      ["action": "open", "name": "team-b"],
      host: host
    )
    #expect(opened.location?.hasPrefix("http://team-b.localhost:8080/backstage/") == true)
  }
}
