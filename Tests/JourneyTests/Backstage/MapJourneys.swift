import Foundation
import HTTPClientTransport
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport
import VestibuleTesting

@Suite("The map of the flows", .inTurn)
struct MapJourneys {
  @Test(
    "has an arrow for each way that the flows take, and no other",
    arguments: [
      (Stage.inProcess, WalkedArrows.overClerk),
      (Stage(place: .inProcess, api: .entra), WalkedArrows.overEntra),
    ]
  )
  func arrows(stage: Stage, expected: [String]) async throws {
    try await stage.play { scene in
      let answer = try await scene.newBrowser().send(.get, "/backstage/map")
      let page = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
      let facts = try #require(page?["facts"] as? [String: Any])
      #expect(facts["strayed"] as? [String] == [])
      let arrows = try #require(facts["arrows"] as? [[String: String]])
      let found = arrows.map {
        "\($0["from"] ?? "") → \($0["to"] ?? "") | \($0["reason"] ?? "")"
      }
      #expect(Set(found).subtracting(expected).sorted() == [], "an arrow that is not expected")
      #expect(Set(expected).subtracting(found).sorted() == [], "an arrow that is missing")
      #expect(found.count == expected.count)
    }
  }

  @Test("leaves out what the flows can no longer do, and names it")
  func changed() async throws {
    try await Stage.inProcess.play { scene in
      let walker = try FlowWalker(
        over: WithoutMethods(pages: scene.pages),
        host: scene.host,
        api: "clerk"
      )
      let findings = await walker.findings()
      #expect(findings.strayed.contains("sign-in-methods/fresh"))
      #expect(!findings.strayed.contains("ada"))
      #expect(!findings.ways.contains { [$0.source, $0.target].contains("sign-in-methods") })
      #expect(findings.ways.contains { $0.source == "sign-in" && $0.target == "account" })
    }
  }

  @Test("is made in memory: it leaves no file, and no world in the program")
  func leavesNothing() async throws {
    try await withTemporaryFolder { folder in
      let program = try Program(
        ["-c", "cd '\(folder)' && exec '\(Program.executable().path)' --port 0 --in-memory"],
        executable: URL(fileURLWithPath: "/bin/sh")
      )
      defer { program.end() }
      let address = try await program.addresses(1)[0]
      let transport = try HTTPClientTransport(
        to: try BaseURL(address.replacing("127.0.0.1", with: "localhost")),
        limits: .ofBrowsers
      )
      let result = await Result {
        let calls = TestBackstage(over: transport)
        let before = try await calls.call(.get, "worlds")
        let map = try await FormSession(over: transport).send(.get, "/backstage/map")
        #expect(map.status == .ok)
        #expect(try await calls.call(.get, "worlds") == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
      }
      await transport.shutdown()
      try result.get()
    }
  }
}

/// Pages without the one that lists the methods.
private struct WithoutMethods: HTTPTransport {
  let pages: any HTTPTransport

  func send(_ request: Request) async throws(TransportError) -> Response {
    guard !request.target.hasPrefix("/sign-in/methods") else { throw .refused }
    return try await pages.send(request)
  }
}
