import Crypto
import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Testing

@Suite("Entra: what OpenID Connect clients ask of the browser's page and of tokens")
struct EntraOpenIDTests {
  private static let verifier = "a-verifier-that-is-long-enough-to-be-one-0123456789"
  private static let base = "/\(EntraTenant.defaultName)/oauth2/v2.0"
  private static let app = "http://localhost:8080/continue"

  private func parameters(_ scope: String, _ more: FormData = [:]) -> FormData {
    let digest = Data(SHA256.hash(data: Data(Self.verifier.utf8))).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    return FormData(
      [
        .init(name: "client_id", value: EntraClient.clientID),
        .init(name: "response_type", value: "code"),
        .init(name: "redirect_uri", value: Self.app),
        .init(name: "scope", value: scope),
        .init(name: "state", value: "s1"),
        .init(name: "code_challenge", value: digest),
        .init(name: "code_challenge_method", value: "S256"),
      ] + more.fields
    )
  }

  private func get(_ world: EntraWorld, _ page: String, _ form: FormData) async -> Response {
    let query = String(decoding: form.encoded, as: UTF8.self)
    return await world.emulator.respond(
      to: Request(method: .get, target: "\(Self.base)/\(page)?\(query)")
    )
  }

  private func post(_ world: EntraWorld, _ page: String, _ form: FormData) async -> Response {
    await world.emulator.respond(
      to: Request(
        method: .post,
        target: "\(Self.base)/\(page)",
        headerFields: [.contentType: "application/x-www-form-urlencoded"],
        body: form.encoded
      )
    )
  }

  private func submit(_ world: EntraWorld, _ form: FormData) async -> Response {
    let username = FormData([.init(name: "username", value: "ada@example.com")])
    return await post(world, "authorize", FormData(form.fields + username.fields))
  }

  /// The tokens that a sign-in at the page brings.
  private func tokens(
    _ world: EntraWorld,
    _ scope: String,
    _ more: FormData = [:]
  ) async throws -> EntraAnswerRead {
    let sent = await submit(world, parameters(scope, more))
    let location = try #require(sent.headerFields[.location].flatMap(URLComponents.init))
    let code = try #require(location.queryItems?.first { $0.name == "code" }?.value)
    return try await world.client().post(
      "oauth2/v2.0/token",
      [
        "grant_type": "authorization_code", "code": code, "redirect_uri": Self.app,
        "code_verifier": Self.verifier,
      ]
    )
  }

  @Test("an app that asks for a fragment gets its code there")
  func fragment() async throws {
    let sent = await submit(
      try EntraWorld(),
      parameters("openid", ["response_mode": "fragment"])
    )
    #expect(sent.status == .seeOther)
    #expect(sent.headerFields[.location]?.hasPrefix("\(Self.app)#code=") == true)
  }

  @Test("an app that asks for a form gets one, with a button and a script that sends it")
  func formPost() async throws {
    let world = try EntraWorld()
    let asked = parameters("openid", ["response_mode": "form_post"])
    let page = String(decoding: await get(world, "authorize", asked).body, as: UTF8.self)
    #expect(page.contains(#"name="response_mode" value="form_post""#))
    let sent = await submit(world, asked)
    #expect(sent.status == .ok)
    let html = String(decoding: sent.body, as: UTF8.self)
    #expect(html.contains(#"<form method="post" action="http://localhost:8080/continue">"#))
    #expect(html.contains(#"<input type="hidden" name="code" value="1."#))
    #expect(html.contains(#"<input type="hidden" name="state" value="s1">"#))
    #expect(html.contains("<button>Continue</button>"))
    let script = try #require(html.firstMatch(of: /<script>(.*)<\/script>/)).output.1
    let digest = Data(SHA256.hash(data: Data(script.utf8))).base64EncodedString()
    let policy = try #require(sent.headerFields[.contentSecurityPolicy])
    #expect(policy.contains("script-src 'sha256-\(digest)'"))
  }

  @Test("an unknown response mode is refused at the page")
  func unknownMode() async throws {
    let asked = parameters("openid", ["response_mode": "web_message"])
    #expect(await get(try EntraWorld(), "authorize", asked).status == .badRequest)
  }

  @Test("with prompt=none nobody is asked, and the app is told that a sign-in is needed")
  func promptNone() async throws {
    let answer = await get(
      try EntraWorld(),
      "authorize",
      parameters("openid", ["prompt": "none"])
    )
    #expect(answer.status == .seeOther)
    #expect(answer.headerFields[.location] == "\(Self.app)?error=login_required&state=s1")
  }

  @Test(
    "a request by POST is answered like one by GET (OpenID Connect Core 1.0, section 3.1.2.1)",
    arguments: [[:], ["login_hint": "sven@example.com"], ["prompt": "none"], ["max_age": "soon"]]
      as [FormData]
  )
  func askedByPost(more: FormData) async throws {
    let world = try EntraWorld()
    let asked = parameters("openid", more)
    let page = await post(world, "authorize", asked)
    let same = await get(world, "authorize", asked)
    #expect(page.status == same.status && page.body == same.body)
    #expect(page.headerFields[.location] == same.headerFields[.location])
    #expect(page.status != .unprocessableContent, "it was read as the page's own form")
  }

  @Test("an empty name is taken to be from the page's own form, and is asked for again")
  func emptyName() async throws {
    let form = FormData(parameters("openid").fields + [.init(name: "username", value: "")])
    #expect(await post(try EntraWorld(), "authorize", form).status == .unprocessableContent)
  }

  @Test("an app that sends max_age is told when the person signed in, another is not")
  func authenticationTime() async throws {
    let world = try EntraWorld()
    let asked = try await tokens(world, "openid", ["max_age": "300"])
    let now = Int64(try world.world.clock.now.timeIntervalSince1970)
    #expect(try asked.claims(of: "id_token")["auth_time"]?.integer == now)
    #expect(try await tokens(world, "openid").claims(of: "id_token")["auth_time"] == nil)
  }

  @Test("names come only with the scope profile")
  func profile() async throws {
    let world = try EntraWorld()
    let bare = try await tokens(world, "openid").claims(of: "id_token")
    #expect(bare["preferred_username"] == nil)
    #expect(bare["name"] == nil)
    let full = try await tokens(world, "openid profile").claims(of: "id_token")
    #expect(full["preferred_username"] == "ada@example.com")
  }

  @Test("the scope .default puts all granted permissions of an API into its token")
  func defaultScope() async throws {
    let world = try EntraWorld()
    let answer = try await tokens(world, "openid api://orders/.default")
    let claims = try answer.claims(of: "access_token")
    #expect(claims["aud"] == "api://orders")
    #expect(claims["scp"] == "Read Write")
    let granted = answer.json["scope"]?.string?.split(separator: " ") ?? []
    #expect(granted.contains("api://orders/Read") && granted.contains("api://orders/.default"))
    let token = try #require(answer.json["access_token"]?.string)
    let orders = await world.emulator.respond(
      to: Request(
        method: .get,
        target: "/api/orders",
        headerFields: [.authorization: "Bearer \(token)"]
      )
    )
    #expect(orders.status == .ok)
  }

  @Test("after signing out, the browser goes back only to an app of this machine")
  func signOut() async throws {
    let world = try EntraWorld()
    let back = await get(
      world,
      "logout",
      ["post_logout_redirect_uri": "http://localhost:8080/bye", "state": "s2"]
    )
    #expect(back.status == .seeOther)
    #expect(back.headerFields[.location] == "http://localhost:8080/bye?state=s2")
    let stays = await get(
      world,
      "logout",
      ["post_logout_redirect_uri": "https://evil.example/"]
    )
    #expect(stays.status == .ok)
    #expect(stays.headerFields[.location] == nil)
  }

  @Test(
    "signing out by POST works like by GET (OpenID Connect RP-Initiated Logout 1.0, section 2)"
  )
  func signOutByPost() async throws {
    let world = try EntraWorld()
    let back = await post(
      world,
      "logout",
      ["post_logout_redirect_uri": "http://localhost:8080/bye", "state": "s2"]
    )
    #expect(back.status == .seeOther)
    #expect(back.headerFields[.location] == "http://localhost:8080/bye?state=s2")
    let stays = await post(world, "logout", ["post_logout_redirect_uri": "https://evil.example/"])
    #expect(stays.status == .ok && stays.headerFields[.location] == nil)
    #expect(await post(world, "logout", [:]).status == .ok)
  }

  @Test("a reset of a switched-off account is refused at once")
  func resetOfDisabled() async throws {
    let answer = try await EntraWorld().client().startReset("bann@example.com")
    #expect(answer.refusal == "400 invalid_grant 50057")
  }
}
