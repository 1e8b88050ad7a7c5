import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Testing

@Suite("Clerk: what its Swift SDK depends on")
struct SwiftSDKTests {
  @Test("a sign-in may lead back to an app's own URL scheme")
  func ownScheme() async throws {
    let world = try TestWorld()
    let client = world.client()
    let form: FormData = ["strategy": "enterprise_sso", "redirect_url": "vestibule-app://callback"]
    let begun = try await client.begin("sven@example.com", form)
    #expect(begun.status == 200)
    let page = begun.resource?["first_factor_verification"]?[
      "external_verification_redirect_url"
    ]?.string
    #expect(page?.hasPrefix("http://127.0.0.1:4010/v1/enterprise_sso?token=") == true)
  }

  @Test(
    "an address that a browser opens by itself is refused as an app's address",
    arguments: [
      "javascript:alert(1)", "data:text/html,x", "DATA:,x", "file:///etc/passwd", "about:blank",
      "blob:null/1", "callback", "vbscript:x", "view-source:http://evil.test/", "ws://evil.test/",
      "WSS://evil.test/", "ftp://evil.test/", "//evil.test:80/x", "/x:y", ":x", "http:evil.test",
    ]
  )
  func addressOfNoApp(address: String) async throws {
    let client = try TestWorld().client()
    let begun = try await client.begin(
      "sven@example.com",
      ["strategy": "enterprise_sso", "redirect_url": address]
    )
    #expect(begun.refusal == "422 invalid_url_scheme redirect_url")
    let completed = try await client.begin(
      "sven@example.com",
      [
        "strategy": "enterprise_sso", "redirect_url": "vestibule-app://callback",
        "action_complete_redirect_url": address,
      ]
    )
    #expect(completed.refusal == "422 invalid_url_scheme action_complete_redirect_url")
  }

  @Test(
    "a sign-in may lead back to an app by the web only on this machine or an allowed host",
    arguments: [
      ("http://localhost:3000/back", "200 -"), ("https://app.test/back", "200 -"),
      ("com.example.app:/back", "200 -"), ("app+1.x-y://evil.test", "200 -"),
      ("http://evil.test/", "422 invalid_redirect_url redirect_url"),
      ("HTTPS://evil.test/", "422 invalid_redirect_url redirect_url"),
      ("https://app.test@evil.test/", "422 invalid_redirect_url redirect_url"),
      ("http://[::1].evil.test/", "422 invalid_redirect_url redirect_url"),
      ("http:///evil.test/", "422 invalid_redirect_url redirect_url"),
    ]
  )
  func webAddressOfApp(address: String, refusal: String) async throws {
    let emulator = ClerkEmulator(
      worlds: try TestWorld().worlds,
      address: "http://127.0.0.1:4010",
      origins: BrowserOrigins(hosts: ["app.test"])
    )
    let begun = try await ScriptedClient(emulator: emulator).begin(
      "sven@example.com",
      ["strategy": "enterprise_sso", "redirect_url": address]
    )
    #expect(begun.refusal == refusal)
  }

  @Test("the list of sessions shows what each device said of itself")
  func devices() async throws {
    let client = try TestWorld().client()
    let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"
    try await client.send(
      .post,
      "/v1/client/sign_ins",
      ["identifier": "ada@example.com", "password": ScriptedClient.password],
      fields: [.userAgent: firefox]
    )
    let activity = try await client.get("/v1/me/sessions/active").json[0]?["latest_activity"]
    #expect(activity?["object"] == "session_activity")
    #expect(activity?["browser_name"] == "Firefox")
    #expect(activity?["browser_version"] == "145.0")
    #expect(activity?["device_type"] == "Linux")
    #expect(activity?["is_mobile"] == false)
  }

  @Test("if organizations are required, the personal account is not offered")
  func requiredOrganizations() async throws {
    func isForced(_ change: (inout InstanceSettings) -> Void) async throws -> JSON? {
      let client = try TestWorld(settings: change).client()
      return try await client.get("/v1/environment")
        .json["organization_settings"]?["force_organization_selection"]
    }
    #expect(try await isForced { $0.organizationsRequired = true } == true)
    #expect(try await isForced { _ in } == nil)
    let chosen = try await isForced {
      $0.organizationsRequired = true
      $0.forceOrganizationSelection = false
    }
    #expect(chosen == false)
  }

  @Test("a call that is not emulated says so, whatever its content type")
  func notEmulated() async throws {
    let client = try TestWorld().client()
    let response = await client.emulator.respond(
      to: Request(
        method: .post,
        target: "/v1/me/profile_image?_is_native=1",
        headerFields: [.contentType: "multipart/form-data; boundary=x"],
        body: Array("--x--".utf8)
      )
    )
    #expect(response.status.code == 501)
    let code = JSON(decoding: response.body)?["errors"]?[0]?["code"]
    #expect(code == "emulator_not_implemented")
  }

  @Test("after an enterprise sign-in, the user shows the account at the organization")
  func enterpriseAccounts() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin(
      "sven@example.com",
      ["strategy": "enterprise_sso", "redirect_url": "vestibule-app://callback"]
    )
    let page = try #require(
      begun.resource?["first_factor_verification"]?["external_verification_redirect_url"]?.string
    )
    let path = try #require(page.range(of: "/v1/")).lowerBound
    let back = await client.emulator.respond(
      to: Request(
        method: .post,
        target: String(page[path...]),
        headerFields: [.contentType: "application/x-www-form-urlencoded"],
        body: FormData([.init(name: "decision", value: "approve")]).encoded
      )
    )
    #expect(back.headerFields[.location]?.hasPrefix("vestibule-app://callback?") == true)
    try await client.get("/v1/client")
    let accounts = try await client.get("/v1/me").resource?["enterprise_accounts"]
    #expect(accounts?[0]?["email_address"] == "sven@example.com")
    #expect(accounts?[0]?["enterprise_connection"]?["protocol"] == "saml")
  }

  @Test("a verification's error and nonce are null where Clerk's description allows them")
  func emptyMembers() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin("cody@example.com")
    try await client.prepareFirst(try #require(begun.resource?["id"]?.string), "email_code")
    let code = try await client.get("/v1/client").resource?["sign_in"]?["first_factor_verification"]
    #expect(code?["object"] == "verification_otp")
    let password = try await world.client().signIn("mia@example.com")
      .resource?["first_factor_verification"]
    #expect(password?["object"] == "verification_password")
    let signUp = try await world.client().post(
      "/v1/client/sign_ups",
      ["email_address": "new@example.com", "password": "a-long-new-password-7"]
    )
    let address = signUp.resource?["verifications"]?["email_address"]
    for member in ["error", "nonce"] {
      #expect(code?[member] == .null)
      #expect(address?[member] == .null)
      // Clerk's description allows no further members here.
      #expect(password?[member] == nil)
    }
  }

  @Test("a refusal before any call also has a reference by which it can be found (E7)")
  func reference() async throws {
    let response = ClerkEmulator.refusal(status: 400, code: "host_invalid", "Not served here.")
    let document = JSON(decoding: response.body)
    #expect(document?["errors"]?[0]?["code"] == "host_invalid")
    #expect(document?["clerk_trace_id"]?.string?.count == 32)
    let nowhere = try await TestWorld().client().send(
      .get,
      "/v1/client",
      fields: [.vestibuleWorld: "no name"]
    )
    #expect(nowhere.refusal == "400 host_invalid")
    #expect(nowhere.json["clerk_trace_id"]?.string?.count == 32)
  }

  @Test("the environment says that no sessions are minted elsewhere (E7)")
  func sessionMinter() async throws {
    let environment = try await TestWorld().client().get("/v1/environment").json
    #expect(environment["auth_config"]?["session_minter"] == false)
  }

  @Test("a code for an app that is already verified is refused as such (E5)")
  func verifiedApp() async throws {
    let world = try TestWorld()
    let client = world.client()
    try await client.signIn("tess@example.com")
    try await client.post("/v1/me/totp")
    let code = try #require(try await world.world.authenticatorReading(of: "user_tess")?.code)
    for expected in ["200 -", "400 verification_already_verified"] {
      let answer = try await client.post("/v1/me/totp/attempt_verification", ["code": code])
      #expect(answer.refusal == expected)
    }
  }

  @Test("an app that names only its device has an activity on that device")
  func deviceAlone() async throws {
    let client = try TestWorld().client()
    let device = try #require(HTTPField.Name("X-Device-Type"))
    try await client.send(
      .post,
      "/v1/client/sign_ins",
      ["identifier": "ada@example.com", "password": ScriptedClient.password],
      fields: [device: "iPad"]
    )
    let activity = try await client.get("/v1/me/sessions/active").json[0]?["latest_activity"]
    #expect(activity?["device_type"] == "iPad")
    #expect(activity?["browser_name"] == nil)
  }
}

@Suite("Clerk: settings that only some instances have")
struct InstanceVariantTests {
  @Test("with bot protection, a sign-up without the check's token is refused with the reason")
  func botProtection() async throws {
    let client = try TestWorld { $0.botProtection = true }.client()
    let form: FormData = ["email_address": "new@example.com", "password": "a-long-new-password-7"]
    let refused = try await client.post("/v1/client/sign_ups", form)
    #expect(refused.refusal == "400 captcha_missing_token")
    let taken = try await client.post(
      "/v1/client/sign_ups",
      FormData(form.fields + [.init(name: "captcha_token", value: "passed")])
    )
    #expect(taken.status == 200)
    let environment = try await client.get("/v1/environment").json
    #expect(environment["user_settings"]?["sign_up"]?["captcha_enabled"] == true)
  }

  @Test("an older instance takes a compromised password, and then asks for another")
  func compromisedPassword() async throws {
    let client = try TestWorld { $0.compromisedPasswordCode = false }.client()
    let answer = try await client.signIn("cora@example.com")
    #expect(answer.state == "complete")
    let tasks = answer.client?["sessions"]?[0]?["tasks"]
    #expect(tasks?[0]?["key"] == "reset-password")
  }
}
