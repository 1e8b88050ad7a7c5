import Emulators
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("Signing in with a password")
struct PasswordSignInTests {
  @Test(
    "identifier and password in one step complete at once",
    arguments: ["ada@example.com", "ADA@Example.com", "+12015550110", "+1 (201) 555-0110"]
  )
  func oneStep(identifier: String) async throws {
    let client = try TestWorld().client()
    let answer = try await client.signIn(identifier)
    #expect(answer.status == 200)
    #expect(answer.state == "complete")
    let sessionID = answer.resource?["created_session_id"]
    #expect(sessionID?.string?.hasPrefix("sess_") == true)
    #expect(answer.client?["last_active_session_id"] == sessionID)
    #expect(answer.client?["sessions"]?[0]?["id"] == sessionID)
    #expect(answer.client?["sessions"]?[0]?["status"] == "active")
    #expect(answer.client?["sessions"]?[0]?["user"]?["first_name"] == "Ada")
    #expect(answer.client?["last_authentication_strategy"] == "password")
    #expect(answer.client?["sign_in"] == .null)
  }

  @Test("the identifier can be sent first, and the password after it")
  func twoSteps() async throws {
    let client = try TestWorld().client()
    let begun = try await client.begin("ada@example.com")
    #expect(begun.state == "needs_first_factor")
    #expect(begun.client?["sign_in"]?["id"]?.string == begun.id)
    let answer = try await client.attemptFirst(
      begun.id,
      "password",
      ["password": ScriptedClient.password]
    )
    #expect(answer.state == "complete")
  }

  @Test("a boolean that is empty, or neither true nor false, is refused")
  func flags() async throws {
    let client = try TestWorld().client()
    for (value, code) in [("", "form_param_nil"), ("maybe", "form_param_value_invalid")] {
      let answer = try await client.post("/v1/client/sign_ins", ["transfer": value])
      #expect(answer.refusal == "422 \(code) transfer")
    }
  }

  @Test("only what describes the instance answers HEAD")
  func head() async throws {
    let client = try TestWorld().client()
    for path in ["environment", "environment/", "health", "jwks"] {
      #expect(try await client.send(.head, "/v1/\(path)").status == 200, "\(path)")
    }
    for path in ["/.well-known/jwks.json", "/.well-known/openid-configuration"] {
      #expect(try await client.send(.head, path).status == 200, "\(path)")
    }
    // Mail programs look at a link with HEAD before anybody opens it.
    #expect(try await client.send(.head, "/v1/verify?token=x").status == 501)
  }

  @Test("a sign-in without parameters begins an attempt that needs an identifier")
  func empty() async throws {
    let client = try TestWorld().client()
    let answer = try await client.post("/v1/client/sign_ins")
    #expect(answer.state == "needs_identifier")
    #expect(answer.resource?["supported_first_factors"] == .null)
    #expect(answer.resource?["client_trust_state"] == "pending")
  }

  @Test("a wrong password is refused at its field and the attempt stays")
  func wrongPassword() async throws {
    let client = try TestWorld().client()
    let answer = try await client.signIn("ada@example.com", password: "wrong")
    #expect(answer.refusal == "422 form_password_incorrect password")
    #expect(answer.client?["sign_in"]?["status"] == "needs_first_factor")
    #expect(client.token != nil)
    let id = try #require(answer.client?["sign_in"]?["id"]?.string)
    let retried = try await client.attemptFirst(
      id,
      "password",
      ["password": ScriptedClient.password]
    )
    #expect(retried.state == "complete")
  }

  @Test(
    "an identifier that nobody has leaves nothing behind",
    arguments: ["nobody@example.com", "+12015550199", "nobody", "+12015550123"]
  )
  func unknown(identifier: String) async throws {
    let client = try TestWorld().client()
    let answer = try await client.begin(identifier)
    #expect(answer.refusal == "422 form_identifier_not_found identifier")
    #expect(answer.client == nil)
    #expect(client.token == nil)
  }

  @Test(
    "text that cannot be an identifier is refused at its field",
    arguments: [
      ("ada@", "form_param_format_invalid"), ("@example.com", "form_param_format_invalid"),
      ("ada@example", "form_param_format_invalid"),
      ("a b@example.com", "form_param_format_invalid"),
      ("ada@@example.com", "form_param_format_invalid"), ("+12", "form_param_format_invalid"),
      ("", "form_param_nil"), ("  ", "form_param_nil"),
    ]
  )
  func malformed(identifier: String, code: String) async throws {
    let client = try TestWorld().client()
    let answer = try await client.signIn(identifier)
    #expect(answer.refusal == "422 \(code) identifier")
  }

  @Test("a typed contact comes first and unmasked, others are masked")
  func factors() async throws {
    let client = try TestWorld().client()
    let answer = try await client.begin("ada@example.com")
    let factors = try #require(answer.resource?["supported_first_factors"]?.array)
    #expect(
      factors.map { $0["strategy"]?.string } == [
        "password", "email_code", "reset_password_email_code", "phone_code",
        "reset_password_phone_code",
      ]
    )
    #expect(factors[1]["safe_identifier"] == "ada@example.com")
    #expect(factors[3]["safe_identifier"] == "+*******0110")
    let byPhone = try await client.begin("+12015550110")
    let phoneFactors = try #require(byPhone.resource?["supported_first_factors"]?.array)
    #expect(phoneFactors[1]["safe_identifier"] == "a***@example.com")
    #expect(phoneFactors[3]["safe_identifier"] == "+12015550110")
    #expect(byPhone.resource?["identifier"] == "+12015550110")
  }

  @Test("an account without a password refuses one, and the attempt stays (cody)")
  func noPassword() async throws {
    let client = try TestWorld().client()
    let answer = try await client.signIn("cody@example.com")
    #expect(answer.refusal == "400 strategy_for_user_invalid")
    #expect(answer.client?["sign_in"]?["status"] == "needs_first_factor")
  }

  @Test("a banned account is refused (bann)")
  func banned() async throws {
    let client = try TestWorld().client()
    #expect(try await client.signIn("bann@example.com").refusal == "403 user_banned")
  }

  @Test("an enterprise account offers only its connection (sven)")
  func enterprise() async throws {
    let client = try TestWorld().client()
    let answer = try await client.begin("sven@example.com")
    let factors = answer.resource?["supported_first_factors"]?.array ?? []
    #expect(factors.map { $0["strategy"] } == ["enterprise_sso"])
    #expect(factors[0]["enterprise_connection_name"] == "example.com")
    #expect(try await client.signIn("sven@example.com").refusal == "400 strategy_for_user_invalid")
  }

  @Test("a client that is signed in is refused another sign-in and sent back to its session")
  func alreadySignedIn() async throws {
    let client = try TestWorld().client()
    let signedIn = try await client.signIn("ada@example.com")
    let answer = try await client.begin("mia@example.com")
    #expect(answer.refusal == "400 session_exists")
    #expect(
      answer.json["errors"]?[0]?["meta"]?["session_id"] == signedIn.resource?["created_session_id"]
    )
    #expect(answer.client?["last_active_session_id"] == signedIn.resource?["created_session_id"])
  }

  @Test("a completed attempt takes nothing more, and an older one is forbidden")
  func overAndOlder() async throws {
    let client = try TestWorld().client()
    let older = try await client.begin("ada@example.com")
    let newer = try await client.begin("ada@example.com")
    let form: FormData = ["password": ScriptedClient.password]
    #expect(
      try await client.attemptFirst(older.id, "password", form).refusal == "403 resource_forbidden"
    )
    #expect(try await client.attemptFirst(newer.id, "password", form).state == "complete")
    #expect(
      try await client.attemptFirst(newer.id, "password", form).refusal
        == "400 client_state_invalid"
    )
    #expect(
      try await client.attemptFirst("sia_x", "password", form).refusal == "404 resource_not_found"
    )
  }

  @Test("an attempt is abandoned after a day")
  func abandoned() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin("ada@example.com")
    #expect(try await client.get("/v1/client/sign_ins/\(begun.id)").state == "needs_first_factor")
    try world.world.clock.advance(86_400)
    #expect(
      try await client.get("/v1/client/sign_ins/\(begun.id)").refusal == "404 resource_not_found"
    )
    #expect(try await client.get("/v1/client").client?["sign_in"] == .null)
  }

  @Test(
    "a new attempt that lacks a value says which",
    arguments: [
      (
        ["password": "x"], "422 form_conditional_param_missing identifier",
        "identifier is required together with password."
      ),
      (
        ["strategy": "password"], "422 form_conditional_param_missing identifier",
        "identifier is required together with password."
      ),
      (
        ["strategy": "email_code"], "422 form_conditional_param_missing identifier",
        "identifier is required together with strategy."
      ),
      (
        ["identifier": "ada@example.com", "strategy": "password"],
        "422 form_param_missing password", "password was not sent."
      ),
      (
        ["identifier": "ada@example.com", "password": ""], "422 form_param_nil password",
        "Enter a value for password."
      ),
    ] as [([String: String], String, String)]
  )
  func lacking(fields: [String: String], refusal: String, sentence: String) async throws {
    let client = try TestWorld().client()
    let form = FormData(fields.map { FormData.Field(name: $0.key, value: $0.value) })
    let answer = try await client.post("/v1/client/sign_ins", form)
    #expect(answer.refusal == refusal)
    #expect(answer.json["errors"]?[0]?["long_message"]?.string == sentence)
  }

  @Test("an account without a connection cannot be sent to an organization's page")
  func notEnterprise() async throws {
    let client = try TestWorld().client()
    let begun = try await client.begin("ada@example.com")
    let sent = try await client.prepareFirst(
      begun.id,
      "enterprise_sso",
      ["redirect_url": "app://open"]
    )
    #expect(sent.refusal == "400 strategy_for_user_invalid")
    let read = try await client.get("/v1/client/sign_ins/\(begun.id)")
    #expect(read.resource?["first_factor_verification"] == .null)
  }

  @Test("no code is compared with a password that was tried")
  func codeAfterPassword() async throws {
    let client = try TestWorld().client()
    let begun = try await client.begin("ada@example.com")
    try await client.attemptFirst(begun.id, "password", ["password": "wrong"])
    let early = try await client.attemptFirst(begun.id, "email_code", ["code": "1"])
    #expect(early.refusal == "400 verification_missing")
  }
}
