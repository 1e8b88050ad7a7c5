import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Testing

@Suite("Requests and errors on the wire (1, 2.2)")
struct TransportTests {
  private let world: TestWorld

  init() throws { world = try TestWorld() }

  private func send(
    _ method: HTTPRequest.Method,
    _ target: String,
    _ fields: HTTPFields = [:],
    body: String = ""
  ) async throws -> Answer {
    let response = await world.emulator.respond(
      to: Request(method: method, target: target, headerFields: fields, body: Array(body.utf8))
    )
    #expect(response.headerFields[.contentType] == "application/json")
    return Answer(
      status: response.status.code,
      json: try #require(JSON(decoding: response.body)),
      fields: response.headerFields
    )
  }

  private static let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]

  @Test("an error has the documented members and a trace id")
  func errorShape() async throws {
    let answer = try await send(.get, "/v1/me?_is_native=1")
    #expect(answer.status == 401)
    #expect(answer.json["clerk_trace_id"]?.string?.count == 32)
    let error = try #require(answer.json["errors"]?[0])
    #expect(error["code"]?.string == "authentication_invalid")
    #expect(error["message"]?.string != nil)
    #expect(error["long_message"]?.string != nil)
  }

  @Test(
    "a token comes raw, after Bearer, or not at all",
    arguments: [
      ("TOKEN", true), ("Bearer TOKEN", true), ("bearer   TOKEN", true),
      ("Bearer \tTOKEN", true), ("", false), ("Bearer", false), ("Bearer ", false),
    ]
  )
  func token(text: String, isKnown: Bool) async throws {
    let client = world.client()
    try await client.begin("ada@example.com")
    let value = text.replacingOccurrences(of: "TOKEN", with: client.token ?? "")
    let answer = try await send(.get, "/v1/client?_is_native=true", [.authorization: value])
    #expect((answer.resource?["object"] == "client") == isKnown)
    #expect(answer.fields[.authorization] == nil)
  }

  @Test("two tokens, a token with an origin, and a foreign, repeated or missing origin are refused")
  func conflicts() async throws {
    var two: HTTPFields = [:]
    two[values: .authorization] = ["a", "b"]
    #expect(
      try await send(.get, "/v1/client", two).code
        == "multiple_authorization_header_values_forbidden"
    )
    let both: HTTPFields = [.authorization: "a", .origin: "http://localhost"]
    let answer = try await send(.get, "/v1/client", both)
    #expect(answer.refusal == "400 origin_authorization_headers_conflict")
    for origin in ["null", "https://elsewhere.example", "file://", "http://localhost.evil.test"] {
      let page: HTTPFields = [.origin: origin]
      #expect(try await send(.post, "/v1/client", page).refusal == "400 origin_invalid")
    }
    var origins: HTTPFields = [:]
    origins[values: .origin] = ["http://localhost:1", "http://localhost:2"]
    #expect(
      try await send(.post, "/v1/client", origins).code
        == "multiple_origin_header_values_forbidden"
    )
    #expect(try await send(.patch, "/v1/environment").refusal == "400 origin_missing")
  }

  @Test(
    "the version has to be known, and named only once",
    arguments: [
      ("2026-05-12", "", 200), ("", "2026-05-12", 200), ("", "", 200),
      ("2026-05-12", "2026-05-12", 400),
      ("2024-10-01", "", 400), ("", "x", 400),
    ]
  )
  func version(header: String, query: String, status: Int) async throws {
    let fields: HTTPFields = header.isEmpty ? [:] : [.clerkAPIVersion: header]
    let target = "/v1/environment" + (query.isEmpty ? "" : "?__clerk_api_version=\(query)")
    let answer = try await send(.get, target, fields)
    #expect(answer.status == status)
    if status == 400 { #expect(answer.code == "api_version_invalid") }
  }

  @Test(
    "bodies have to be well-formed forms of limited size",
    arguments: [
      ("application/json", "{}", "415 unsupported_content_type"),
      ("multipart/form-data; boundary=x", "--x", "415 unsupported_content_type"),
      ("", "identifier=ada", "415 unsupported_content_type"),
      ("application/x-www-form-urlencoded", "identifier=%zz", "400 malformed_request_parameters"),
      ("application/x-www-form-urlencoded", "identifier=%ff", "400 malformed_request_parameters"),
      (
        "application/x-www-form-urlencoded", "identifier=" + String(repeating: "a", count: 70_000),
        "413 request_body_too_large"
      ),
    ]
  )
  func bodies(type: String, body: String, refusal: String) async throws {
    let fields: HTTPFields = type.isEmpty ? [:] : [.contentType: type]
    let answer = try await send(.post, "/v1/client/sign_ins?_is_native=1", fields, body: body)
    #expect(answer.refusal == refusal)
  }

  @Test(
    "values are read as both SDKs write them",
    arguments: [
      "identifier=ada%40example.com&password=walk-right-in-42",
      "identifier=ada@example.com&password=walk-right-in-42&locale=en-GB&strategy=password",
      "identifier=ada@example.com&password=walk-right-in-42&transfer=0&strategy=",
      "identifier=ada@example.com&password=walk-right-in-42&transfer=false",
    ]
  )
  func encodings(body: String) async throws {
    let type: HTTPFields = [.contentType: "application/x-www-form-urlencoded; charset=UTF-8"]
    let answer = try await send(.post, "/v1/client/sign_ins/?_is_native=1", type, body: body)
    #expect(answer.state == "complete")
  }

  @Test(
    "an object in brackets, a key sent too often and a malformed locale are refused",
    arguments: [
      ("unsafe_metadata[a]=1", "422 form_param_unknown unsafe_metadata[a]"),
      (
        Array(repeating: "a=1", count: 101).joined(separator: "&"),
        "422 form_param_array_size_exceeded a"
      ),
      ("locale=en_GB", "422 form_param_format_invalid locale"),
    ]
  )
  func otherDialects(body: String, refusal: String) async throws {
    let answer = try await send(.post, "/v1/client/sign_ups?_is_native=1", Self.form, body: body)
    #expect(answer.refusal == refusal)
  }

  @Test("a single value that is repeated is refused")
  func repeated() async throws {
    let body = "identifier=ada@example.com&identifier=mia@example.com"
    let answer = try await send(.post, "/v1/client/sign_ins?_is_native=1", Self.form, body: body)
    #expect(answer.refusal == "422 form_param_duplicate identifier")
  }

  @Test(
    "a call that is not emulated says so, instead of being not found",
    arguments: [
      "GET /v1/organizations", "GET /v1/me/totp", "GET /v1/dev_browser",
      "PUT /v1/environment", "PATCH /v1/client", "DELETE /v1/client/sign_ins/sia_x",
      "PUT /v1/me/organization_memberships", "GET /v1/waitlist", "GET /v1/x/y/z/a/b/c", "GET /v1/",
      "GET /.well-known/webauthn", "POST /oauth/token", "GET /api_keys", "PATCH /api_keys/x",
    ]
  )
  func notEmulated(call: String) async throws {
    let parts = call.split(separator: " ").map(String.init)
    let method = try #require(HTTPRequest.Method(parts[0]))
    let answer = try await send(method, "\(parts[1])?_is_native=1")
    #expect(answer.refusal == "501 emulator_not_implemented")
  }

  @Test("paths outside the API are not found", arguments: ["/", "/v2/client", "/v1", "/sign-in"])
  func outside(path: String) async throws {
    #expect(try await send(.get, path).status == 404)
  }

  @Test("a name that a world cannot have is refused")
  func worldNames() async throws {
    let answer = try await send(.get, "/v1/environment", [.vestibuleWorld: "No Name"])
    #expect(answer.status == 400)
  }

  @Test("health is healthy")
  func health() async throws {
    #expect(try await send(.get, "/v1/health").json == ["status": "healthy"])
  }
}
