@testable import Backstage
import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Synchronization
import Testing

@Suite("What backstage refuses")
struct BackstageRefusalTests {
  private let worlds: Worlds

  init() throws { worlds = try Worlds(storage: .memory, worldLimit: 1) }

  private func request(_ path: String, accept: String? = nil, world: String = "main") -> Request {
    var fields: HTTPFields = [.host: "localhost:8080", .mark: "1", .vestibuleWorld: world]
    fields[.accept] = accept
    return Request(method: .get, target: path, headerFields: fields)
  }

  @Test(
    "backstage words what the server refuses, as a page or as JSON",
    arguments: [400, 413, 431, 500, 503, 504]
  )
  func serverRefusals(status: Int) throws {
    let json = BackstageAPI.refusal(.init(code: status))
    #expect(json.status.code == status)
    let message = try #require(JSON(decoding: json.body)?["errors"]?[0]?["message"]?.string)
    let workbench = try BackstagePages(worlds: worlds, renderer: .project(), secret: [1])
    let page = workbench.refusal(.init(code: status), request("/backstage/users"))
    #expect(page.status.code == status)
    let html = String(decoding: page.body, as: UTF8.self)
    #expect(html.contains(message))
    #expect(html.contains("data-page=\"backstage-users\""))
    let twin = workbench.refusal(
      .init(code: status),
      request("/backstage/users", accept: "application/json")
    )
    #expect(JSON(decoding: twin.body)?["errors"]?[0]?["message"]?.string == message)
  }

  @Test("a body that is too long is refused with the limits, by the server and by a call alike")
  func bodyLimits() async throws {
    var long = request("/backstage/api/clock")
    long.method = .post
    long.headerFields[.contentType] = "application/json"
    long.body = Array(repeating: UInt8(ascii: " "), count: 1024 * 1024 + 1)
    for answer in [
      BackstageAPI.refusal(.contentTooLarge),
      await BackstageAPI(worlds: worlds).respond(to: long),
    ] {
      #expect(answer.status == .contentTooLarge)
      let error = JSON(decoding: answer.body)?["errors"]?[0]
      #expect(error?["code"] == "body_too_large")
      #expect(
        error?["message"]?.string
          == """
          The body is too large: the limit is 64 KiB for a form, 1 MiB for JSON, and 512 MiB to import a world.
          """
      )
    }
  }

  @Test(
    "JSON with too large a number, or nested too deeply, is refused with the reason",
    arguments: [
      (#"{"advance_seconds": 1e999}"#, "it has a number that is too large: line 1, column 21"),
      (
        #"{"x": "# + String(repeating: "[", count: 256) + String(repeating: "]", count: 256) + "}",
        "it is nested too deeply: more than 256 arrays and objects in each other: line 1, column 262"
      ),
    ]
  )
  func tooMuch(body: String, words: String) async throws {
    var asked = request("/backstage/api/clock")
    asked.method = .post
    asked.headerFields[.contentType] = "application/json"
    asked.body = Array(body.utf8)
    let answer = await BackstageAPI(worlds: worlds).respond(to: asked)
    #expect(answer.status == .badRequest)
    let message = JSON(decoding: answer.body)?["errors"]?[0]?["message"]?.string
    #expect(message == "In the body: \(words).")
  }

  @Test(
    "a stand at no page or state says which of them is unknown, and names those that there are",
    arguments: [
      (#"{"page": "nope"}"#, "There is no page 'nope'. The pages are ", ["sign-in", "locked"]),
      (
        #"{"page": "nope", "state": "fresh"}"#, "There is no page 'nope'. The pages are ",
        ["account"]
      ),
      (
        #"{"page": "sign-in-code", "state": "nope"}"#,
        "There is no state sign-in-code/nope. The states are ", ["just-sent", "wrong-code"]
      ),
    ] as [(String, String, [String])]
  )
  func standing(body: String, message: String, known: [String]) async throws {
    let api = BackstageAPI(
      worlds: worlds,
      standpoint: Standpoint(states: []) { _, _ in .elsewhere("") }
    )
    var asked = request("/backstage/api/stand")
    asked.method = .post
    asked.headerFields[.contentType] = "application/json"
    asked.body = Array(body.utf8)
    let answer = await api.respond(to: asked)
    #expect(answer.status == .unprocessableContent)
    let text = JSON(decoding: answer.body)?["errors"]?[0]?["message"]?.string
    let told = try #require(text)
    #expect(told.hasPrefix(message) && told.hasSuffix("."))
    let names = told.dropFirst(message.count).dropLast().components(separatedBy: ", ")
    #expect(Set(names).isSuperset(of: known), "\(told)")
  }

  @Test("a tool answers in JSON if that is preferred, also when it refuses")
  func jsonTools() async throws {
    let workbench = try BackstagePages(worlds: worlds, renderer: .project(), secret: Array(0..<32))
    {
      _ in ["/sign-in/code"]
    }
    for tool in [
      "inbox", "users", "clock", "faults", "traces", "settings", "brand", "map", "stories",
      "recordings",
    ] {
      let answer = await workbench.respond(
        to: request("/backstage/\(tool)", accept: "application/json")
      )
      let json = try #require(JSON(decoding: answer.body))
      #expect(json["page"]?.string == "backstage-\(tool)")
      #expect(json["world"] == "main")
      #expect(json["errors"] == [])
      #expect(json["facts"] != .object([]), "\(tool)")
    }
    let missing = await workbench.respond(
      to: request("/backstage/nothing", accept: "application/json")
    )
    #expect(missing.status == .notFound)
    #expect(JSON(decoding: missing.body)?["errors"]?[0]?["code"] == "not_found")
    #expect(JSON(decoding: missing.body)?["title"] == "Page not found")
  }

  @Test("one world too many is refused with the reason, in JSON and as a page")
  func tooManyWorlds() async throws {
    _ = try await worlds.world(#require(WorldName("one")))
    let api = BackstageAPI(worlds: worlds)
    let answer = await api.respond(to: request("/backstage/api/users", world: "two"))
    #expect(answer.status == .serviceUnavailable)
    let message = JSON(decoding: answer.body)?["errors"]?[0]?["message"]?.string
    #expect(message?.contains("1 worlds") == true, "\(message ?? "")")
    let workbench = try BackstagePages(worlds: worlds, renderer: .project(), secret: Array(0..<32))
    let page = await workbench.respond(to: request("/backstage/users", world: "two"))
    #expect(page.status == .serviceUnavailable)
    #expect(String(decoding: page.body, as: UTF8.self).contains("1 worlds"))
  }

  @Test(
    "a wait for a message that is cut short is refused with the reason",
    arguments: [(Outbox.WaitingEnd.worldGone, "world_unavailable"), (.stopping, "stopping")]
  )
  func cutShort(end: Outbox.WaitingEnd, code: String) {
    let refusal = BackstageRefusal(end, .none)
    #expect(refusal.status == 503 && refusal.code.rawValue == code)
  }

  @Test("every call refuses a parameter that it does not have", arguments: routes)
  func unknownParameter(method: String, path: String) async throws {
    var asked = request("/backstage/api/\(path)?foo=1")
    asked.method = try #require(HTTPRequest.Method(method))
    let answer = await BackstageAPI(worlds: worlds).respond(to: asked)
    let error = JSON(decoding: answer.body)?["errors"]?[0]
    #expect(answer.status == .unprocessableContent)
    #expect(error?["message"] == "There is no parameter 'foo'.")
  }

  /// Each operation that needs no pages, with a value in place of each parameter in braces.
  private static let routes: [(String, String)] =
    BackstageRouter.routes.filter { !$0.description.needsPages }.map {
      (
        $0.method.rawValue,
        $0.path.map { $0.hasPrefix("{") ? "x" : String($0) }.joined(separator: "/")
      )
    }

  @Test("an invalid world name is refused with the rule for names, and invalid JSON with the place")
  func saysHow() async throws {
    let api = BackstageAPI(worlds: worlds)
    let name = await api.respond(to: request("/backstage/api/clock", world: "Team_A"))
    #expect(name.status == .badRequest)
    var asked = request("/backstage/api/clock")
    asked.method = .post
    asked.headerFields[.contentType] = "application/json"
    asked.body = Array("{\"freeze\": true,\n 'set'}".utf8)
    let body = await api.respond(to: asked)
    #expect(body.status == .badRequest)
    let messages = [name, body].map {
      JSON(decoding: $0.body)?["errors"]?[0]?["message"]?.string
    }
    #expect(
      messages == [
        "A world's name is 1 to 40 of a-z, 0-9 and -.",
        "In the body: it is not JSON: line 2, column 2.",
      ]
    )
  }

  @Test("the requested address counts as its own origin, and so does the public one (S23)")
  func ownOrigins() async throws {
    for (own, origin, status) in [
      ("http://localhost", "http://localhost:8080", 200),
      ("http://localhost", "http://LOCALHOST:8080", 200),
      ("http://localhost", "https://localhost:8080", 403),
      ("https://localhost", "https://localhost:8080", 200),
      ("https://localhost", "http://localhost:8080", 403),
      // A proxy in front sends a host name of its own.
      ("https://sign-in.example.com", "https://sign-in.example.com", 200),
      ("https://sign-in.example.com", "https://example.com", 403),
      ("https://sign-in.example.com", "null", 403),
    ] {
      let api = BackstageAPI(worlds: worlds, at: OwnOrigins(own))
      var asked = request("/backstage/api/clock")
      asked.headerFields[.origin] = origin
      let answer = await api.respond(to: asked)
      #expect(answer.status.code == status, "\(own) \(origin)")
    }
  }
}
