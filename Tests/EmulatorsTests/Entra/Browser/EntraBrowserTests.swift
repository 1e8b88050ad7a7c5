import Crypto
import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("Entra: the stand-in for the browser's sign-in page")
struct EntraBrowserTests {
  private static let verifier = "a-verifier-that-is-long-enough-to-be-one-0123456789"
  private static let path = "/\(EntraTenant.defaultName)/oauth2/v2.0/authorize"

  private var parameters: FormData {
    let digest = Data(SHA256.hash(data: Data(Self.verifier.utf8))).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    return [
      "client_id": EntraClient.clientID, "response_type": "code",
      "redirect_uri": "http://localhost:8080/continue", "scope": EntraClient.everything,
      "state": "s 1", "nonce": "n1", "code_challenge": digest, "code_challenge_method": "S256",
      "login_hint": "sven@example.com",
    ]
  }

  private func open(_ world: EntraWorld, _ parameters: FormData) async -> Response {
    let query = String(decoding: parameters.encoded, as: UTF8.self)
    return await world.emulator.respond(
      to: Request(method: .get, target: "\(Self.path)?\(query)")
    )
  }

  private func post(_ world: EntraWorld, _ form: FormData) async -> Response {
    await world.emulator.respond(
      to: Request(
        method: .post,
        target: Self.path,
        headerFields: [.contentType: "application/x-www-form-urlencoded"],
        body: form.encoded
      )
    )
  }

  @Test("an account under a protection policy gets no tokens for the browser's code")
  func protectionPolicy() async throws {
    let world = try EntraWorld()
    var form = parameters
    form.append("username", "pola@example.com")
    let location = await post(world, form).headerFields[.location].flatMap(URLComponents.init)
    let code = try #require(location?.queryItems?.first { $0.name == "code" }?.value)
    let answer = try await world.client().post(
      "oauth2/v2.0/token",
      [
        "grant_type": "authorization_code", "code": code,
        "redirect_uri": "http://localhost:8080/continue", "code_verifier": Self.verifier,
      ]
    )
    #expect(answer.refusal.hasPrefix("400 unauthorized_client protection_policy_required"))
  }

  @Test("sven signs in there, and the code brings tokens with the nonce")
  func code() async throws {
    let world = try EntraWorld()
    let page = await open(world, parameters)
    #expect(page.status == .ok)
    let html = String(decoding: page.body, as: UTF8.self)
    #expect(html.contains(#"value="sven@example.com""#))
    var form = parameters
    form.append("username", "sven@example.com")
    let sent = await post(world, form)
    #expect(sent.status == .seeOther)
    let location = try #require(sent.headerFields[.location].flatMap(URLComponents.init))
    let items = location.queryItems ?? []
    #expect(location.path == "/continue")
    #expect(items.first { $0.name == "state" }?.value?.replacing("+", with: " ") == "s 1")
    let code = try #require(items.first { $0.name == "code" }?.value)
    let client = world.client()
    var grant: FormData = [
      "grant_type": "authorization_code", "code": code,
      "redirect_uri": "http://localhost:8080/continue",
    ]
    let unproven = try await client.post(
      "oauth2/v2.0/token",
      FormData(grant.fields + [.init(name: "code_verifier", value: "wrong")])
    )
    #expect(unproven.refusal == "400 invalid_grant 50148")
    grant.append("code_verifier", Self.verifier)
    let tokens = try await client.post("oauth2/v2.0/token", grant)
    #expect(tokens.status == 200)
    #expect(try tokens.claims(of: "id_token")["nonce"] == "n1")
    let again = try await client.post("oauth2/v2.0/token", grant)
    #expect(again.refusal == "400 invalid_grant bad_token 70008")
  }

  @Test(
    "claims sent along to the browser count, unless the code is redeemed with others",
    arguments: [
      (nil, ["c2"]), (#"{"access_token":{"acrs":{"value":"c3"}}}"#, ["c3"]),
    ] as [(String?, [String])]
  )
  func claims(own: String?, contexts: [String]) async throws {
    let world = try EntraWorld()
    var form = parameters
    form.append("claims", #"{"access_token":{"acrs":{"essential":true,"value":"c2"}}}"#)
    let page = String(decoding: await open(world, form).body, as: UTF8.self)
    #expect(page.contains(#"<input type="hidden" name="claims" value="{"#))
    form.append("username", "sven@example.com")
    let location = await post(world, form).headerFields[.location].flatMap(URLComponents.init)
    let code = try #require(location?.queryItems?.first { $0.name == "code" }?.value)
    var grant: FormData = [
      "grant_type": "authorization_code", "code": code,
      "redirect_uri": "http://localhost:8080/continue", "code_verifier": Self.verifier,
    ]
    if let own { grant.append("claims", own) }
    let tokens = try await world.client().post("oauth2/v2.0/token", grant)
    let acrs = try tokens.claims(of: "access_token")["acrs"]?.array
    #expect(acrs?.compactMap(\.string) == contexts)
  }

  @Test("claims that are not an object are refused at the page")
  func malformedClaims() async throws {
    var form = parameters
    form.append("claims", "[]")
    let world = try EntraWorld()
    #expect(await open(world, form).status == .badRequest)
    form.append("username", "sven@example.com")
    #expect(await post(world, form).status == .badRequest)
  }

  @Test("a person who cancels is sent back with access_denied")
  func cancel() async throws {
    let world = try EntraWorld()
    var form = parameters
    form.append("cancel", "1")
    let location = await post(world, form).headerFields[.location] ?? ""
    #expect(location.hasPrefix("http://localhost:8080/continue?error=access_denied"))
  }

  @Test("an unknown name is refused with an error, and asked for again")
  func unknown() async throws {
    let world = try EntraWorld()
    var form = parameters
    form.append("username", "\"><b>nobody@example.com")
    let answer = await post(world, form)
    #expect(answer.status.code == 422)
    let html = String(decoding: answer.body, as: UTF8.self)
    #expect(!html.contains("<b>"))
    #expect(html.contains("<title>Error: Sign-in page of Microsoft – "))
    #expect(html.contains(#"<p id="username-error" role="alert">"#))
    let field = try #require(html.firstMatch(of: #/<input id="username"[^\n]*/#)).output
    #expect(field.contains(#"aria-describedby="username-error" aria-invalid="true" autofocus>"#))
    let fresh = String(decoding: await open(world, parameters).body, as: UTF8.self)
    #expect(!fresh.contains("Error: ") && !fresh.contains("aria-") && !fresh.contains("autofocus"))
  }

  @Test(
    "nobody is sent to another machine",
    arguments: [
      "https://evil.example/", "javascript:alert(1)", "http://localhost@evil.example/",
      "//evil.example", "http://localhost.evil.example/", "http://127.0.0.1.evil.example/",
      "http://localhost:99999/", "http://localhost:0/",
    ]
  )
  func redirectURI(address: String) async throws {
    var form = parameters
    form.fields.removeAll { $0.name == "redirect_uri" }
    form.append("redirect_uri", address)
    let world = try EntraWorld()
    #expect(await open(world, form).status == .badRequest)
    form.append("username", "ada@example.com")
    #expect(await post(world, form).status == .badRequest)
  }

  @Test(
    "nobody is sent to an address that is not a URI as it is",
    arguments: [
      "http://localhost:1/a\r\nSet-Cookie: x=1", "http://localhost:1/a b",
      "http://localhost:1/\"<x>\"", "http://localhost:1/ä", "http://localhost:1/a\\b",
    ]
  )
  func malformedRedirectURI(address: String) async throws {
    var form = parameters
    form.fields.removeAll { $0.name == "redirect_uri" }
    form.append("redirect_uri", address)
    let world = try EntraWorld()
    #expect(await open(world, form).status == .badRequest)
    form.append("username", "ada@example.com")
    form.append("cancel", "1")
    #expect(await post(world, form).status == .badRequest)
  }

  @Test(
    "people are sent back to any address of this machine",
    arguments: [
      "http://127.0.0.1:3000/continue", "http://127.0.0.2:3000/continue",
      "http://[::1]:3000/continue", "http://app.localhost:3000/continue",
    ]
  )
  func ownRedirectURI(address: String) async throws {
    var form = parameters
    form.fields.removeAll { $0.name == "redirect_uri" }
    form.append("redirect_uri", address)
    let world = try EntraWorld()
    #expect(await open(world, form).status == .ok)
    form.append("username", "sven@example.com")
    let location = await post(world, form).headerFields[.location] ?? ""
    #expect(location.hasPrefix("\(address)?code="))
  }

  @Test("a page that is opened by itself has no form, and the page of a request has one")
  func bare() async throws {
    func hasForm(_ page: Response) -> Bool {
      String(decoding: page.body, as: UTF8.self).contains("<form")
    }
    let world = try EntraWorld()
    let page = await open(world, ["client_id": EntraClient.clientID])
    #expect(!hasForm(page))
    let asked = await open(world, parameters)
    #expect(hasForm(asked))
    #expect(page.status == .ok)
    #expect(page.headerFields[.contentType] == "text/html; charset=utf-8")
  }

  private func grant(_ code: String, to address: String = "http://localhost:8080/continue")
    -> FormData
  {
    [
      "grant_type": "authorization_code", "code": code, "redirect_uri": address,
      "code_verifier": Self.verifier,
    ]
  }

  /// The code with which sven returns from the page.
  private func browserCode(_ world: EntraWorld) async throws -> String {
    var form = parameters
    form.append("username", "sven@example.com")
    let location = await post(world, form).headerFields[.location].flatMap(URLComponents.init)
    return try #require(location?.queryItems?.first { $0.name == "code" }?.value)
  }

  @Test("a code is redeemed only by the app that asked for it, and at the same redirect URI")
  func foreignCode() async throws {
    let world = try EntraWorld()
    let code = try await browserCode(world)
    let other = world.client()
    other.clientID = "11111111-2222-3333-4444-555555555555"
    let refusal = "400 invalid_grant bad_token 70008"
    #expect(try await other.post("oauth2/v2.0/token", grant(code)).refusal == refusal)
    let client = world.client()
    let elsewhere = grant(code, to: "http://localhost:8080/other")
    #expect(try await client.post("oauth2/v2.0/token", elsewhere).refusal == refusal)
    #expect(try await client.post("oauth2/v2.0/token", grant(code)).status == 200)
  }

  @Test("a code is valid for less than ten minutes", arguments: [(599, 200), (600, 400)])
  func codeExpires(seconds: Int, status: Int) async throws {
    let world = try EntraWorld()
    let code = try await browserCode(world)
    world.clock.advance(Double(seconds))
    let answer = try await world.client().post("oauth2/v2.0/token", grant(code))
    #expect(answer.status == status)
    if status == 400 { #expect(answer.refusal == "400 invalid_grant bad_token 70008") }
  }

  @Test("a banned account gets no code")
  func banned() async throws {
    let world = try EntraWorld()
    var form = parameters
    form.append("username", "bann@example.com")
    let answer = await post(world, form)
    #expect(answer.status.code == 422)
    #expect(answer.headerFields[.location] == nil)
  }

  @Test(
    "scopes that no token can have are refused to the app, not to the person",
    arguments: ["openid api://a/Read api://b/Read", "openid api://orders"]
  )
  func impossibleScopes(scope: String) async throws {
    let world = try EntraWorld()
    var form = parameters
    form.fields.removeAll { $0.name == "scope" }
    form.append("scope", scope)
    let asked = await open(world, form)
    form.append("username", "sven@example.com")
    let posted = await post(world, form)
    for answer in [asked, posted] {
      #expect(answer.status == .seeOther)
      let location = try #require(answer.headerFields[.location].flatMap(URLComponents.init))
      let items = location.queryItems ?? []
      #expect(location.path == "/continue")
      #expect(items.first { $0.name == "error" }?.value == "invalid_scope")
      #expect(
        items.first { $0.name == "error_description" }?.value?.hasPrefix("AADSTS70011:") == true
      )
      #expect(items.contains { $0.name == "state" } && !items.contains { $0.name == "code" })
    }
  }

  @Test("an app's request without an address to return to is refused before there is a form")
  func missingRedirectURI() async throws {
    let world = try EntraWorld()
    var form = parameters
    form.fields.removeAll { $0.name == "redirect_uri" }
    let page = await open(world, form)
    #expect(page.status == .badRequest)
    let html = String(decoding: page.body, as: UTF8.self)
    #expect(html.contains("redirect_uri") && !html.contains("<form"))
  }

  @Test(
    "a request of no app, without a proof key of its own, or with a fragment is refused",
    arguments: [
      ("client_id", "00000000-0000-0000-0000-000000000000"), ("code_challenge_method", "plain"),
      ("redirect_uri", "http://localhost:8080/continue#x"),
    ]
  )
  func unsafeRequest(name: String, value: String) async throws {
    let world = try EntraWorld()
    #expect(await open(world, parameters).status == .ok)
    var form = parameters
    form.fields.removeAll { $0.name == name }
    form.append(name, value)
    #expect(await open(world, form).status == .badRequest)
    form.append("username", "sven@example.com")
    let posted = await post(world, form)
    #expect(posted.status == .badRequest)
    #expect(posted.headerFields[.location] == nil)
  }
}
