import Crypto
import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import JWTKit
import Testing
import TestSupport

@Suite("Clerk: what an application's server and its pages need besides a sign-in")
struct HandshakeTests {
  private struct Handshake: JWTPayload {
    var handshake: [String]
    func verify(using algorithm: some JWTAlgorithm) throws {}
  }

  private struct SessionToken: JWTPayload {
    var sub: String
    var iss: String
    var iat: Int
    func verify(using algorithm: some JWTAlgorithm) throws {}
  }

  private let world: TestWorld
  private static let host = "localhost:4010"

  init() throws { world = try TestWorld() }

  private func send(
    _ method: HTTPRequest.Method,
    _ target: String,
    _ form: FormData = [:],
    fields extra: HTTPFields = [:]
  ) async -> Response {
    var fields: HTTPFields = [.host: Self.host]
    if !form.fields.isEmpty { fields[.contentType] = "application/x-www-form-urlencoded" }
    for field in extra { fields[field.name] = field.value }
    return await world.emulator.respond(
      to: Request(method: method, target: target, headerFields: fields, body: form.encoded)
    )
  }

  private func handshake(_ more: FormData = [:], to page: String = "http://localhost:3000/a?b=c")
    async -> Response
  {
    let query = FormData([.init(name: "redirect_url", value: page)] + more.fields)
    let text = String(decoding: query.encoded, as: UTF8.self)
    return await send(.get, "/v1/client/handshake?\(text)")
  }

  /// The cookies that the application's server is to set, by their names.
  private func cookies(_ response: Response) async throws -> [String: String] {
    #expect(response.status == .temporaryRedirect)
    let location = try #require(response.headerFields[.location])
    let mark = try #require(location.range(of: "__clerk_handshake="))
    let keys = await send(.get, "/v1/jwks")
    let collection = JWTKeyCollection()
    try await collection.add(jwksJSON: String(decoding: keys.body, as: UTF8.self))
    let lines = try await collection.verify(
      String(location[mark.upperBound...]),
      as: Handshake.self
    ).handshake
    for line in lines { #expect(line.contains("; Path=/")) }
    return Dictionary(
      lines.map { line in
        let pair = line.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
        return (String(pair[0]), pair.count > 1 ? String(pair[1]) : "")
      },
      uniquingKeysWith: { first, _ in first }
    )
  }

  private func signedIn(_ name: String = "ada@example.com") async throws -> String {
    let fields: HTTPFields = [.origin: "http://localhost:3000"]
    let made = await send(.post, "/v1/dev_browser", fields: fields)
    let token = try #require(JSON(decoding: made.body)?["id"]?.string)
    let answer = await send(
      .post,
      "/v1/client/sign_ins?__clerk_db_jwt=\(token)",
      ["identifier": name, "password": ScriptedClient.password],
      fields: fields
    )
    #expect(answer.status == .ok)
    return token
  }

  @Test("a handshake leads back with a fresh session token for the signed-in user")
  func signsIn() async throws {
    let browser = try await signedIn()
    let response = await handshake(["__clerk_db_jwt": browser])
    #expect(
      response.headerFields[.location]?.hasPrefix("http://localhost:3000/a?b=c&__clerk_handshake=")
        == true
    )
    let cookies = try await cookies(response)
    let token = try #require(cookies["__session"])
    let collection = JWTKeyCollection()
    let keys = await send(.get, "/.well-known/jwks.json")
    try await collection.add(jwksJSON: String(decoding: keys.body, as: UTF8.self))
    let claims = try await collection.verify(token, as: SessionToken.self)
    #expect(claims.sub == "user_ada")
    #expect(claims.iss == "http://\(Self.host)")
    // A server that finds the token older than the sign-in would ask again, for ever.
    let since = try #require(cookies["__client_uat"].flatMap(Int.init))
    #expect(since > 0 && since <= claims.iat)
    #expect(cookies["__clerk_db_jwt"] == nil)
  }

  @Test("the cookies also come under the names that carry the publishable key's digest")
  func suffixes() async throws {
    let cookies = try await cookies(handshake(["__clerk_db_jwt": try await signedIn()]))
    // The first eight characters of the key's SHA-1, for the key that names this address.
    let key = "pk_test_" + Data("\(Self.host)$".utf8).base64EncodedString()
    let digest = Data(Insecure.SHA1.hash(data: Data(key.filter { $0 != "=" }.utf8)))
    let suffix = digest.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .prefix(8)
    #expect(cookies["__session_\(suffix)"] == cookies["__session"])
    #expect(cookies["__client_uat_\(suffix)"] == cookies["__client_uat"])
  }

  @Test("a browser that is not signed in comes back signed out, with a new browser token")
  func signedOut() async throws {
    let cookies = try await cookies(handshake())
    #expect(cookies["__session"] == "")
    #expect(cookies["__client_uat"] == "0")
    let browser = try #require(cookies["__clerk_db_jwt"])
    let client = await send(
      .get,
      "/v1/client?__clerk_db_jwt=\(browser)",
      fields: [.origin: "http://localhost:3000"]
    )
    #expect(client.status == .ok)
  }

  @Test(
    "nobody is sent to another machine",
    arguments: [
      "https://evil.example/", "//evil.example", "http://localhost@evil.example/", "javascript:x",
      "http://localhost:3000\\@evil.example/", "", "http://[::1].evil.example/",
      "http://localhost:80:evil.example/",
    ]
  )
  func redirects(to address: String) async {
    let response = await handshake(to: address)
    #expect(response.status == .unprocessableContent)
    #expect(response.headerFields[.location] == nil)
  }

  @Test("a handshake without a redirect address lacks a query parameter")
  func leadsNowhere() async {
    let response = await send(.get, "/v1/client/handshake")
    #expect(response.status == .badRequest)
    let code = JSON(decoding: response.body)?["errors"]?[0]?["code"]
    #expect(code == "missing_query_parameter")
  }

  @Test("a server's request may name a version of the Backend API")
  func versions() async throws {
    let version: HTTPFields = [.clerkAPIVersion: "2025-11-10"]
    #expect(await send(.get, "/v1/jwks", fields: version).status == .ok)
    let response = await handshake(["__clerk_api_version": "2025-11-10"])
    #expect(response.status == .temporaryRedirect)
  }

  @Test("a template's token is given only if the instance has that template")
  func templates() async throws {
    let world = try TestWorld { $0.jwtTemplates = ["hasura"] }
    let client = world.client()
    let session = try #require(
      try await client.signIn("ada@example.com").resource?["created_session_id"]?.string
    )
    let path = "/v1/client/sessions/\(session)/tokens"
    let token = try await client.post("\(path)/hasura")
    #expect(token.json["jwt"]?.string?.split(separator: ".").count == 3)
    #expect(try await client.post("\(path)/other").refusal == "404 resource_not_found")
  }

  @Test("the OpenID document and session tokens name the address that was asked as their issuer")
  func issuer() async throws {
    for host in ["localhost:4010", "127.0.0.1:4010", "team.localhost:4010"] {
      let document = await send(
        .get,
        "/.well-known/openid-configuration",
        fields: [.host: host]
      )
      #expect(JSON(decoding: document.body)?["issuer"]?.string == "http://\(host)")
      let answer = await send(
        .post,
        "/v1/client/sign_ins?_is_native=1",
        ["identifier": "ada@example.com", "password": ScriptedClient.password],
        fields: [.host: host]
      )
      let session = JSON(decoding: answer.body)?["client"]?["sessions"]?[0]
      let jwt = try #require(session?["last_active_token"]?["jwt"]?.string)
      let keys = await send(.get, "/v1/jwks")
      let collection = JWTKeyCollection()
      try await collection.add(jwksJSON: String(decoding: keys.body, as: UTF8.self))
      let token = try await collection.verify(jwt, as: SessionToken.self)
      #expect(token.iss == "http://\(host)")
    }
  }

  @Test("a browser whose session is over comes back signed out")
  func expired() async throws {
    let browser = try await signedIn()
    world.clock.advance(604_799)
    let live = try await cookies(handshake(["__clerk_db_jwt": browser]))
    #expect(live["__session"]?.isEmpty == false)
    world.clock.advance(1)
    let over = try await cookies(handshake(["__clerk_db_jwt": browser]))
    #expect(over["__session"] == "")
    #expect(over["__client_uat"] == "0")
  }

  @Test("a host that is none names no issuer", arguments: ["a/b", "a b", "a\"b"])
  func unsoundHost(host: String) async {
    let document = await send(
      .get,
      "/.well-known/openid-configuration",
      fields: [.host: host]
    )
    #expect(JSON(decoding: document.body)?["issuer"]?.string == "http://127.0.0.1:4010")
  }
}
