import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("Signing up")
struct SignUpTests {
  private static let details: FormData = [
    "email_address": "New@Example.com", "password": "walk-right-in-42",
  ]

  @Test("an address and a password, and then the code, make an account")
  func signsUp() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.post("/v1/client/sign_ups", Self.details)
    #expect(begun.state == "missing_requirements")
    #expect(begun.resource?["required_fields"] == ["email_address", "password"])
    #expect(begun.resource?["optional_fields"] == [])
    #expect(begun.resource?["missing_fields"] == [])
    #expect(begun.resource?["unverified_fields"] == ["email_address"])
    #expect(begun.resource?["email_address"] == "new@example.com")
    let unprepared = begun.resource?["verifications"]?["email_address"]
    #expect(unprepared?["next_action"] == "needs_prepare")
    #expect(unprepared?["attempts"] == .null)
    #expect(unprepared?["expire_at"] == begun.resource?["abandon_at"])
    #expect(begun.client?["sign_up"]?["id"]?.string == begun.id)
    let prepared = try await client.prepareSignUp(begun.id)
    #expect(
      prepared.resource?["verifications"]?["email_address"]?["next_action"] == "needs_attempt"
    )
    let message = try #require(try await world.world.outbox.messages().first)
    #expect(message.purpose == .signUp)
    let token = client.token
    let done = try await client.attemptSignUp(begun.id, code: try #require(message.code))
    #expect(done.state == "complete")
    #expect(done.resource?["missing_fields"] == [])
    #expect(done.resource?["password_enabled"] == true)
    #expect(done.resource?["created_user_id"]?.string?.hasPrefix("user_") == true)
    #expect(done.client?["last_active_session_id"] == done.resource?["created_session_id"])
    #expect(done.client?["sessions"]?[0]?["status"] == "active")
    #expect(client.token != token)
    #expect(try await world.client().signIn("new@example.com").state == "complete")
    let again = try await client.attemptSignUp(begun.id, code: "1")
    #expect(again.refusal == "400 client_state_invalid")
  }

  @Test("a password that equals the identifier is refused, whichever comes first")
  func passwordIsIdentifier() async throws {
    for isPasswordFirst in [true, false] {
      let client = try TestWorld().client()
      let address: FormData = ["email_address": "Zoe12345@Example.com"]
      let password: FormData = ["password": "Zoe12345@Example.com"]
      let begun = try await client.post(
        "/v1/client/sign_ups",
        isPasswordFirst ? password : address
      )
      let path = "/v1/client/sign_ups/\(begun.id)"
      let refused = try await client.send(.patch, path, isPasswordFirst ? address : password)
      #expect(refused.refusal == "422 form_password_matches_identifier password")
      let other: FormData =
        isPasswordFirst ? ["email_address": "zoe@example.com"] : ["password": "walk-right-in-42"]
      let taken = try await client.send(.patch, path, other)
      #expect(taken.resource?["missing_fields"] == [])
    }
  }

  @Test(
    "a wrong, missing or expired code is refused, and the attempt stays",
    arguments: [
      "422 form_code_incorrect code", "400 verification_missing", "400 verification_expired",
    ]
  )
  func wrongCode(refusal: String) async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.post("/v1/client/sign_ups", Self.details)
    if refusal != "400 verification_missing" { try await client.prepareSignUp(begun.id) }
    if refusal == "400 verification_expired" { try world.world.clock.advance(600) }
    let answer = try await client.attemptSignUp(begun.id, code: "x")
    #expect(answer.refusal == refusal)
    #expect(answer.client?["sign_up"]?["id"]?.string == begun.id)
  }

  @Test("after five wrong codes another code is sent at once; otherwise resending must wait")
  func tries() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.post("/v1/client/sign_ups", Self.details)
    try await client.prepareSignUp(begun.id)
    for _ in 0..<5 { try await client.attemptSignUp(begun.id, code: "x") }
    let code = try await world.code(to: "new@example.com")
    #expect(
      try await client.attemptSignUp(begun.id, code: code).refusal == "400 verification_failed"
    )
    #expect(try await client.prepareSignUp(begun.id).status == 200)
    let early = try await client.prepareSignUp(begun.id)
    #expect(early.refusal == "429 verification_code_too_many_requests")
    #expect(early.fields[.retryAfter] == "30")
    let fresh = try await world.code(to: "new@example.com")
    #expect(try await client.attemptSignUp(begun.id, code: fresh).state == "complete")
  }

  @Test(
    "errors are reported at each field, in order",
    arguments: [
      (["email_address": "ada@example.com"], ["form_identifier_exists email_address"]),
      (["email_address": "ada@"], ["form_param_format_invalid email_address"]),
      (["email_address": ""], ["form_param_nil email_address"]),
      (["password": ""], ["form_param_nil password"]),
      (["password": "short"], ["form_password_length_too_short password"]),
      (["password": "hunter2hunter2"], ["form_password_pwned password"]),
      (["username": "kurt"], ["form_identifier_exists username"]),
      (["username": "k"], ["form_username_invalid_length username"]),
      (["username": "k u r t"], ["form_username_invalid_character username"]),
      (["username": "12345"], ["form_username_needs_non_number_char username"]),
      (["username": "1234 "], ["form_username_needs_non_number_char username"]),
      (["username": " ab "], ["form_username_invalid_length username"]),
      (
        ["unsafe_metadata": #"{"x":"\#(String(repeating: "y", count: 9000))"}"#],
        ["form_param_exceeds_allowed_size unsafe_metadata"]
      ),
      (["phone_number": "12015550199"], ["form_param_format_invalid phone_number"]),
      (["phone_number": "+12015550123"], ["form_identifier_exists phone_number"]),
      (["first_name": "N"], ["form_param_unknown first_name"]),
      (["strategy": "carrier_pigeon"], ["form_param_value_invalid strategy"]),
      (["strategy": "totp"], ["form_param_value_invalid strategy"]),
      (["strategy": "email_code"], ["form_conditional_param_missing email_address"]),
      (["strategy": "phone_code"], ["form_conditional_param_missing phone_number"]),
      (
        ["password": "short", "email_address": "nope", "username": "k"],
        [
          "form_param_format_invalid email_address", "form_username_invalid_length username",
          "form_password_length_too_short password",
        ]
      ),
      (
        ["email_address": "new@example.com", "password": "new@example.com"],
        ["form_password_matches_identifier password"]
      ),
    ] as [([String: String], [String])]
  )
  func refuses(fields: [String: String], expected: [String]) async throws {
    let client = try TestWorld().client()
    let form = FormData(fields.map { FormData.Field(name: $0.key, value: $0.value) })
    let answer = try await client.post("/v1/client/sign_ups", form)
    #expect(answer.status == 422)
    let problems = answer.json["errors"]?.array?.map {
      "\($0["code"]?.string ?? "") \($0["meta"]?["param_name"]?.string ?? "")"
    }
    #expect(problems == expected)
    #expect(client.token == nil)
  }

  @Test("fields that are missing can be given later")
  func continues() async throws {
    let world = try TestWorld { $0.names = .required }
    let client = world.client()
    let begun = try await client.post("/v1/client/sign_ups", ["email_address": "new@example.com"])
    #expect(begun.resource?["missing_fields"] == ["password", "first_name", "last_name"])
    try await client.prepareSignUp(begun.id)
    let code = try await world.code(to: "new@example.com")
    let verified = try await client.attemptSignUp(begun.id, code: code)
    #expect(verified.state == "missing_requirements")
    #expect(verified.resource?["unverified_fields"] == [])
    #expect(verified.resource?["verifications"]?["email_address"]?["next_action"] == "")
    let blank = try await client.send(
      .patch,
      "/v1/client/sign_ups/\(begun.id)",
      ["password": "walk-right-in-42", "first_name": " ", "last_name": "\u{A0}"]
    )
    #expect(blank.codes == ["form_param_nil", "form_param_nil"])
    let done = try await client.send(
      .patch,
      "/v1/client/sign_ups/\(begun.id)",
      ["password": "walk-right-in-42", "first_name": "Noor", "last_name": "O'Neill 🗝"]
    )
    #expect(done.state == "complete")
    let user = try await client.get("/v1/me").resource
    #expect(user?["last_name"] == "O'Neill 🗝")
  }

  @Test("a changed address must be verified again", arguments: [HTTPRequest.Method.patch, .post])
  func changesAddress(method: HTTPRequest.Method) async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.post("/v1/client/sign_ups", Self.details)
    try await client.prepareSignUp(begun.id)
    let old = try await world.code(to: "new@example.com")
    let override = method == .post ? "?_method=PATCH" : ""
    let changed = try await client.send(
      method,
      "/v1/client/sign_ups/\(begun.id)\(override)",
      ["email_address": "other@example.com"]
    )
    #expect(changed.resource?["verifications"]?["email_address"]?["next_action"] == "needs_prepare")
    #expect(
      try await client.attemptSignUp(begun.id, code: old).refusal == "400 verification_missing"
    )
    try await client.prepareSignUp(begun.id)
    let code = try await world.code(to: "other@example.com")
    #expect(try await client.attemptSignUp(begun.id, code: code).state == "complete")
  }

  @Test("phone and address are both verified if both are required")
  func phone() async throws {
    let world = try TestWorld { $0.phone = .required }
    let client = world.client()
    let begun = try await client.post(
      "/v1/client/sign_ups",
      FormData(Self.details.fields + [.init(name: "phone_number", value: "+12015550177")])
    )
    #expect(begun.resource?["unverified_fields"] == ["email_address", "phone_number"])
    try await client.prepareSignUp(begun.id)
    try await client.attemptSignUp(begun.id, code: world.code(to: "new@example.com"))
    try await client.prepareSignUp(begun.id, "phone_code")
    let done = try await client.attemptSignUp(begun.id, "phone_code", code: "424242")
    #expect(done.state == "complete")
    #expect(try await world.client().signIn("+12015550177").state == "complete")
  }

  @Test("terms must be accepted if the instance asks for it")
  func legal() async throws {
    let client = try TestWorld { $0.legalConsent = true }.client()
    let begun = try await client.post("/v1/client/sign_ups", Self.details)
    #expect(begun.resource?["missing_fields"] == ["legal_accepted"])
    let path = "/v1/client/sign_ups/\(begun.id)"
    let refused = try await client.send(.patch, path, ["legal_accepted": "false"])
    #expect(refused.refusal == "422 legal_not_accepted legal_accepted")
    let accepted = try await client.send(.patch, path, ["legal_accepted": "1"])
    #expect(accepted.resource?["missing_fields"] == [])
    #expect(accepted.resource?["legal_accepted_at"]?.integer != nil)
  }

  @Test(
    "sign-ups are refused while they are closed",
    arguments: [
      (InstanceSettings.SignUpMode.restricted, "403 sign_up_mode_restricted"),
      (.waitlist, "403 sign_up_restricted_waitlist"),
    ]
  )
  func closed(mode: InstanceSettings.SignUpMode, refusal: String) async throws {
    let client = try TestWorld { $0.signUpMode = mode }.client()
    #expect(try await client.post("/v1/client/sign_ups", Self.details).refusal == refusal)
  }

  @Test("a body with a fixed list of parameters refuses any other")
  func closedBodies() async throws {
    let client = try TestWorld().client()
    let begun = try await client.post("/v1/client/sign_ups", Self.details)
    let path = "/v1/client/sign_ups/\(begun.id)"
    let form: FormData = ["strategy": "email_code", "code": "1", "locale": "en"]
    #expect(
      try await client.post("\(path)/attempt_verification", form).refusal
        == "422 form_param_unknown locale"
    )
    let withChannel: FormData = ["strategy": "email_code", "channel": "sms"]
    #expect(try await client.post("\(path)/prepare_verification", withChannel).status == 200)
  }

  @Test("a day without a step abandons the attempt")
  func abandoned() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.post("/v1/client/sign_ups", Self.details)
    try world.world.clock.advance(86_400)
    #expect(
      try await client.get("/v1/client/sign_ups/\(begun.id)").refusal == "404 resource_not_found"
    )
  }

  @Test("of several sign-ups with one address, only one succeeds")
  func parallel() async throws {
    let world = try TestWorld()
    let emulator = world.emulator
    var attempts: [(token: String?, id: String, code: String)] = []
    for _ in 0..<8 {
      let client = world.client()
      let begun = try await client.post("/v1/client/sign_ups", Self.details)
      try await client.prepareSignUp(begun.id)
      attempts.append((client.token, begun.id, try await world.code(to: "new@example.com")))
    }
    let answers = try await withThrowingTaskGroup(of: (Int, String?).self) { group in
      for attempt in attempts {
        group.addTask {
          let client = ScriptedClient(emulator: emulator)
          client.token = attempt.token
          let answer = try await client.attemptSignUp(attempt.id, code: attempt.code)
          return (answer.status, answer.code)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.filter { $0.0 == 200 }.count == 1)
    #expect(answers.filter { $0.1 == "identification_claimed" }.count == 7)
    #expect(try await world.world.account(identifiedBy: "new@example.com") != nil)
  }

  @Test("an attempt of another client is not found")
  func foreign() async throws {
    let world = try TestWorld()
    let begun = try await world.client().post("/v1/client/sign_ups", Self.details)
    let other = world.client()
    try await other.post("/v1/client/sign_ups", ["email_address": "other@example.com"])
    let path = "/v1/client/sign_ups/\(begun.id)"
    #expect(try await other.get(path).refusal == "404 resource_not_found")
    #expect(
      try await other.send(.patch, path, ["password": "walk-right-in-43"]).refusal
        == "404 resource_not_found"
    )
    #expect(try await other.prepareSignUp(begun.id).refusal == "404 resource_not_found")
    #expect(try await world.messageCount() == 0)
  }

  @Test("a verified address gets no second code, and its link is not attempted by code")
  func verified() async throws {
    let world = try TestWorld { $0.names = .required }
    let client = world.client()
    let begun = try await client.post("/v1/client/sign_ups", Self.details)
    let link = try await client.attemptSignUp(begun.id, "email_link", code: "1")
    #expect(link.refusal == "422 form_param_value_invalid strategy")
    try await client.prepareSignUp(begun.id)
    try await client.attemptSignUp(begun.id, code: world.code(to: "new@example.com"))
    world.clock.advance(60)
    let again = try await client.prepareSignUp(begun.id)
    #expect(again.refusal == "400 verification_already_verified")
    #expect(try await world.messageCount() == 1)
  }

  @Test("an empty username is refused at its field")
  func emptyUsername() async throws {
    let client = try TestWorld().client()
    let answer = try await client.post("/v1/client/sign_ups", ["username": ""])
    #expect(answer.refusal == "422 form_param_nil username")
  }

  @Test("protection against enumeration hides who has an address, but not a username")
  func takenUsername() async throws {
    let client = try TestWorld { $0.enumerationProtection = true }.client()
    let address = try await client.post(
      "/v1/client/sign_ups",
      ["email_address": "ada@example.com"]
    )
    #expect(address.status == 200)
    let username = try await client.post("/v1/client/sign_ups", ["username": "kurt"])
    #expect(username.refusal == "422 form_identifier_exists username")
  }

  @Test("a name that may be left out may be blank, and is none then")
  func blankNames() async throws {
    let world = try TestWorld { $0.names = .optional }
    let client = world.client()
    let begun = try await client.post(
      "/v1/client/sign_ups",
      FormData(
        Self.details.fields + [
          .init(name: "first_name", value: " "), .init(name: "last_name", value: ""),
        ]
      )
    )
    #expect(begun.status == 200)
    #expect(begun.resource?["first_name"] == .null)
    #expect(begun.resource?["last_name"] == .null)
  }
}
