import Foundation
import HTTPExchange
import HTTPTypes
import Logging
import Testing
import TestSupport

@testable import Vestibule

@Suite("What backstage remembers when files are read again")
struct RenewalTests {
  private let configuration: Configuration
  private let composition: Composition

  init() throws {
    var configuration = Configuration()
    configuration.dataFolder = nil
    self.configuration = configuration
    composition = try Composition(
      configuration,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    )
  }

  private func renew() throws { try composition.renewed(configuration)() }

  private func call(
    _ method: HTTPRequest.Method,
    _ path: String,
    _ json: String = ""
  ) async throws -> Response {
    let mark = try #require(HTTPField.Name("X-Vestibule-Backstage"))
    var fields: HTTPFields = [.host: "localhost:8080", mark: "1"]
    if !json.isEmpty { fields[.contentType] = "application/json" }
    let request = Request(
      method: method,
      target: "/backstage/api/\(path)",
      headerFields: fields,
      body: Array(json.utf8)
    )
    return await composition.handler.respond(to: request)
  }

  @Test("a stand undoes the settings of one before the reload")
  func stands() async throws {
    struct Settings: Decodable {
      var isIdentifierFirst: Bool
      enum CodingKeys: String, CodingKey { case isIdentifierFirst = "identifier_first" }
    }
    for (state, isIdentifierFirst) in [("identifier-first", true), ("fresh", false)] {
      let stand = try await call(.post, "stand", #"{"page": "sign-in", "state": "\#(state)"}"#)
      #expect(stand.status == .seeOther)
      try renew()
      let body = try await call(.get, "instance").body
      let settings = try JSONDecoder().decode(Settings.self, from: Data(body))
      #expect(settings.isIdentifierFirst == isIdentifierFirst)
    }
  }

  @Test("the notice of a form that was carried out before the reload is shown after it")
  func notices() async throws {
    func open(_ path: String, cookie: String? = nil) async -> String {
      var fields: HTTPFields = [.host: "localhost:8080", .accept: "text/html"]
      fields[.cookie] = cookie
      let request = Request(method: .get, target: path, headerFields: fields)
      return String(decoding: await composition.handler.respond(to: request).body, as: UTF8.self)
    }
    let page = await open("/backstage/clock")
    let token = try #require(page.firstMatch(of: #/name="form_token" value="([^"]+)"/#)).output.1
    let sent = Request(
      .post,
      "/backstage/traces",
      form: ["form_token": String(token), "action": "clear"],
      headerFields: [.host: "localhost:8080"]
    )
    let answer = await composition.handler.respond(to: sent)
    #expect(answer.status == .seeOther)
    let cookie = try #require(answer.headerFields[values: .setCookie].last)
    try renew()
    let words = "All traces are deleted."
    let shown = await open("/backstage/traces", cookie: String(cookie.prefix { $0 != ";" }))
    #expect(shown.contains(words))
    let again = await open("/backstage/traces")
    #expect(!again.contains(words))
  }
}
