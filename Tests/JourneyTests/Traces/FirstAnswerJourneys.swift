import Emulators
import Headless
import Foundation
import HTTPExchange
import HTTPTypes
import Logging
import Testing
import Vestibule

@Suite("Answers that a server gives without waiting for anything")
struct FirstAnswerJourneys {
  private static let page = Request(
    method: .get,
    target: "/sign-in",
    headerFields: [.host: "localhost:8080", .accept: "application/json"]
  )

  private static func composition() throws -> Composition {
    var configuration = Configuration()
    configuration.dataFolder = nil
    return try Composition(
      configuration,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    )
  }

  private static func isReady(_ handler: any HTTPHandler, for request: Request) -> Bool {
    handler.readyAnswer(to: request) != nil
  }

  private static func call(
    _ handler: any HTTPHandler,
    _ method: HTTPRequest.Method,
    _ path: String,
    _ json: String = "{}"
  ) async -> Response {
    var request = Request(
      method: method,
      target: "/backstage/api/\(path)",
      headerFields: [
        .host: "localhost:8080", .contentType: "application/json",
        .vestibuleBackstage: "1",
      ],
      body: Array(json.utf8)
    )
    if method == .get || method == .delete { request.body = [] }
    return await handler.respond(to: request)
  }

  private static let changes = [
    ("PATCH", "instance", #"{"resend_cooldown_seconds":45}"#),
    ("POST", "faults", #"{"match":{"method":"GET","path":"/v1/environment"},"fault":"timeout"}"#),
    ("POST", "recordings", #"{"title":"A walk"}"#), ("POST", "reset", "{}"),
    ("DELETE", "messages", ""),
  ]

  @Test("a first page is made again after any change in its world", arguments: changes)
  func changed(method: String, path: String, json: String) async throws {
    let handler = try Self.composition().handler
    #expect(await handler.respond(to: Self.page).status == .ok)
    #expect(Self.isReady(handler, for: Self.page))
    let answer = await Self.call(handler, try #require(.init(method)), path, json)
    #expect(answer.status.code < 300, "\(String(decoding: answer.body, as: UTF8.self))")
    #expect(!Self.isReady(handler, for: Self.page))
  }

  @Test("a world that tells a story makes every page again, since a page may move the story on")
  func story() async throws {
    let handler = try Self.composition().handler
    let begun = await Self.call(handler, .post, "stories/a-typo", "")
    let world = try #require(JSON(decoding: begun.body)?["world"]?.string)
    var page = Self.page
    page.headerFields[.vestibuleWorld] = world
    #expect(await handler.respond(to: page).status.code == 200)
    #expect(!Self.isReady(handler, for: page))
  }

  @Test("a world that was dropped and made anew has first pages of its own")
  func dropped() async throws {
    let handler = try Self.composition().handler
    var page = Self.page
    page.headerFields[.vestibuleWorld] = "short-lived"
    _ = await handler.respond(to: page)
    #expect(Self.isReady(handler, for: page))
    #expect(await Self.call(handler, .delete, "worlds/short-lived").status.code < 300)
    #expect(!Self.isReady(handler, for: page))
    _ = await handler.respond(to: page)
    #expect(Self.isReady(handler, for: page))
  }

  @Test("a ready answer is in the traces like every other answer")
  func seen() async throws {
    let handler = try Self.composition().handler
    #expect(await handler.respond(to: Self.page).status == .ok)
    for _ in 0..<3 {
      let status = handler.readyAnswer(to: Self.page)?().status
      #expect(status == .ok)
    }
    let traces = await Self.call(handler, .get, "traces")
    let pages = try #require(JSON(decoding: traces.body)?.array)
    #expect(pages.count == 4)
    #expect(Set(pages.compactMap { $0["visit"]?.string }).count == 4)
    #expect(pages.allSatisfy { $0["page"]?["path"]?.string == "/sign-in" })
    #expect(pages.allSatisfy { $0["answer"]?["page"]?.string == "sign-in" })
  }
}
