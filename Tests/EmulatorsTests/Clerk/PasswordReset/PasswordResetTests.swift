import Emulators
import HTTPExchange
import HTTPTypes
import Testing

@Suite("Password reset, compromised and leaked passwords")
struct PasswordResetTests {
  private func reset(
    _ identifier: String,
    _ strategy: String = "reset_password_email_code",
    in world: TestWorld,
    _ client: ScriptedClient
  ) async throws -> String {
    let begun = try await client.begin(identifier)
    let prepared = try await client.prepareFirst(begun.id, strategy)
    #expect(prepared.state == "needs_first_factor")
    let message = try #require(try await world.world.outbox.messages().first)
    #expect(message.purpose == .resetPassword)
    let code = try #require(message.code)
    let verified = try await client.attemptFirst(begun.id, strategy, ["code": code])
    #expect(verified.state == "needs_new_password")
    return begun.id
  }

  @Test(
    "a code lets one set a new password, which then counts",
    arguments: [
      ("ada@example.com", "reset_password_email_code"),
      ("+12015550110", "reset_password_phone_code"),
    ]
  )
  func resets(identifier: String, strategy: String) async throws {
    let world = try TestWorld()
    let client = world.client()
    let id = try await reset(identifier, strategy, in: world, client)
    let answer = try await client.post(
      "/v1/client/sign_ins/\(id)/reset_password",
      ["password": "a new and better one", "sign_out_of_other_sessions": "1"]
    )
    #expect(answer.state == "complete")
    #expect(answer.resource?["first_factor_verification"]?["strategy"] == .string(strategy))
    let other = world.client()
    #expect(try await other.signIn(identifier).code == "form_password_incorrect")
    #expect(
      try await other.signIn(identifier, password: "a new and better one").state == "complete"
    )
  }

  @Test("with a second factor, the password is set first and the factor asked for after it")
  func resetWithSecondFactor() async throws {
    let world = try TestWorld()
    let client = world.client()
    let id = try await reset("mia@example.com", in: world, client)
    let answer = try await client.post(
      "/v1/client/sign_ins/\(id)/reset_password",
      ["password": "a new and better one"]
    )
    #expect(answer.state == "needs_second_factor")
    #expect(
      answer.resource?["first_factor_verification"]?["strategy"] == "reset_password_email_code"
    )
    let done = try await client.attemptSecond(id, "totp", code: world.authenticatorCode())
    #expect(done.state == "complete")
  }

  @Test("an attempt that has proven the old password ends at a reset; other attempts go on")
  func attemptsOfOldPassword() async throws {
    let world = try TestWorld()
    func backupCode(_ number: Int) -> String { "mia-0000-000\(number)" }
    let (old, coded, other) = (world.client(), world.client(), world.client())
    let proven = try await old.signIn("mia@example.com").id
    let byCode = try await coded.begin("mia@example.com", ["strategy": "email_code"]).id
    let code = try await world.code(to: "mia@example.com")
    let passed = try await coded.attemptFirst(byCode, "email_code", ["code": code])
    #expect(passed.state == "needs_second_factor")
    let foreign = try await other.signIn("ezra@example.com").id

    let client = world.client()
    let id = try await reset("mia@example.com", in: world, client)
    let set = try await client.post(
      "/v1/client/sign_ins/\(id)/reset_password",
      ["password": "a new and better one"]
    )
    #expect(set.state == "needs_second_factor")
    let late = try await old.attemptSecond(proven, "backup_code", code: backupCode(1))
    #expect(late.refusal == "404 resource_not_found")
    for (client, id, number) in [(client, id, 2), (coded, byCode, 3)] {
      let done = try await client.attemptSecond(id, "backup_code", code: backupCode(number))
      #expect(done.state == "complete")
    }
    #expect(try await other.prepareSecond(foreign, "email_code").status == 200)

    // The same holds when somebody who is signed in changes it.
    let again = try await old.signIn("mia@example.com", password: "a new and better one").id
    let changed = try await client.post(
      "/v1/me/change_password",
      ["new_password": "one better than that", "current_password": "a new and better one"]
    )
    #expect(changed.status == 200)
    let later = try await old.attemptSecond(again, "backup_code", code: backupCode(4))
    #expect(later.refusal == "404 resource_not_found")
  }

  @Test("a code and a new password can come in one step")
  func oneStep() async throws {
    let world = try TestWorld()
    let client = world.client()
    let strategy = "reset_password_email_code"
    let begun = try await client.begin("ada@example.com", ["strategy": "\(strategy)"])
    let code = try await world.code(to: "ada@example.com")
    let answer = try await client.attemptFirst(
      begun.id,
      strategy,
      ["code": code, "password": "a new and better one"]
    )
    #expect(answer.state == "complete")
  }

  @Test("other sessions end if asked", arguments: ["true", "false"])
  func endsOthers(flag: String) async throws {
    let world = try TestWorld()
    let other = world.client()
    _ = try await other.signIn("ada@example.com")
    let client = world.client()
    let id = try await reset("ada@example.com", in: world, client)
    try await client.post(
      "/v1/client/sign_ins/\(id)/reset_password",
      ["password": "a new and better one", "sign_out_of_other_sessions": flag]
    )
    let status = try await other.get("/v1/client").client?["sessions"]?[0]?["status"]
    #expect(status == (flag == "true" ? "revoked" : "active"))
    #expect(try await other.get("/v1/me").status == (flag == "true" ? 401 : 200))
  }

  @Test("an account that is banned before its new password is set keeps its password and sessions")
  func banned() async throws {
    let world = try TestWorld()
    let other = world.client()
    _ = try await other.signIn("ada@example.com")
    let client = world.client()
    let id = try await reset("ada@example.com", in: world, client)
    let path = "/v1/client/sign_ins/\(id)/reset_password"
    let form: FormData = [
      "password": "a new and better one", "sign_out_of_other_sessions": "true",
    ]
    _ = try await world.world.change("user_ada", ["banned": true])
    #expect(try await client.post(path, form).refusal == "403 user_banned")
    _ = try await world.world.change("user_ada", ["banned": false])
    #expect(try await other.get("/v1/me").status == 200)
    #expect(try await world.client().signIn("ada@example.com").state == "complete")
    #expect(try await client.post(path, form).state == "complete")
  }

  @Test(
    "a password that breaks a rule is refused and the step stays",
    arguments: [
      ("short", ["form_password_length_too_short"]),
      (String(repeating: "a", count: 73), ["form_password_length_too_long"]),
      ("alllowercase", ["form_password_no_uppercase", "form_password_no_number"]),
      ("ADA@Example.com1", nil),
      ("Password123", ["form_password_pwned"]),
      ("Walk-right-in-43", nil),
      // Characters of four bytes: 71 bytes and 75.
      ("Aa1" + String(repeating: "\u{1D4B3}", count: 17), nil),
      (
        "Aa1" + String(repeating: "\u{1D4B3}", count: 18), ["form_password_size_in_bytes_exceeded"]
      ),
      // The bytes are counted before the kinds of characters.
      (String(repeating: "é", count: 40), ["form_password_size_in_bytes_exceeded"]),
    ] as [(String, [String]?)]
  )
  func rules(password: String, codes: [String]?) async throws {
    let world = try TestWorld { $0.passwordRequire = [.upper, .lower, .number] }
    let client = world.client()
    let id = try await reset("ada@example.com", in: world, client)
    let answer = try await client.post(
      "/v1/client/sign_ins/\(id)/reset_password",
      ["password": password]
    )
    guard let codes else {
      #expect(answer.state == "complete")
      return
    }
    #expect(answer.codes == codes)
    #expect(answer.parameter == "password")
    #expect(answer.client?["sign_in"]?["status"] == "needs_new_password")
  }

  @Test(
    "a special character counts as one, even with a combining mark",
    arguments: ["quixotic9zz!", "quixotic9zz!\u{301}", "quixotic9zz"]
  )
  func special(password: String) async throws {
    let world = try TestWorld { $0.passwordRequire = [.special] }
    let client = world.client()
    let id = try await reset("ada@example.com", in: world, client)
    let answer = try await client.post(
      "/v1/client/sign_ins/\(id)/reset_password",
      ["password": password]
    )
    if password.utf8.contains(UInt8(ascii: "!")) {
      #expect(answer.state == "complete")
    } else {
      #expect(answer.codes == ["form_password_no_special_char"])
    }
  }

  @Test("a password that has to be replaced is not replaced by itself", arguments: ["pia", "cora"])
  func replaces(name: String) async throws {
    let world = try TestWorld()
    let client = world.client()
    let id = try await reset("\(name)@example.com", in: world, client)
    let path = "/v1/client/sign_ins/\(id)/reset_password"
    let same = try await client.post(path, ["password": ScriptedClient.password])
    #expect(same.refusal == "422 form_password_pwned password")
    #expect(try await world.world.account("user_\(name)")?.passwordState != .ok)
    #expect(try await client.post(path, ["password": "a new and better one"]).state == "complete")
  }

  @Test("the address itself is refused as a password, and so are malformed forms")
  func moreRules() async throws {
    let world = try TestWorld()
    let client = world.client()
    let id = try await reset("ada@example.com", in: world, client)
    let path = "/v1/client/sign_ins/\(id)/reset_password"
    #expect(
      try await client.post(path, ["password": "Ada@example.com"]).code
        == "form_password_matches_identifier"
    )
    #expect(try await client.post(path, ["password": ""]).refusal == "422 form_param_nil password")
    #expect(try await client.post(path).refusal == "422 form_param_missing password")
    #expect(
      try await client.post(path, ["password": "long enough 1", "extra": "1"]).refusal
        == "422 form_param_unknown extra"
    )
    #expect(
      try await client.post(
        path,
        ["password": "long enough 1", "sign_out_of_other_sessions": "yes"]
      ).code == "form_param_value_invalid"
    )
  }

  @Test("a reset out of order is refused")
  func outOfOrder() async throws {
    let client = try TestWorld().client()
    let begun = try await client.begin("ada@example.com")
    let answer = try await client.post(
      "/v1/client/sign_ins/\(begun.id)/reset_password",
      ["password": "a new and better one"]
    )
    #expect(answer.refusal == "400 client_state_invalid")
  }

  @Test("a compromised password is refused; a code signs in instead, followed by a task (cora)")
  func compromised() async throws {
    let world = try TestWorld()
    let client = world.client()
    let answer = try await client.signIn("cora@example.com")
    #expect(answer.refusal == "422 form_password_compromised password")
    #expect(answer.client?["sign_in"]?["status"] == "needs_first_factor")
    let id = try #require(answer.client?["sign_in"]?["id"]?.string)
    try await client.prepareFirst(id, "email_code")
    let code = try await world.code(to: "cora@example.com")
    let done = try await client.attemptFirst(id, "email_code", ["code": code])
    #expect(done.state == "complete")
    #expect(done.client?["sessions"]?[0]?["status"] == "pending")
    #expect(done.client?["sessions"]?[0]?["tasks"] == [["key": "reset-password"]])
    try await resolvesTask(client)
    try await client.send(.delete, "/v1/client/sessions")
    #expect(
      try await client.signIn("cora@example.com", password: "a new and better one").state
        == "complete"
    )
  }

  @Test(
    "a right password that is refused takes the place of a wrong one, and is no attempt itself",
    arguments: ["cora", "pia"]
  )
  func noAttempt(name: String) async throws {
    let client = try TestWorld().client()
    let begun = try await client.begin("\(name)@example.com")
    for (password, shown) in [("wrong", "password"), (ScriptedClient.password, nil)]
      as [(String, String?)]
    {
      let refused = try await client.attemptFirst(begun.id, "password", ["password": password])
      #expect(refused.status == 422)
      let verification = refused.client?["sign_in"]?["first_factor_verification"]
      #expect(verification?["strategy"]?.string == shown, "\(refused)")
    }
  }

  @Test("without another way in, the session itself is pending (kurt)")
  func compromisedAlone() async throws {
    let client = try TestWorld().client()
    let answer = try await client.signIn("kurt")
    #expect(answer.state == "complete")
    #expect(answer.client?["sessions"]?[0]?["tasks"] == [["key": "reset-password"]])
    #expect(answer.client?["sessions"]?[0]?["public_user_data"]?["identifier"] == "kurt")
    try await resolvesTask(client)
  }

  private func resolvesTask(_ client: ScriptedClient) async throws {
    let weak = try await client.post("/v1/me/change_password", ["new_password": "short"])
    #expect(weak.refusal == "422 form_password_length_too_short new_password")
    let same = try await client.post(
      "/v1/me/change_password",
      ["new_password": ScriptedClient.password]
    )
    #expect(same.refusal == "422 form_new_password_matches_current new_password")
    let changed = try await client.post(
      "/v1/me/change_password",
      ["new_password": "a new and better one"]
    )
    #expect(changed.resource?["object"] == "user")
    let session = changed.client?["sessions"]?[0]
    #expect(session?["status"] == "active")
    #expect(session?["tasks"] == .null)
    let id = try #require(session?["id"]?.string)
    let touched = try await client.post(
      "/v1/client/sessions/\(id)/touch",
      ["active_organization_id": "", "intent": "select_session"]
    )
    #expect(touched.state == "active")
  }

  @Test("a leaked password is refused until it is reset (pia)")
  func leaked() async throws {
    let world = try TestWorld()
    let client = world.client()
    let answer = try await client.signIn("pia@example.com")
    #expect(answer.refusal == "422 form_password_pwned password")
    let id = try #require(answer.client?["sign_in"]?["id"]?.string)
    try await client.prepareFirst(id, "reset_password_email_code")
    let code = try await world.code(to: "pia@example.com")
    try await client.attemptFirst(id, "reset_password_email_code", ["code": code])
    let done = try await client.post(
      "/v1/client/sign_ins/\(id)/reset_password",
      ["password": "a new and better one"]
    )
    #expect(done.state == "complete")
    #expect(done.client?["sessions"]?[0]?["status"] == "active")
  }
}
