import Emulators
import Foundation
import GRDB
import HTTPExchange
import HTTPTypes
import Localization
import Locking
import Testing
import TestSupport

@testable import Emulators

@Suite("The engine of both emulated APIs")
struct CallEngineTests {
  private final class Reports: Sendable {
    private let references = Locked<[String]>([])
    var all: [String] { references.withLock { $0 } }
    var report: UnexpectedErrorReport {
      UnexpectedErrorReport { reference, _ in self.references.withLock { $0.append(reference) } }
    }
  }

  private func broken(_ api: EmulatedAPI) async throws -> Worlds {
    let worlds = try Worlds(storage: .memory, behind: api)
    try await worlds.world(.main).database.write { db in
      // A fault that no answer foresees: a missing table.
      try db.execute(sql: "DROP TABLE contact")
    }
    return worlds
  }

  @Test("an unforeseen error is reported under the reference that the answer names")
  func unexpected() async throws {
    let reports = Reports()
    let clerk = ClerkEmulator(
      worlds: try await broken(.clerk),
      address: "http://127.0.0.1:4010",
      report: reports.report
    )
    let answer = await clerk.respond(
      to: Request(
        method: .post,
        target: "/v1/client/sign_ins?_is_native=1",
        headerFields: [.contentType: "application/x-www-form-urlencoded"],
        body: Array("identifier=ada@example.com".utf8)
      )
    )
    #expect(answer.status.code >= 500)
    let reference = try #require(JSON(decoding: answer.body)?["clerk_trace_id"]?.string)
    let entra = EntraEmulator(
      worlds: try await broken(.entra),
      address: "http://127.0.0.1:4010",
      report: reports.report
    )
    let form: FormData = [
      "client_id": EntraClient.clientID, "username": "ada@example.com",
      "challenge_type": "oob password redirect",
    ]
    let second = await entra.respond(
      to: Request(
        method: .post,
        target: "/\(EntraTenant.defaultName)/oauth2/v2.0/initiate",
        headerFields: [.contentType: "application/x-www-form-urlencoded"],
        body: form.encoded
      )
    )
    #expect(second.status.code >= 500)
    let trace = try #require(JSON(decoding: second.body)?["trace_id"]?.string)
    #expect(reports.all == [reference, trace])
  }

  @Test("a call whose time ran out while it waited for its turn is not reported as an error")
  func givenUp() async throws {
    let reports = Reports()
    try await withTemporaryFolder { folder in
      let worlds = try Worlds(storage: .folder(folder))
      let clerk = ClerkEmulator(
        worlds: worlds,
        address: "http://127.0.0.1:4010",
        report: reports.report
      )
      let form: FormData = ["identifier": "ada@example.com", "password": "walk-right-in-42"]
      let answer = await withTaskGroup(of: Response.self) { group in
        group.cancelAll()
        group.addTask {
          await clerk.respond(to: Request(.post, "/v1/client/sign_ins?_is_native=1", form: form))
        }
        return await group.next()
      }
      #expect(answer?.status == .serviceUnavailable)
      worlds.close()
    }
    #expect(reports.all == [])
  }

  @Test("words are read before the transaction that uses them, even if their files can change")
  func wordsOutsideTransactions() async throws {
    try await withTemporaryFolder { folder in
      for words in [
        try MessageWords(under: folder), try MessageWords(under: folder, reloads: true),
      ] {
        let worlds = try Worlds(storage: .memory, words: words)
        var progress = CallProgress(key: nil)
        let interruption = #expect(throws: Interruption.self) {
          try progress.catalogue(for: ["de"], among: words)
        }
        guard case .needsWords(wishes: ["de"])? = interruption else {
          Issue.record("\(String(describing: interruption))")
          continue
        }
        try await progress.overcome(
          try #require(interruption),
          in: try await worlds.world(.main),
          by: TokenSigner(worlds: worlds)
        )
        let catalogue = try progress.catalogue(for: ["de"], among: words)
        #expect(catalogue.language.text == "de")
      }
      #expect(try MessageWords(under: folder).readCatalogue(for: ["en"]) != nil)
      #expect(MessageWords.builtIn.catalogue(for: ["fr"]).language.text == "fr")
      #expect(MessageWords.builtIn.readCatalogue(for: ["fr"])?.language.text == "fr")
    }
  }

  @Test("both APIs answer one world too many with 503 and the same reason")
  func tooManyWorlds() async throws {
    let reason = "there are 1 worlds already, all of them in use: drop some, or name one of them"
    for api in [EmulatedAPI.clerk, .entra] {
      let worlds = try Worlds(storage: .memory, behind: api, worldLimit: 1)
      _ = try await worlds.world(try #require(WorldName("one")))
      let request = Request(method: .get, target: "/", headerFields: [.vestibuleWorld: "two"])
      let response: Response
      let sentence: JSON?
      switch api {
      case .clerk:
        response = await ClerkEmulator(worlds: worlds, address: "http://127.0.0.1:4010")
          .respond(to: request)
        sentence = JSON(decoding: response.body)?["errors"]?[0]?["long_message"]
      case .entra:
        response = await EntraEmulator(worlds: worlds, address: "http://127.0.0.1:4010")
          .respond(to: request)
        sentence = JSON(decoding: response.body)?["error_description"]
      }
      #expect(response.status.code == 503)
      // Entra's description also has a code and the ids of the request.
      let text = try #require(sentence?.string)
      #expect(text.contains(reason), "\(api): \(text)")
    }
  }

  @Test(
    "an answer for no world has the time of the worlds' machine clock",
    arguments: ["two", "NO NAME"]
  )
  func timeOfNoWorld(name: String) async throws {
    let worlds = try Worlds(
      storage: .memory,
      behind: .entra,
      machineClock: { Date(timeIntervalSince1970: 1_932_974_107) },
      worldLimit: 0
    )
    let response = await EntraEmulator(worlds: worlds, address: "http://127.0.0.1:4010")
      .respond(to: Request(method: .get, target: "/", headerFields: [.vestibuleWorld: name]))
    #expect(response.status.code >= 400)
    #expect(JSON(decoding: response.body)?["timestamp"]?.string == "2031-04-03 09:15:07Z")
  }

  @Test("the route tables of both APIs are unambiguous, and return a path's parameters in order")
  func tables() {
    func check<Operation: CaseIterable & RawRepresentable & Sendable>(_: Operation.Type)
    where Operation.RawValue == String {
      let table = RouteTable<Operation>()
      for operation in Operation.allCases {
        let words = operation.rawValue.split(separator: " ")
        #expect(words.count == 2)
        // Each parameter's value is its name, marked so that it is not a segment of any pattern.
        let names = words[1].matches(of: /\{([a-z_]+)\}/).map { String($0.output.1) }
        let path = words[1].replacing("{", with: "x-").replacing("}", with: "")
        let match = HTTPRequest.Method(String(words[0])).flatMap { table.match($0, path) }
        #expect(match?.operation.rawValue == operation.rawValue)
        #expect(match?.parameters == names.map { "x-\($0)" })
      }
    }
    check(ClerkRoute.self)
    check(EntraRoute.self)
    check(EntraDocument.self)
  }

  @Test(
    "a path's parameters are decoded, or left as they are if they cannot be",
    arguments: [
      ("my%20template", "my template"), ("gr%C3%B6%C3%9Fe", "größe"), ("a%2Fb", "a/b"),
      ("auth0%7C1", "auth0|1"), ("a+b", "a+b"), ("50%", "50%"), ("%FF", "%FF"),
    ]
  )
  func parameters(segment: String, parameter: String) {
    let path = "/v1/client/sessions/sess_1/tokens/\(segment)"
    let match = RouteTable<ClerkRoute>().match(.post, path)
    #expect(match?.parameters == ["sess_1", parameter])
  }

  @Test("a reset forgets the calls that were counted, over both APIs")
  func resetEmptiesLimits() async throws {
    let entra = try EntraWorld { $0.rateLimits = true }
    let client = entra.client()
    for _ in 0..<10 { #expect(try await client.initiate("ada@example.com").status == 200) }
    #expect(try await client.initiate("ada@example.com").status == 429)
    try await entra.world.reset()
    #expect(try await client.initiate("ada@example.com").status == 200)

    // Callers without a client share one count, which the loss of a client does not end.
    let clerk = try TestWorld { $0.rateLimits = true }
    func begin() async throws -> Int { try await clerk.client().begin("ada@example.com").status }
    for _ in 0..<5 { #expect(try await begin() == 200) }
    #expect(try await begin() == 429)
    try await clerk.world.reset()
    #expect(try await begin() == 200)
  }

  @Test("a stored flow that cannot be read has ended", arguments: ["{}", "[]", #"{"stage":{}}"#])
  func unreadableFlow(state: String) async throws {
    let world = try EntraWorld()
    let client = world.client()
    try await client.initiate("ada@example.com")
    try await world.world.database.write { db in
      try db.execute(sql: "UPDATE entraFlow SET state = ?", arguments: [state])
    }
    #expect(try await client.challenge().error == "invalid_grant")
  }

  @Test("links name the host that was asked; links of a named world keep its port")
  func links() throws {
    let request = Request(method: .get, target: "/", headerFields: [.host: "[::1]:4010"])
    let origin = AskedOrigin(of: request, servedAt: "http://[::1]:4010")
    #expect(origin.text(in: .main) == "http://[::1]:4010")
    #expect(origin.text(in: try #require(WorldName("team"))) == "http://team.localhost:4010")
    let bare = AskedOrigin(
      of: Request(method: .get, target: "/", headerFields: [.host: "[::1]"]),
      servedAt: "https://[::1]"
    )
    #expect(bare.text(in: try #require(WorldName("team"))) == "https://team.localhost")
    let team = try #require(WorldName("team"))
    #expect(AskedOrigin.names(team, by: "team.localhost:4010"))
    for host in ["team.localhost.example", "team.localhosts:4010", "a.team.localhost", "team"] {
      #expect(!AskedOrigin.names(team, by: host), "\(host)")
    }
    let named = Request(method: .get, target: "/", headerFields: [.host: "auth_api:4010"])
    #expect(
      AskedOrigin(of: named, servedAt: "http://127.0.0.1:4010").text == "http://auth_api:4010"
    )
  }

  @Test("a segment that is empty is no parameter")
  func emptySegment() {
    let table = RouteTable<ClerkRoute>()
    #expect(table.match(.post, "/v1/client/sessions/sess_1/touch") != nil)
    #expect(table.match(.post, "/v1/client/sessions//touch") == nil)
  }

  @Test("an injected answer counts down to its end only if it says when to retry")
  func countdown() {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    func retryAfter(_ sent: String?, endsIn seconds: TimeInterval) -> String? {
      var answer = Response.json("{}", status: .tooManyRequests)
      answer.headerFields[.retryAfter] = sent
      let fault = Fault(
        match: FaultMatch(path: "/v1/client"),
        timesLeft: nil,
        endsAt: now.addingTimeInterval(seconds),
        delayMilliseconds: 0,
        effect: .answer(answer)
      )
      return fault.response(at: now)?.headerFields[.retryAfter]
    }
    #expect(retryAfter(nil, endsIn: 7) == nil)
    #expect(retryAfter("60", endsIn: 6.5) == "7")
    #expect(retryAfter("60", endsIn: 0.5) == "1")
  }
}
