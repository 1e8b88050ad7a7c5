import Emulators
import Headless
import HTTPExchange
import HTTPTypes
import Logging
import Testing
import Vestibule

@Suite("Backstage's calls at an address where they are not answered")
struct BackstageHostJourneys {
  /// Hosts that are not known, and one whose auth API is a real one.
  private static let places: [(host: String, api: String?, status: Int, code: String)] = [
    ("team_a.localhost:8080", nil, 400, "invalid_world"),
    ("evil.example", nil, 400, "host_not_allowed"),
    ("localhost:8080", "http://127.0.0.1:9", 404, "not_found"),
  ]

  @Test("programs are refused in JSON, people with a page", arguments: places)
  func refused(host: String, api: String?, status: Int, code: String) async throws {
    var configuration = Configuration()
    configuration.dataFolder = nil
    if let api {
      configuration.service = .pages(at: .init(port: 8080), over: .remote(try .clerk(at: api)))
    }
    let handler = try Composition(
      configuration,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ).handler
    let fields: HTTPFields = [.host: host, .vestibuleBackstage: "1", .accept: "*/*"]
    for (path, type) in [("/backstage/api/clock", "application/json"), ("/backstage", "text/html")]
    {
      let answer = await handler.respond(
        to: Request(method: .get, target: path, headerFields: fields)
      )
      #expect(answer.status.code == status)
      #expect(answer.headerFields[.contentType]?.hasPrefix(type) == true, "\(path)")
      guard type == "application/json" else { continue }
      let errors = JSON(decoding: answer.body)?["errors"]
      #expect(errors?[0]?["code"]?.string == code)
      #expect(errors?[0]?["message"]?.string?.isEmpty == false)
    }
  }
}
