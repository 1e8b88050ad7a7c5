import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Testing

@Suite("The environment says how the instance is set up")
struct EnvironmentTests {
  private func environment(
    _ change: (inout InstanceSettings) -> Void = { _ in }
  ) async throws -> JSON {
    try await TestWorld(settings: change).client().get("/v1/environment").json
  }

  @Test("by default, sign-up asks for address and password; phone and username can sign in")
  func defaults() async throws {
    let json = try await environment()
    #expect(json["display_config"]?["application_name"] == "Vestibule")
    #expect(json["display_config"]?["preferred_sign_in_strategy"] == "password")
    #expect(json["auth_config"]?["single_session_mode"] == true)
    #expect(json["auth_config"]?["native_settings"]?["api_enabled"] == true)
    #expect(json["auth_config"]?["phone_number"] == "off")
    let attributes = json["user_settings"]?["attributes"]
    #expect(attributes?["email_address"]?["required"] == true)
    #expect(attributes?["email_address"]?["verify_at_sign_up"] == true)
    #expect(attributes?["password"]?["required"] == true)
    #expect(attributes?["phone_number"]?["enabled"] == true)
    #expect(attributes?["phone_number"]?["required"] == false)
    #expect(attributes?["username"]?["used_for_first_factor"] == true)
    #expect(attributes?["first_name"]?["enabled"] == false)
    let lockout = json["user_settings"]?["attack_protection"]?["user_lockout"]
    #expect(lockout == ["enabled": true, "max_attempts": 10, "duration_in_minutes": 60])
  }

  @Test("it follows the settings")
  func follows() async throws {
    let json = try await environment {
      $0.identifierFirst = true
      $0.phone = .required
      $0.username = .off
      $0.names = .optional
      $0.signUpMode = .waitlist
      $0.legalConsent = true
      $0.passwordMinLength = 12
      $0.passwordRequire = [.special]
      $0.enumerationProtection = true
      $0.mfaRequired = true
    }
    #expect(json["display_config"]?["preferred_sign_in_strategy"] == "otp")
    #expect(json["auth_config"]?["phone_number"] == "required")
    #expect(json["auth_config"]?["identification_strategies"] == ["email_address", "phone_number"])
    let user = json["user_settings"]
    #expect(user?["attributes"]?["username"]?["enabled"] == false)
    #expect(user?["attributes"]?["last_name"]?["enabled"] == true)
    #expect(user?["sign_up"]?["mode"] == "waitlist")
    #expect(user?["sign_up"]?["legal_consent_enabled"] == true)
    #expect(user?["password_settings"]?["min_length"] == 12)
    #expect(user?["password_settings"]?["require_special_char"] == true)
    #expect(user?["attack_protection"]?["enumeration_protection"]?["enabled"] == true)
    #expect(user?["sign_in"]?["second_factor"]?["required"] == true)
  }

  @Test("a change of settings shows at once, in that world alone")
  func changes() async throws {
    let world = try TestWorld()
    let before = try await world.client().get("/v1/environment").json
    try world.world.settings.identifierFirst = true
    let after = try await world.client().get("/v1/environment").json
    #expect(before["display_config"]?["preferred_sign_in_strategy"] == "password")
    #expect(after["display_config"]?["preferred_sign_in_strategy"] == "otp")
    var other = world
    other.name = try #require(WorldName("other"))
    #expect(try await other.client().get("/v1/environment").json == before)
  }

  @Test("it lists texts as second factor unless phone numbers are off")
  func secondFactors() async throws {
    let usual = try await environment()["auth_config"]?["second_factors"]
    #expect(usual == ["phone_code", "totp", "backup_code"])
    let json = try await environment { $0.phone = .off }
    #expect(json["auth_config"]?["second_factors"] == ["totp", "backup_code"])
    let phone = json["user_settings"]?["attributes"]?["phone_number"]
    #expect(phone?["used_for_second_factor"] == false)
  }

  @Test("new passwords alone are left unchecked: a leaked one is refused at sign-in all the same")
  func leakedPasswords() async throws {
    let world = try TestWorld { $0.leakedPasswordCheck = false }
    let json = try await world.client().get("/v1/environment").json
    let rules = json["user_settings"]?["password_settings"]
    #expect(rules?["disable_hibp"] == true)
    #expect(rules?["enforce_hibp_on_sign_in"] == true)
    #expect(try await world.client().signIn("pia@example.com").code == "form_password_pwned")
  }

  @Test("it lists the enterprise sign-in that accounts have")
  func enterprise() async throws {
    let world = try TestWorld()
    let json = try await world.client().get("/v1/environment").json
    let begun = try await world.client().begin("sven@example.com")
    let strategy = try #require(begun.resource?["supported_first_factors"]?[0]?["strategy"])
    #expect(strategy == "enterprise_sso")
    #expect(json["auth_config"]?["first_factors"]?.array?.contains(strategy) == true)
    #expect(json["user_settings"]?["enterprise_sso"]?["enabled"] == true)
  }

  @Test(
    "it links to the pages, at the world's own host if they are on this machine",
    arguments: [
      ("http://127.0.0.1:21310", "main", "http://127.0.0.1:21310"),
      ("http://127.0.0.1:21310", "team-a", "http://team-a.localhost:21310"),
      ("http://localhost", "team-a", "http://team-a.localhost"),
      ("http://[::1]:8080", "team-a", "http://team-a.localhost:8080"),
      ("https://login.example.com", "team-a", "https://login.example.com"),
    ]
  )
  func pages(origin: String, world: String, home: String) async throws {
    let worlds = try TestWorld().worlds
    let client = ScriptedClient(
      emulator: ClerkEmulator(
        worlds: worlds,
        address: "http://127.0.0.1:4010",
        pagesOrigin: origin
      ),
      world: try #require(WorldName(world))
    )
    let display = try await client.get("/v1/environment").json["display_config"]
    #expect(display?["sign_in_url"]?.string == "\(home)/sign-in")
    #expect(display?["waitlist_url"]?.string == "\(home)/sign-up")
    #expect(display?["after_sign_out_all_url"]?.string == "\(home)/")
  }

  @Test(
    "an application's page that asks is led to the application, and one of the pages to the pages",
    arguments: [
      ("http://localhost:3000", "main", "http://localhost:3000", "/waitlist"),
      ("http://localhost:3000", "team-a", "http://localhost:3000", "/waitlist"),
      ("http://127.0.0.1:21310", "main", "http://127.0.0.1:21310", "/sign-up"),
      ("http://localhost:21310", "main", "http://127.0.0.1:21310", "/sign-up"),
      ("http://127.0.0.1:21310", "team-a", "http://team-a.localhost:21310", "/sign-up"),
      ("http://team-a.localhost:21310", "team-a", "http://team-a.localhost:21310", "/sign-up"),
    ]
  )
  func askingPage(origin: String, world: String, home: String, waitlist: String) async throws {
    let emulator = ClerkEmulator(
      worlds: try TestWorld().worlds,
      address: "http://127.0.0.1:4010",
      pagesOrigin: "http://127.0.0.1:21310"
    )
    let asked = await emulator.respond(
      to: Request(
        method: .get,
        target: "/v1/environment",
        headerFields: [.origin: origin, .vestibuleWorld: world]
      )
    )
    let display = JSON(decoding: asked.body)?["display_config"]
    #expect(display?["sign_in_url"]?.string == "\(home)/sign-in")
    #expect(display?["after_sign_in_url"]?.string == "\(home)/")
    #expect(display?["waitlist_url"]?.string == "\(home)\(waitlist)")
  }

  @Test("without pages of its own, it links to those of the page that asks")
  func pagesOfApplication() async throws {
    let world = try TestWorld()
    let plain = try await world.client().get("/v1/environment").json["display_config"]
    #expect(plain?["sign_in_url"] == "http://localhost:8080/sign-in")
    let asked = await world.emulator.respond(
      to: Request(
        method: .get,
        target: "/v1/environment",
        headerFields: [.origin: "http://localhost:3000"]
      )
    )
    let display = JSON(decoding: asked.body)?["display_config"]
    #expect(display?["sign_in_url"] == "http://localhost:3000/sign-in")
    let again = try await world.client().get("/v1/environment").json["display_config"]
    #expect(again == plain)
  }

  @Test("settings are read from JSON, and those that it lacks have their defaults")
  func settingsDocument() throws {
    let json = """
      {"sign_up_mode":"restricted","client_trust":"needs_second_factor","lockout_seconds":null,
       "password_require":["upper","special"],"code_lifetime_seconds":60,"username":"off",
       "entra_scopes_granted":["a"],"entra_required_attributes":[{"name":"x"}]}
      """
    let settings = try InstanceSettings(json: Data(json.utf8))
    #expect(settings.signUpMode == .restricted)
    #expect(settings.clientTrust == .needsSecondFactor)
    #expect(settings.lockoutSeconds == nil)
    #expect(settings.passwordRequire == [.upper, .special])
    #expect(settings.codeLifetimeSeconds == 60)
    #expect(settings.username == .off)
    #expect(settings.phone == InstanceSettings().phone)
    #expect(try InstanceSettings(json: Data(settings.json.encoded)) == settings)
    #expect(try InstanceSettings(json: Data("{}".utf8)) == InstanceSettings())
  }

  @Test("every JSON key of the settings is read, and written with the value that was read")
  func everySetting() throws {
    let json = """
      {"sign_up_mode":"waitlist","identifier_first":true,"enumeration_protection":true,
       "client_trust":"needs_client_trust","mfa_required":true,"organizations_required":true,
       "organization_creation":false,"force_organization_selection":true,"email_link":true,
       "legal_consent":true,"terms_url":"https://example.org/a","privacy_policy_url":null,
       "username":"required","phone":"optional","names":"optional","password_min_length":12,
       "password_require":["lower"],"leaked_password_check":false,
       "compromised_password_code":false,"code_lifetime_seconds":60,"code_attempts":2,
       "resend_cooldown_seconds":3,"lockout_attempts":4,"lockout_seconds":5,"session_seconds":6,
       "rate_limits":true,"test_mode":false,"bot_protection":true,"jwt_templates":["a"],
       "entra_scopes_granted":["b"],"entra_reset_polls":7,
       "entra_required_attributes":[{"name":"city","type":"int","required":false}],
       "entra_challenge_types":["redirect"]}
      """
    let document = try #require(JSON(decoding: Array(json.utf8)))
    let written = try InstanceSettings(json: Data(json.utf8)).json
    let defaults = InstanceSettings().json
    for (name, _) in InstanceSettings.keys {
      // A key with its default would not show whether it is read.
      #expect(document[name] != defaults[name], "\(name)")
      #expect(written[name] == document[name], "\(name)")
    }
  }

  @Test("settings that allow everything are shown as null")
  func settingsKeys() {
    let json = InstanceSettings().json
    #expect(json["entra_scopes_granted"] == .null)
    #expect(json["entra_challenge_types"] == .null)
  }

  @Test(
    "an error in a settings document is reported with its place",
    arguments: [
      (
        #"{"identifer_first":true}"#,
        "unknown key 'identifer_first': did you mean 'identifier_first'?"
      ),
      (#"{"signup_mode":"public"}"#, "unknown key 'signup_mode': did you mean 'sign_up_mode'?"),
      (#"{"lockout":5}"#, "unknown key 'lockout': known keys are sign_up_mode, identifier_first, "),
      (#"{"phone":"maybe"}"#, "'phone': 'maybe' is not one of off, sign_in, optional, required"),
      (#"{"password_require":["odd"]}"#, "'odd' is not one of upper, lower, number, special"),
      (#"{"code_attempts":0}"#, "not within 1 to 1000"),
      (#"{"code_attempts":"5"}"#, "'code_attempts': not a whole number"),
      (#"{"mfa_required":"yes"}"#, "'mfa_required': neither true nor false"),
      (#"{"names":1}"#, "'names': not one of off, optional, required"),
      (#"{"jwt_templates":"a"}"#, "'jwt_templates': not a list"),
      (#"{"jwt_templates":[1]}"#, "'jwt_templates': not a text"),
      (#"{"lockout_seconds":0}"#, "not within 1 to"),
      (#"{"terms_url":"ftp://example.com"}"#, "'terms_url': not an http or https URL"),
      ("{\n \"a\" 1", "it is not JSON: line 2, column 6"),
      (
        "{\"names\":\n \"off\", \"names\": \"required\"}",
        "key 'names' appears twice: line 2, column 9"
      ),
      ("[]", "not an object"),
    ]
  )
  func settingsErrors(json: String, message: String) {
    let error = #expect(throws: DocumentError.self) { try InstanceSettings(json: Data(json.utf8)) }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test(
    "an attribute rule that is wrong or would check nothing is refused with its place",
    arguments: [
      (#"{"name":"x","kind":"y"}"#, "[0]", "unknown key 'kind': known keys are name, type, "),
      (#"{"name":"x","requird":true}"#, "[0]", "unknown key 'requird': did you mean 'required'?"),
      (#"{"name":"x","required":"yes"}"#, "[0].required", "neither true nor false"),
      (
        #"{"name":"x","options":{"regexp":"^Paris$"}}"#, "[0].options",
        "unknown key 'regexp': did you mean 'regex'?"
      ),
      (#"{"name":"x","options":{"regex":"^[a"}}"#, "[0].options.regex", "not a regular expression"),
      (#"{"name":"x","options":"y"}"#, "[0].options", "not an object"),
      (
        #"{"name":"x","type":"foo"}"#, "[0].type",
        "'foo' is not one of string, boolean, integer, int"
      ),
      (#"{"name":"x"},{"name":"x"}"#, "[1].name", "'x' is taken"),
      (#"{"name":""}"#, "[0].name", "empty"),
      (#"{"name":"DisplayName"}"#, "[0].name", "did you mean 'displayName'?"),
      (#"{"name":"displayName "}"#, "[0].name", "did you mean 'displayName'?"),
      (#"{"name":" "}"#, "[0].name", "not 1 to 256 characters without blanks"),
      (#"{"name":"a\nb"}"#, "[0].name", "not 1 to 256 characters without blanks"),
      (
        #"{"name":"\#(String(repeating: "n", count: 257))"}"#, "[0].name",
        "not 1 to 256 characters without blanks"
      ),
      (#"{"type":"string"}"#, "[0]", "'name' is missing"),
      (#"{"name":"x"},5"#, "[1]", "not an object"),
    ]
  )
  func attributeErrors(rules: String, place: String, reason: String) {
    let json = #"{"entra_required_attributes":[\#(rules)]}"#
    let error = #expect(throws: DocumentError.self) { try InstanceSettings(json: Data(json.utf8)) }
    let words = "'entra_required_attributes\(place)': \(reason)"
    #expect(error?.description.hasPrefix(words) == true, "\(error?.description ?? "")")
  }

  @Test("an attribute rule is shown as it was read, with what it leaves out")
  func attributeRules() throws {
    let json = #"""
      {"entra_required_attributes":[{"name":"city"},{"name":"age","type":"integer",
       "required":false,"options":{"regex":"^[1-9]"}}]}
      """#
    let settings = try InstanceSettings(json: Data(json.utf8))
    let told: JSON = [
      ["name": "city", "type": "string", "required": true],
      [
        "name": "age", "type": "integer", "required": false, "options": ["regex": "^[1-9]"],
      ],
    ]
    #expect(settings.json["entra_required_attributes"] == told)
    #expect(try InstanceSettings(json: Data(settings.json.encoded)) == settings)
  }

  @Test(
    "an error in a users document is reported with its place",
    arguments: [
      (#"[{"e_mail":"x"}]"#, "'[0]': unknown key 'e_mail': known keys are id, email_addresses, "),
      (#"[{},{"email_addresses":["ada@"]}]"#, "'ada@' is not an email address"),
      (#"[{"phone_numbers":["123"]}]"#, "'123' is not a phone number"),
      (#"[{"phone_numbers":["+0120155501"]}]"#, "'+0120155501' is not a phone number"),
      (#"[{"phone_numbers":["+12015O50110"]}]"#, "'+12015O50110' is not a phone number"),
      (#"[{"totp_secret":"1"}]"#, "not base32"),
      (#"[{"totp_secret":"A"}]"#, "not base32"),
      (#"[{"tasks":["dance"]}]"#, "'[0].tasks': 'dance' is not one of reset-password, "),
      (#"[{"locked":{"seconds":-1}}]"#, "not within 0 to"),
      (#"[{"locked":{"minutes":1}}]"#, "unknown key 'minutes': the only known key is seconds"),
      (
        #"[{"organizations":[{"nmae":"x"}]}]"#,
        "'[0].organizations[0]': unknown key 'nmae': did you mean 'name'?"
      ),
      (#"[{"organizations":[{"name":"x"}]}]"#, "'slug' is missing"),
      (
        #"[{"organizations":[{"name":"x","slug":"x","role":"Admin of all"}]}]"#,
        "'[0].organizations[0].role': not a role's key, such as org:admin"
      ),
      (
        #"[{"organizations":[{"name":"x","slug":"x","role":"org:"}]}]"#,
        "'[0].organizations[0].role': not a role's key, such as org:admin"
      ),
      (
        #"[{"organizations":[{"name":"x","slug":"x"},{"name":"x","slug":"x","role":"org:admin"}]}]"#,
        "'[0].organizations[1].slug': 'x' is taken"
      ),
      (
        #"[{"organizations":[{"name":"x","slug":"x"}]},{"organization_invitations":[{"name":"X","slug":"x"}]}]"#,
        "'[1].organization_invitations[0].name': 'x' is already called 'x'"
      ),
      (#"[{"password":"a","password":"b"}]"#, "key 'password' appears twice: line 1, column 18"),
      (#"[{"locked":true}]"#, "'[0].locked': not an object"),
      (#"[{"password":""}]"#, "'[0].password': empty"),
      (#"[{"id":""}]"#, "'[0].id': empty"),
      (#"{}"#, "not a list"),
    ]
  )
  func userErrors(json: String, message: String) {
    let error = #expect(throws: DocumentError.self) {
      try AccountDescription.list(json: Data(json.utf8))
    }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test("a role may be written as session tokens write it")
  func roles() throws {
    let roles = ["admin", "org:admin", "billing_2"].map { role in
      #"{"name":"x","slug":"\#(role.replacing(":", with: "-"))","role":"\#(role)"}"#
    }
    let users = try AccountDescription.list(
      json: Data(#"[{"organizations":[\#(roles.joined(separator: ","))]}]"#.utf8)
    )
    #expect(users[0].organizations.map(\.role) == ["org:admin", "org:admin", "org:billing_2"])
  }
}
