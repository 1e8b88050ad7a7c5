import Emulators
import Foundation
import HTTPExchange
import Testing

@Suite("The environment says how the instance is set up")
struct EnvironmentTests {
  private func environment(
    _ change: (inout InstanceSettings) -> Void = { _ in }
  ) async throws -> JSON {
    try await TestWorld(settings: change).client().get("/v1/environment").json
  }

  @Test("by default sign-up asks address and password; phone and username can sign in")
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

  @Test("every JSON key of the settings is read back")
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
    #expect(try InstanceSettings(json: Data(settings.json.encoded)) == settings)
    #expect(try InstanceSettings(json: Data("{}".utf8)) == InstanceSettings())
  }

  @Test("every key of the settings is told, also where all is meant")
  func settingsKeys() {
    let json = InstanceSettings().json
    #expect(json["entra_scopes_granted"] == .null)
    #expect(json["entra_challenge_types"] == .null)
  }

  @Test(
    "a settings document that is wrong says where",
    arguments: [
      (
        #"{"identifer_first":true}"#,
        "unknown key 'identifer_first': known are sign_up_mode, identifier_first, "
      ),
      (#"{"phone":"maybe"}"#, "'phone': 'maybe' is not one of off, sign_in, optional, required"),
      (#"{"password_require":["odd"]}"#, "'odd' is not one of upper, lower, number, special"),
      (#"{"entra_required_attributes":[{"name":"x","kind":"y"}]}"#, "not a list of {name, type"),
      (#"{"code_attempts":0}"#, "not within 1 to 1000"),
      (#"{"code_attempts":"5"}"#, "'code_attempts': not a whole number"),
      (#"{"mfa_required":"yes"}"#, "'mfa_required': neither true nor false"),
      (#"{"names":1}"#, "'names': not one of off, optional, required"),
      (#"{"jwt_templates":"a"}"#, "'jwt_templates': not a list"),
      (#"{"jwt_templates":[1]}"#, "'jwt_templates': not a text"),
      (#"{"lockout_seconds":0}"#, "not within 1 to"),
      ("{\n \"a\" 1", "it is not JSON: line 2, column 6"),
      (
        "{\"names\":\n \"off\", \"names\": \"required\"}",
        "key 'names' is there twice: line 2, column 9"
      ),
      ("[]", "not an object"),
    ]
  )
  func settingsErrors(json: String, message: String) {
    let error = #expect(throws: DocumentError.self) { try InstanceSettings(json: Data(json.utf8)) }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test(
    "a users document that is wrong says where",
    arguments: [
      (#"[{"e_mail":"x"}]"#, "'[0]': unknown key 'e_mail': known are id, email_addresses, "),
      (#"[{},{"email_addresses":["ada@"]}]"#, "'ada@' is not an email address"),
      (#"[{"phone_numbers":["123"]}]"#, "'123' is not a phone number"),
      (#"[{"totp_secret":"1"}]"#, "not base32"),
      (#"[{"tasks":["dance"]}]"#, "'[0].tasks': 'dance' is not one of reset-password, "),
      (#"[{"locked":{"seconds":-1}}]"#, "not within 0 to"),
      (#"[{"locked":{"minutes":1}}]"#, "unknown key 'minutes': known is seconds"),
      (
        #"[{"organizations":[{"nmae":"x"}]}]"#, "unknown key 'nmae': known are name, slug and role"
      ),
      (#"[{"organizations":[{"name":"x"}]}]"#, "'slug' is missing"),
      (#"[{"password":"a","password":"b"}]"#, "key 'password' is there twice: line 1, column 18"),
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
}
