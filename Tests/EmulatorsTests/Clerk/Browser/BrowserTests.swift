import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Testing

@Suite("Browsers: cookies, origins, the development browser")
struct BrowserTests {
  private let world: TestWorld
  private let api: BrowserAccess
  private static let origin = "http://localhost:3000"

  init() throws {
    world = try TestWorld()
    api = BrowserAccess(world.emulator, origins: BrowserOrigins(hosts: ["app.test:8443"]))
  }

  private func send(
    _ method: HTTPRequest.Method,
    _ target: String,
    _ form: FormData = [:],
    fields extra: HTTPFields = [.origin: origin]
  ) async throws -> Response {
    var fields = extra
    if !form.fields.isEmpty { fields[.contentType] = "application/x-www-form-urlencoded" }
    return await api.respond(
      to: Request(method: method, target: target, headerFields: fields, body: form.encoded)
    )
  }

  private func json(_ response: Response) throws -> JSON {
    try #require(JSON(decoding: response.body))
  }

  private func browserToken() async throws -> String {
    let response = try await send(.post, "/v1/dev_browser")
    return try #require(try json(response)["id"]?.string)
  }

  private static let signIn: FormData = [
    "identifier": "ada@example.com", "password": ScriptedClient.password,
  ]

  @Test("a page without a browser token is told to get one")
  func unknownBrowser() async throws {
    for query in ["", "?__clerk_db_jwt=dvb_unknown"] {
      let response = try await send(.post, "/v1/client/sign_ins\(query)", Self.signIn)
      #expect(response.status == .unauthorized)
      #expect(try json(response)["errors"]?[0]?["code"] == "dev_browser_unauthenticated")
    }
    #expect(try await send(.get, "/v1/environment").status == .ok)
  }

  @Test("the client token is a cookie that no script reads, and Authorization is never sent")
  func cookie() async throws {
    let token = try await browserToken()
    let response = try await send(.post, "/v1/client/sign_ins?__clerk_db_jwt=\(token)", Self.signIn)
    #expect(response.headerFields[.authorization] == nil)
    let cookies = response.headerFields[values: .setCookie]
    let client = try #require(cookies.first { $0.hasPrefix("__client=") })
    #expect(client.contains("; HttpOnly; SameSite=Lax"))
    let since = try #require(cookies.first { $0.hasPrefix("__client_uat=") })
    #expect(since.hasPrefix("__client_uat=1767225600;"))
    #expect(!since.contains("HttpOnly"))
    let pair = String(client.prefix { $0 != ";" })
    let again = try await send(
      .get,
      "/v1/client?__clerk_db_jwt=\(token)",
      fields: [.origin: Self.origin, .cookie: pair]
    )
    #expect(try json(again)["response"]?["sessions"]?.array?.count == 1)
  }

  @Test("without a cookie, the browser token finds the client")
  func withoutCookie() async throws {
    let token = try await browserToken()
    _ = try await send(.post, "/v1/client/sign_ins?__clerk_db_jwt=\(token)", Self.signIn)
    let client = try json(try await send(.get, "/v1/client?__clerk_db_jwt=\(token)"))["response"]
    let session = try #require(client?["last_active_session_id"]?.string)
    let jwt = try json(
      try await send(
        .post,
        "/v1/client/sessions/\(session)/tokens?__clerk_db_jwt=\(token)",
        ["organization_id": ""]
      )
    )["jwt"]?.string
    let payload = try #require(jwt?.split(separator: ".").dropFirst().first)
    let bytes = try #require(decoded(payload))
    let claims = try #require(JSON(decoding: Array(bytes)))
    #expect(claims["azp"]?.string == Self.origin)
    let out = try await send(
      .post,
      "/v1/client/sessions?_method=DELETE&__clerk_db_jwt=\(token)"
    )
    #expect(out.headerFields[values: .setCookie].contains { $0.hasPrefix("__client_uat=0;") })
    let gone = try await send(.post, "/v1/client?_method=DELETE&__clerk_db_jwt=\(token)")
    #expect(gone.headerFields[values: .setCookie].contains { $0.contains("Max-Age=0") })
  }

  private func decoded(_ text: Substring) -> Data? {
    let padded = text.replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/")
    return Data(base64Encoded: padded + String(repeating: "=", count: (4 - padded.count % 4) % 4))
  }

  @Test("a mailed link signs in the browser that asked for it, and its cookies say so")
  func link() async throws {
    let token = try await browserToken()
    let begun = try await send(
      .post,
      "/v1/client/sign_ins?__clerk_db_jwt=\(token)",
      [
        "identifier": "link@example.com", "strategy": "email_link",
        "redirect_url": "http://localhost:3000/done",
      ]
    )
    let cookie = try #require(
      begun.headerFields[values: .setCookie].first { $0.hasPrefix("__client=") }
    )
    let mail = try #require(try await world.world.outbox.latest(.init(to: "link@example.com")))
    let target = try #require(mail.link).dropFirst("http://127.0.0.1:4010".count)
    let landed = try await send(
      .get,
      String(target),
      fields: [.cookie: String(cookie.prefix { $0 != ";" })]
    )
    #expect(landed.status == .seeOther)
    let cookies = landed.headerFields[values: .setCookie]
    #expect(cookies.contains { $0.hasPrefix("__client=") })
    #expect(cookies.contains { $0.hasPrefix("__client_uat=1767225600;") })
  }

  @Test("a page's enterprise sign-in is complete when the client is read again")
  func enterprise() async throws {
    let query = "__clerk_db_jwt=\(try await browserToken())"
    let begun = try json(
      try await send(
        .post,
        "/v1/client/sign_ins?\(query)",
        [
          "identifier": "sven@example.com", "strategy": "enterprise_sso",
          "redirect_url": "http://localhost:3000/sso",
          "action_complete_redirect_url": "http://localhost:3000/done",
        ]
      )
    )
    let verification = begun["response"]?["first_factor_verification"]
    #expect(verification?["object"] == "verification_saml")
    let page = try #require(verification?["external_verification_redirect_url"]?.string)
    let target = String(page.dropFirst("http://127.0.0.1:4010".count))
    let decided = try await send(.post, target, ["decision": "approve"], fields: [:])
    #expect(decided.headerFields[.location] == "http://localhost:3000/done")
    let read = try await send(.get, "/v1/client?\(query)")
    let client = try json(read)["response"]
    #expect(client?["last_active_session_id"]?.string != nil)
    #expect(client?["last_authentication_strategy"] == "enterprise_sso")
    #expect(read.headerFields[values: .setCookie].contains { $0.hasPrefix("__client=") })
    let again = try await send(.post, target, ["decision": "approve"], fields: [:])
    #expect(again.status == .gone)
    let foreign = try await send(.get, "/v1/enterprise_sso?token=sia_x.y", fields: [:])
    #expect(foreign.status == .notFound)
  }

  @Test("a page's enterprise sign-in cannot lead back to an app's own URL scheme")
  func ownScheme() async throws {
    let (app, web) = ("vestibule-app://callback", "http://localhost:3000/sso")
    try await expectRefusal("invalid_url_scheme", of: app, beside: web)
  }

  @Test("a page's enterprise sign-in cannot lead to another machine")
  func otherMachine() async throws {
    let (other, own) = ("http://evil.test/x", "http://localhost:3000/sso")
    try await expectRefusal("invalid_redirect_url", of: other, beside: own)
  }

  /// Begins enterprise sign-ins with an address that is refused, in the place of either.
  private func expectRefusal(_ code: String, of address: String, beside own: String) async throws {
    let query = "__clerk_db_jwt=\(try await browserToken())"
    for (first, completion, parameter) in [
      (address, own, "redirect_url"), (own, address, "action_complete_redirect_url"),
    ] {
      let begun = try await send(
        .post,
        "/v1/client/sign_ins?\(query)",
        [
          "identifier": "sven@example.com", "strategy": "enterprise_sso",
          "redirect_url": first, "action_complete_redirect_url": completion,
        ]
      )
      #expect(begun.status == .unprocessableContent)
      let error = try json(begun)["errors"]?[0]
      #expect(error?["code"]?.string == code)
      #expect(error?["meta"]?["param_name"]?.string == parameter)
    }
  }

  /// The address of the organization's page for a sign-in by that host, in the world `w1`.
  private func organizationPage(host: String, returnAddress: String) async throws -> String {
    let begun = try await send(
      .post,
      "/v1/client/sign_ins?_is_native=1",
      [
        "identifier": "sven@example.com", "strategy": "enterprise_sso",
        "redirect_url": returnAddress,
      ],
      fields: [.host: host, .vestibuleWorld: "w1"]
    )
    let verification = try json(begun)["response"]?["first_factor_verification"]
    return try #require(verification?["external_verification_redirect_url"]?.string)
  }

  @Test(
    "a page's address names its world by the host or, if that names none, by a parameter",
    arguments: [
      ("localhost:4010", "http://localhost:3000/sso", "http://localhost:4010", "&world=w1"),
      ("127.0.0.1:4010", "app://back", "http://127.0.0.1:4010", "&world=w1"),
      ("w1.localhost:4010", "http://localhost:3000/sso", "http://w1.localhost:4010", ""),
      ("w1.localhost", "app://back", "http://w1.localhost", ""),
      ("localhost:4010", "http://w1.localhost:3000/sso", "http://w1.localhost:4010", ""),
      ("w11.localhost:4010", "app://back", "http://w11.localhost:4010", "&world=w1"),
    ]
  )
  func worldOfPage(host: String, returnAddress: String, origin: String, ending: String) async throws
  {
    let page = try await organizationPage(host: host, returnAddress: returnAddress)
    #expect(page.hasPrefix("\(origin)/v1/enterprise_sso?token=sia_"))
    #expect(ending.isEmpty ? !page.contains("&") : page.hasSuffix(ending))
    // A browser that follows it sends no header with the world.
    let target = String(page.dropFirst(origin.count))
    let asked: HTTPFields = [.host: String(origin.dropFirst("http://".count))]
    let shown = try await send(.get, target, fields: asked)
    #expect(shown.status == .ok)
    #expect(String(decoding: shown.body, as: UTF8.self).contains("Sign in as sven@example.com"))
    let decided = try await send(.post, target, ["decision": "approve"], fields: asked)
    #expect(decided.status == .seeOther)
    #expect(decided.headerFields[.location]?.hasPrefix("\(returnAddress)?") == true)
  }

  @Test(
    "a page's address makes no world, and names none for a call",
    arguments: ["unmade", "Not%20one", "", "w1&world=unmade"]
  )
  func unmadeWorlds(name: String) async throws {
    let page = try await send(.get, "/v1/enterprise_sso?token=sia_x.y&world=\(name)", fields: [:])
    #expect(page.status == .notFound)
    _ = try await send(.get, "/v1/environment?world=unmade")
    #expect(world.worlds.names == [.main])
  }

  @Test("a page is traced, and affected by faults, in the world that its address names")
  func tracedPage() async throws {
    let page = try await organizationPage(
      host: "localhost:4010",
      returnAddress: "http://localhost:3000/sso"
    )
    let service = EmulatedService(
      world.emulator,
      worlds: world.worlds,
      address: "http://127.0.0.1:4010"
    )
    let target = String(page.dropFirst("http://localhost:4010".count))
    let shown = await service.respond(to: Request(method: .get, target: target))
    #expect(shown.status == .ok)
    let name = try #require(WorldName("w1"))
    let named = try #require(world.worlds.opened(name))
    #expect(named.traces.count == 1)
    #expect(try world.world.traces.count == 0)
    let fault = Fault(
      match: FaultMatch(path: "/v1/enterprise_sso"),
      timesLeft: 1,
      delayMilliseconds: 0,
      effect: .failure(.htmlError)
    )
    #expect(named.faults.add(fault) != nil)
    let broken = await service.respond(to: Request(method: .get, target: target))
    #expect(broken.status == .internalServerError)
    #expect(named.faults.all.isEmpty)
  }

  @Test("a mailed link leads into the world of the call that asked for it")
  func linkOfNamedWorld() async throws {
    let begun = try await send(
      .post,
      "/v1/client/sign_ins?_is_native=1",
      [
        "identifier": "link@example.com", "strategy": "email_link",
        "redirect_url": "http://localhost:3000/done",
      ],
      fields: [.host: "localhost:4010", .vestibuleWorld: "w1"]
    )
    #expect(begun.status == .ok)
    let name = try #require(WorldName("w1"))
    let named = try #require(world.worlds.opened(name))
    let mail = try #require(try await named.outbox.latest(.init(to: "link@example.com")))
    let link = try #require(mail.link)
    #expect(link.hasPrefix("http://localhost:4010/v1/verify?token=") && link.hasSuffix("&world=w1"))
    let landed = try await send(
      .get,
      String(link.dropFirst("http://localhost:4010".count)),
      fields: [.host: "localhost:4010"]
    )
    #expect(landed.status == .seeOther)
    #expect(landed.headerFields[.location]?.contains("__clerk_status=") == true)
  }

  @Test("a preflight is granted only to pages of this machine, and only for the API's paths")
  func preflight() async throws {
    let fields: HTTPFields = [
      .origin: Self.origin, .accessControlRequestMethod: "PATCH",
      .accessControlRequestHeaders: "content-type",
    ]
    let granted = try await send(.options, "/v1/me", fields: fields)
    #expect(granted.status == .noContent)
    #expect(granted.headerFields[.accessControlAllowOrigin] == Self.origin)
    #expect(granted.headerFields[.accessControlAllowCredentials] == "true")
    #expect(granted.headerFields[.accessControlAllowHeaders] == "content-type")
    #expect(granted.headerFields[.vary] == "Origin")
    var foreign = fields
    foreign[.origin] = "https://elsewhere.example"
    let refused = try await send(.options, "/v1/me", fields: foreign)
    #expect(refused.headerFields[.accessControlAllowOrigin] == nil)
    let outside = try await send(.options, "/backstage/api/clock", fields: fields)
    #expect(outside.headerFields[.accessControlAllowOrigin] == nil)
  }

  @Test(
    "origins on this machine and configured hosts are admitted, and no others",
    arguments: [
      ("http://localhost", true), ("http://localhost:5173", true), ("https://127.0.0.1:1", true),
      ("http://[::1]:3000", true), ("http://team-a.localhost:8080", true),
      ("http://127.0.0.2:5173", true), ("http://127.0.0.1.evil.test", false),
      ("http://127.1", false),
      ("https://app.test", true), ("https://app.test:8443", true), ("HTTP://LOCALHOST", true),
      ("null", false), ("", false), ("http://", false), ("https://app.test.evil", false),
      ("http://localhost@evil.test", false), ("ftp://localhost", false),
      ("http://localhost/", false), ("http://[::1].evil.test", false),
      ("http://[::1]evil.test:80", false), ("http://localhost:80:evil.test", false),
      ("http://app.test:x", false), ("http://[::1]:3000:1", false),
    ]
  )
  func origins(origin: String, isAdmitted: Bool) {
    #expect(BrowserOrigins(hosts: ["app.test:8443"]).admits(origin) == isAdmitted)
  }

  @Test("a native client needs neither origin nor browser token, and gets no cookie")
  func native() async throws {
    let response = try await send(
      .post,
      "/v1/client/sign_ins?_is_native=1",
      Self.signIn,
      fields: [:]
    )
    #expect(response.headerFields[.setCookie] == nil)
    #expect(response.headerFields[.authorization] != nil)
    #expect(response.headerFields[.accessControlAllowOrigin] == nil)
  }

  @Test("a page that reports its origin to the instance gets the environment")
  func reportsOrigin() async throws {
    let query = "__clerk_db_jwt=\(try await browserToken())"
    let reported = try await send(.patch, "/v1/environment?\(query)")
    #expect(reported.status == .ok)
    let read = try await send(.get, "/v1/environment?\(query)")
    #expect(try json(reported) == json(read))
  }

  @Test("a request for the options that asks for no method is no preflight")
  func options() async throws {
    let response = try await send(.options, "/v1/me")
    #expect(response.status != .noContent)
    #expect(response.headerFields[.accessControlAllowMethods] == nil)
    #expect(response.headerFields[.accessControlAllowOrigin] == Self.origin)
  }

  @Test(
    "without a port of its own, an organization's page is on the host that it leads back to",
    arguments: [
      ("https://app.test/sso", "https://app.test/backstage/browser/v1/enterprise_sso?token=sia_"),
      ("app://open", "http://127.0.0.1:4010/v1/enterprise_sso?token=sia_"),
    ]
  )
  func pageWithoutPort(returnAddress: String, page: String) async throws {
    let emulator = ClerkEmulator(
      worlds: world.worlds,
      address: "http://127.0.0.1:4010",
      hasOwnPort: false,
      origins: BrowserOrigins(hosts: ["app.test"])
    )
    let begun = try await ScriptedClient(emulator: emulator).begin(
      "sven@example.com",
      ["strategy": "enterprise_sso", "redirect_url": returnAddress]
    )
    let verification = begun.resource?["first_factor_verification"]
    let address = verification?["external_verification_redirect_url"]?.string
    #expect(address?.hasPrefix(page) == true)
  }
}
