import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("Entra: requests and answers")
struct EntraWireTests {
  private let form: FormData = [
    "client_id": EntraClient.clientID, "username": "ada@example.com",
    "challenge_type": "oob redirect",
  ]

  @Test(
    "addresses that lead nowhere answer 404, in the shape of every error",
    arguments: [
      "/", "/x", "/vestibule.onmicrosoft.com/", "/vestibule.onmicrosoft.com/oauth2/v2.0/nothing",
      "/vestibule.onmicrosoft.com/oauth2/v2.0/token/", "//oauth2/v2.0",
      "/vestibule.onmicrosoft.com/oauth2/v1.0/token", "/v1/client",
      "/vestibule.onmicrosoft.com/resetpassword/v1.0/complete",
    ]
  )
  func notFound(path: String) async throws {
    let answer = try await EntraWorld().client().send(.post, path, form)
    #expect(answer.status == 404)
    #expect(answer.error == "invalid_request")
    for name in ["error_description", "timestamp", "trace_id", "correlation_id"] {
      #expect(answer.json[name]?.string?.isEmpty == false)
    }
  }

  @Test("the endpoints take POST, the documents GET")
  func methods() async throws {
    let client = try EntraWorld().client()
    let tenant = EntraTenant.defaultName
    let read = try await client.send(.get, "/\(tenant)/oauth2/v2.0/initiate")
    #expect(read.status == 405)
    #expect(read.fields[.allow] == "POST")
    let posted = try await client.send(.post, "/\(tenant)/discovery/v2.0/keys")
    #expect(posted.status == 405)
    #expect(posted.fields[.allow] == "GET, HEAD")
  }

  @Test(
    "any name or GUID is a tenant",
    arguments: [
      "vestibule.onmicrosoft.com", "Fernwood.onmicrosoft.com", EntraTenant.defaultID,
      EntraTenant.defaultID.uppercased(), "12345678-1234-1234-1234-123456789abc",
    ]
  )
  func tenants(tenant: String) async throws {
    let client = try EntraWorld().client()
    client.tenant = tenant
    #expect(try await client.signIn("ada@example.com").status == 200)
  }

  @Test(
    "any other text is not a tenant",
    arguments: ["common", "example.com", ".onmicrosoft.com", "a/b"]
  )
  func noTenant(tenant: String) async throws {
    let answer = try await EntraWorld().client()
      .send(.post, "/\(tenant)/oauth2/v2.0/initiate", form)
    #expect([400, 404].contains(answer.status))
    #expect(answer.error == "invalid_request")
  }

  @Test(
    "a body that is not a form, or is too large, is refused",
    arguments: [
      ("application/json", "{}", 400), ("text/plain", "client_id=x", 400),
      ("application/x-www-form-urlencoded", "client_id=%zz", 400),
      ("application/x-www-form-urlencoded", String(repeating: "a", count: 70_000), 413),
    ]
  )
  func bodies(type: String, body: String, status: Int) async throws {
    let emulator = try EntraWorld().emulator
    let response = await emulator.respond(
      to: Request(
        method: .post,
        target: "/\(EntraTenant.defaultName)/oauth2/v2.0/initiate",
        headerFields: [.contentType: type],
        body: Array(body.utf8)
      )
    )
    #expect(response.status.code == status)
    let json = try #require(JSON(decoding: response.body))
    #expect(json["error"] == "invalid_request")
    #expect(json["error_codes"]?[0] == 9_002_313)
  }

  @Test("the content type may name its character set")
  func characterSet() async throws {
    let answer = try await EntraWorld().client().send(
      .post,
      "/\(EntraTenant.defaultName)/oauth2/v2.0/initiate",
      form,
      fields: [.contentType: "application/x-www-form-urlencoded; charset=utf-8"]
    )
    #expect(answer.status == 200)
  }

  @Test("a parameter that is repeated is refused")
  func repeated() async throws {
    var form = form
    form.append("username", "mia@example.com")
    let answer = try await EntraWorld().client()
      .send(.post, "/\(EntraTenant.defaultName)/oauth2/v2.0/initiate", form)
    #expect(answer.refusal == "400 invalid_request 9002313")
  }

  @Test(
    "the app has to be named, known and allowed to use native authentication",
    arguments: [
      (nil, "400 invalid_request 90100"), ("", "400 invalid_request 90100"),
      ("my-app", "400 unauthorized_client 700016"),
      ("00000000-0000-0000-0000-000000000000", "400 unauthorized_client 700016"),
      (
        "ffffffff-ffff-ffff-ffff-ffffffffffff", "400 invalid_client nativeauthapi_disabled"
      ),
    ] as [(String?, String)]
  )
  func apps(id: String?, refusal: String) async throws {
    let client = try EntraWorld().client()
    client.clientID = id
    let answer = try await client.initiate("ada@example.com")
    #expect(answer.refusal == refusal)
    if answer.code == 90100 {
      let text = answer.json["error_description"]?.string ?? ""
      #expect(text.contains("client_id parameter is empty or not valid"))
    }
  }

  @Test("an app with a secret is not public")
  func secret() async throws {
    let answer = try await EntraWorld().client()
      .post("oauth2/v2.0/initiate", ["client_secret": "x"])
    #expect(answer.refusal == "400 invalid_client nativeauthapi_disabled")
  }

  @Test(
    "grant types that are missing, unknown, or lack their parameters are refused",
    arguments: [
      (nil, "400 invalid_request 900144"), ("magic", "400 unsupported_grant_type 70003"),
      ("client_credentials", "400 unsupported_grant_type 70003"),
      ("password", "400 invalid_request 900144"), ("refresh_token", "400 invalid_request 900144"),
    ] as [(String?, String)]
  )
  func grants(grant: String?, refusal: String) async throws {
    var form: FormData = ["username": "ada@example.com", "password": "x", "scope": "openid"]
    if let grant { form.append("grant_type", grant) }
    let answer = try await EntraWorld().client().post("oauth2/v2.0/token", form)
    #expect(answer.refusal == refusal)
  }

  @Test("the caller's request id comes back; one that is not a GUID is replaced")
  func correlation() async throws {
    let client = try EntraWorld().client()
    let name = try #require(HTTPField.Name("client-request-id"))
    let trace = try #require(HTTPField.Name("x-ms-request-id"))
    let id = "7b1e90aa-64d2-4f0f-9a3c-2f1d6e85c4b9"
    let path = "/\(EntraTenant.defaultName)/oauth2/v2.0/initiate"
    let answer = try await client.send(.post, path, [:], fields: [name: id])
    #expect(answer.fields[name] == id)
    #expect(answer.json["correlation_id"]?.string == id)
    #expect(answer.fields[trace] == answer.json["trace_id"]?.string)
    #expect(answer.fields[trace] != id)
    for other in ["a\"b", id + "0", String(repeating: "g", count: 32)] {
      let replaced = try await client.send(.post, path, [:], fields: [name: other])
      #expect(replaced.fields[name] == replaced.json["correlation_id"]?.string)
      #expect(replaced.fields[name] != other)
    }
    let fine = try await client.send(.post, path, form, fields: [name: id])
    #expect(fine.fields[name] == id)
    #expect(fine.fields[.cacheControl] == "no-store, no-cache")
  }

  @Test(
    "a request id comes back as it was written, even in a refusal before any endpoint",
    arguments: [
      "7B1E90AA-64D2-4F0F-9A3C-2F1D6E85C4B9", "7b1e90aa64d24f0f9a3c2f1d6e85c4b9",
      "7B1e90AA64d24f0f9A3C2f1d6e85c4b9",
    ]
  )
  func writing(id: String) async throws {
    let name = try #require(HTTPField.Name("client-request-id"))
    let path = "/\(EntraTenant.defaultName)/oauth2/v2.0/initiate"
    let answer = try await EntraWorld().client().send(.post, path, [:], fields: [name: id])
    #expect(answer.fields[name] == id)
    #expect(answer.json["correlation_id"]?.string == id)
    let request = Request(method: .post, target: path, headerFields: [name: id])
    let date = Date(timeIntervalSince1970: 1_932_974_107)
    let refused = EntraEmulator.refusal(status: 413, "Too large.", to: request, at: date)
    #expect(refused.headerFields[name] == id)
    #expect(JSON(decoding: refused.body)?["correlation_id"]?.string == id)
    #expect(JSON(decoding: refused.body)?["timestamp"]?.string == "2031-04-03 09:15:07Z")
    // A request that could not be read has no id.
    let unread = EntraEmulator.refusal(status: 400, "Malformed.", at: date)
    #expect(unread.headerFields[name]?.isEmpty == false)
  }

  @Test("descriptions begin with the code and end with ids and time, by the world's clock")
  func description() async throws {
    let world = try EntraWorld()
    try world.world.clock.set(Date(timeIntervalSince1970: 1_932_974_107))
    let answer = try await world.client().initiate("nobody@example.com")
    #expect(answer.json["timestamp"] == "2031-04-03 09:15:07Z")
    let text = try #require(answer.json["error_description"]?.string)
    let trace = answer.json["trace_id"]?.string ?? "-"
    let correlation = answer.json["correlation_id"]?.string ?? "-"
    #expect(text.hasPrefix("AADSTS50034: "))
    #expect(
      text.hasSuffix(
        " Trace ID: \(trace) Correlation ID: \(correlation) Timestamp: 2031-04-03 09:15:07Z"
      )
    )
  }

  @Test("a host that names a world leads to it, and the document names that host")
  func worldByHost() async throws {
    let client = try EntraWorld().client()
    let answer = try await client.send(
      .get,
      "/\(EntraTenant.defaultName)/v2.0/.well-known/openid-configuration",
      fields: [.host: "team-a.localhost:4010"]
    )
    #expect(
      answer.json["issuer"]?.string
        == "http://team-a.localhost:4010/\(EntraTenant.defaultID)/v2.0"
    )
    let wrong = try await client.send(
      .get,
      "/\(EntraTenant.defaultName)/discovery/v2.0/keys",
      fields: [.vestibuleWorld: "No World"]
    )
    #expect(wrong.refusal == "400 invalid_request")
  }

  @Test("rate limits, while they are on, answer 429 with the seconds to wait")
  func rateLimits() async throws {
    let world = try EntraWorld { $0.rateLimits = true }
    try world.world.clock.freeze(true)
    let client = world.client()
    for _ in 0..<10 { #expect(try await client.initiate("ada@example.com").status == 200) }
    try world.world.clock.advance(4)
    let throttled = try await client.initiate("ada@example.com")
    #expect(throttled.refusal == "429 temporarily_unavailable")
    #expect(throttled.fields[.retryAfter] == "6")
    #expect(try await client.challenge().status == 200)
    try world.world.clock.advance(6)
    #expect(try await client.initiate("ada@example.com").status == 200)
  }
}

@Suite("Entra: the settings")
struct EntraSettingsTests {
  @Test(
    "values that make no sense are refused",
    arguments: [
      #"{"entra_challenge_types":["sms"]}"#, #"{"entra_reset_polls":-1}"#,
      #"{"entra_required_attributes":[{"type":"string"}]}"#,
      #"{"entra_required_attributes":["city"]}"#, #"{"entra_scopes_granted":"openid"}"#,
    ]
  )
  func refused(text: String) {
    #expect(throws: DocumentError.self) { try InstanceSettings(json: Data(text.utf8)) }
  }

  @Test("they can be changed while the world runs")
  func changed() async throws {
    let world = try EntraWorld()
    let changes = try jsonText(
      #"{"entra_scopes_granted":["api://orders/Read"],"entra_challenge_types":["password"]}"#
    )
    try world.world.settings = world.world.settings.merging(changes)
    let answer = try await world.client().signIn("ada@example.com")
    #expect(answer.json["scope"] == "openid profile offline_access api://orders/Read")
  }

  @Test("a fresh world has Entra's demo users, and no others")
  func demoUsers() async throws {
    let accounts = try #require(try await EntraWorld().world.accounts()).accounts
    #expect(
      accounts.compactMap { $0.id?.dropFirst("user_".count) } == [
        "ada", "mia", "ezra", "lou", "lena", "cora", "pia", "cody", "sven", "bann", "dina",
        "iris", "pola", "rita",
      ]
    )
  }
}
