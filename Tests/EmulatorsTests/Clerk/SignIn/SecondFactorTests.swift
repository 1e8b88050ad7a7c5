import Emulators
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("Second factor and trusting a device")
struct SecondFactorTests {
  private func needsSecondFactor(_ name: String, _ client: ScriptedClient) async throws -> String {
    let answer = try await client.signIn("\(name)@example.com")
    #expect(answer.state == "needs_second_factor")
    #expect(answer.resource?["first_factor_verification"]?["status"] == "verified")
    return answer.id
  }

  @Test("the account's second factors are offered after the first (mia)")
  func offers() async throws {
    let client = try TestWorld().client()
    let begun = try await client.begin("mia@example.com")
    #expect(begun.resource?["supported_second_factors"] == .null)
    let answer = try await client.signIn("mia@example.com")
    let factors = try #require(answer.resource?["supported_second_factors"]?.array)
    #expect(factors.map { $0["strategy"] } == ["totp", "backup_code", "phone_code"])
    #expect(factors[2]["safe_identifier"] == "+*******0123")
    #expect(factors[2]["default"] == true)
  }

  @Test(
    "a mailed link is a second factor, or trusts a device, if the instance has links",
    arguments: [("ezra", "needs_second_factor"), ("nia", "needs_client_trust")]
  )
  func link(name: String, status: String) async throws {
    let world = try TestWorld { $0.emailLink = true }
    let client = world.client()
    let begun = try await client.signIn("\(name)@example.com")
    #expect(begun.state == status)
    let factors = begun.resource?["supported_second_factors"]?.array ?? []
    #expect(factors.map { $0["strategy"] } == ["email_code", "email_link"])
    let sent = try await client.prepareSecond(
      begun.id,
      "email_link",
      ["redirect_url": "https://app.localhost/done"]
    )
    #expect(sent.state == status)
    #expect(sent.resource?["second_factor_verification"]?["strategy"] == "email_link")
    let message = try #require(
      try await world.world.outbox.latest(.init(to: "\(name)@example.com"))
    )
    let target = try #require(message.link).dropFirst("http://127.0.0.1:4010".count)
    let byCode = try await client.attemptSecond(begun.id, "email_link", code: "1")
    #expect(byCode.code == "strategy_for_user_invalid")
    let location = try #require(try await client.get(String(target)).fields[.location])
    #expect(location.hasPrefix("https://app.localhost/done?__clerk_status=verified&"))
    let done = try await client.get("/v1/client/sign_ins/\(begun.id)")
    #expect(done.state == "complete")
    #expect(done.resource?["second_factor_verification"]?["status"] == "verified")
  }

  @Test(
    "a code that was sent stays valid and the latest, whatever else is tried meanwhile",
    arguments: ["totp", "backup_code"]
  )
  func outlivesOthers(strategy: String) async throws {
    let world = try TestWorld()
    let client = world.client()
    let id = try await needsSecondFactor("mia", client)
    #expect(try await client.prepareSecond(id, "phone_code").status == 200)
    let code = try #require(try await world.world.outbox.messages().first?.code)
    let refused = try await client.attemptSecond(id, strategy, code: "000000")
    #expect(refused.code == "form_code_incorrect")
    let again = try await client.prepareSecond(id, "phone_code")
    #expect(again.refusal == "429 verification_code_too_many_requests")
    #expect(try await world.messageCount() == 1)
    #expect(try await client.attemptSecond(id, "phone_code", code: code).state == "complete")
  }

  @Test("the authenticator app signs in, one step early or late", arguments: [-1, 0, 1])
  func authenticator(step: Int64) async throws {
    let world = try TestWorld()
    let client = world.client()
    let id = try await needsSecondFactor("mia", client)
    let answer = try await client.attemptSecond(id, "totp", code: world.authenticatorCode(step))
    #expect(answer.state == "complete")
    #expect(answer.client?["sessions"]?[0]?["factor_verification_age"] == [0, 0])
    #expect(answer.resource?["second_factor_verification"]?["object"] == "verification_totp")
  }

  @Test("an authenticator code that is two steps off is wrong", arguments: [-2, 2])
  func authenticatorTooFar(step: Int64) async throws {
    let world = try TestWorld()
    let client = world.client()
    let id = try await needsSecondFactor("mia", client)
    let answer = try await client.attemptSecond(id, "totp", code: world.authenticatorCode(step))
    #expect(answer.refusal == "422 form_code_incorrect code")
    #expect(answer.client?["sign_in"]?["status"] == "needs_second_factor")
  }

  @Test("an authenticator code is accepted only once (RFC 6238, 5.2)")
  func authenticatorOnce() async throws {
    let world = try TestWorld()
    let code = try world.authenticatorCode()
    let first = world.client()
    let firstID = try await needsSecondFactor("mia", first)
    #expect(try await first.attemptSecond(firstID, "totp", code: code).state == "complete")
    let second = world.client()
    let secondID = try await needsSecondFactor("mia", second)
    let replayed = try await second.attemptSecond(secondID, "totp", code: code)
    #expect(replayed.refusal == "422 form_code_incorrect code")
    try world.world.clock.advance(30)
    let next = try await second.attemptSecond(secondID, "totp", code: world.authenticatorCode())
    #expect(next.state == "complete")
  }

  @Test("an authenticator code is accepted only once, even if the clock goes back to it")
  func authenticatorOnceInAnyOrder() async throws {
    let world = try TestWorld()
    func attempt(_ code: String) async throws -> Answer {
      let client = world.client()
      let id = try await needsSecondFactor("mia", client)
      return try await client.attemptSecond(id, "totp", code: code)
    }
    let code = try world.authenticatorCode()
    #expect(try await attempt(code).state == "complete")
    try world.world.clock.advance(-3600)
    #expect(try await attempt(world.authenticatorCode()).state == "complete")
    let earlier = try world.authenticatorCode()
    try world.world.clock.advance(3600)
    #expect(try await attempt(code).refusal == "422 form_code_incorrect code")
    try world.world.clock.advance(-3600)
    #expect(try await attempt(earlier).refusal == "422 form_code_incorrect code")
  }

  @Test("separators in a backup code do not count, whether in the stored code or as typed")
  func partedBackupCode() async throws {
    let world = try TestWorld()
    let codes: JSON = ["K3V9 q2xw", "ab.cd\u{2014}ef", "gh-ij", "--"]
    _ = try await world.world.change("user_mia", ["backup_codes": codes])
    for typed in ["k3v9q2xw", "AB cd-ef", "ghij"] {
      let client = world.client()
      let id = try await client.signIn("mia@example.com").id
      let empty = try await client.attemptSecond(id, "backup_code", code: "-")
      #expect(empty.refusal == "422 form_code_incorrect code")
      let done = try await client.attemptSecond(id, "backup_code", code: typed)
      #expect(done.state == "complete", "\(typed)")
    }
  }

  @Test("a backup code works only once")
  func backupCode() async throws {
    let world = try TestWorld()
    let first = world.client()
    let firstID = try await needsSecondFactor("mia", first)
    #expect(
      try await first.attemptSecond(firstID, "backup_code", code: "mia-0000-0001").state
        == "complete"
    )
    let second = world.client()
    let secondID = try await needsSecondFactor("mia", second)
    #expect(
      try await second.attemptSecond(secondID, "backup_code", code: "mia-0000-0001").refusal
        == "422 form_code_incorrect code"
    )
    #expect(
      try await second.attemptSecond(secondID, "backup_code", code: "mia-0000-0002").state
        == "complete"
    )
  }

  @Test("a text message must be asked for")
  func textMessage() async throws {
    let world = try TestWorld()
    let client = world.client()
    let id = try await needsSecondFactor("mia", client)
    let early = try await client.attemptSecond(id, "phone_code", code: "424242")
    #expect(early.refusal == "400 verification_missing")
    #expect(try await client.prepareSecond(id, "phone_code").status == 200)
    let message = try #require(try await world.world.outbox.messages().first)
    #expect(message.purpose == .secondFactor)
    #expect(message.to == "+12015550123")
    #expect(
      try await client.attemptSecond(id, "phone_code", code: "000000").code == "form_code_incorrect"
    )
    #expect(try await client.attemptSecond(id, "phone_code", code: "424242").state == "complete")
  }

  @Test("a second factor that the account does not have is refused")
  func notOffered() async throws {
    let world = try TestWorld()
    let client = world.client()
    let id = try await needsSecondFactor("mia", client)
    #expect(try await client.prepareSecond(id, "email_code").refusal == "400 no_second_factors")
    #expect(
      try await client.attemptSecond(id, "email_code", code: "1").refusal == "400 no_second_factors"
    )
    #expect(
      try await client.attemptSecond(id, "password", code: "1").refusal
        == "400 strategy_for_user_invalid"
    )
  }

  @Test("where phone numbers are off, no text is a second factor, and the others stay (mia)")
  func textsOff() async throws {
    let world = try TestWorld { $0.phone = .off }
    let client = world.client()
    let answer = try await client.signIn("mia@example.com")
    let factors = answer.resource?["supported_second_factors"]?.array ?? []
    #expect(factors.map { $0["strategy"] } == ["totp", "backup_code"])
    let sent = try await client.prepareSecond(answer.id, "phone_code")
    #expect(sent.refusal == "400 no_second_factors")
    let done = try await client.attemptSecond(answer.id, "backup_code", code: "mia-0000-0001")
    let session = try #require(done.resource?["created_session_id"]?.string)
    let path = "/v1/client/sessions/\(session)/verify"
    let begun = try await client.post(path, ["level": "second_factor"])
    let again = begun.resource?["supported_second_factors"]?.array ?? []
    #expect(again.map { $0["strategy"] } == ["totp", "backup_code"])
    #expect(try await world.messageCount() == 0)
  }

  @Test("an account with texts alone signs in without them where phone numbers are off")
  func onlyTextsOff() async throws {
    let world = try TestWorld()
    var texted = AccountDescription()
    texted.emailAddresses = ["texted@example.com"]
    texted.secondFactorPhoneNumbers = ["+12015550177"]
    texted.password = ScriptedClient.password
    _ = try await world.world.add(texted)
    let texts = try await world.client().signIn("texted@example.com")
    #expect(texts.state == "needs_second_factor")
    try world.world.settings.phone = .off
    let letIn = try await world.client().signIn("texted@example.com")
    #expect(letIn.state == "complete")
    let session = letIn.client?["sessions"]?[0]
    #expect(session?["user"]?["two_factor_enabled"] == false)
    #expect(session?["tasks"] == .null)
    // Where everybody needs a second factor, the account has to set up one that works.
    try world.world.settings.mfaRequired = true
    let asked = try await world.client().signIn("texted@example.com")
    #expect(asked.state == "complete")
    #expect(asked.client?["sessions"]?[0]?["tasks"] == [["key": "setup-mfa"]])
  }

  @Test("the email second factor is asked for at every sign-in (ezra)")
  func emailEveryTime() async throws {
    let world = try TestWorld()
    let client = world.client()
    for _ in 0..<2 {
      let id = try await needsSecondFactor("ezra", client)
      try await client.prepareSecond(id, "email_code")
      let code = try await world.code(to: "ezra@example.com")
      #expect(try await client.attemptSecond(id, "email_code", code: code).state == "complete")
      try await client.send(.delete, "/v1/client/sessions")
      try world.world.clock.advance(60)
    }
  }

  @Test("an account without an address is not asked for a code by email")
  func emailWithoutAddress() async throws {
    let world = try TestWorld()
    var solo = AccountDescription()
    solo.username = "solo"
    solo.password = ScriptedClient.password
    solo.emailSecondFactor = true
    let id = try #require(try await world.world.add(solo).id)
    #expect(try await world.client().signIn("solo").state == "complete")
    // An account that gets an address is asked, and one that loses it again is let in.
    _ = try await world.world.change(id, ["email_addresses": ["solo@example.com"]])
    #expect(try await world.client().signIn("solo").state == "needs_second_factor")
    _ = try await world.world.change(id, ["email_addresses": []])
    #expect(try await world.client().signIn("solo").state == "complete")
  }

  @Test("a code as first factor does not stand in for the second")
  func codeThenSecond() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin("mia@example.com", ["strategy": "email_code"])
    let code = try await world.code(to: "mia@example.com")
    let answer = try await client.attemptFirst(begun.id, "email_code", ["code": code])
    #expect(answer.state == "needs_second_factor")
  }

  @Test("a new device is trusted after a code, and then known (nia, 8.21)")
  func clientTrust() async throws {
    let world = try TestWorld()
    let client = world.client()
    let answer = try await client.signIn("nia@example.com")
    #expect(answer.state == "needs_client_trust")
    #expect(answer.resource?["client_trust_state"] == "new")
    #expect(answer.resource?["supported_second_factors"]?[0]?["strategy"] == "email_code")
    #expect(
      try await client.attemptSecond(answer.id, "email_code", code: "1").refusal
        == "400 verification_missing"
    )
    try await client.prepareSecond(answer.id, "email_code")
    let message = try #require(try await world.world.outbox.messages().first)
    #expect(message.purpose == .clientTrust)
    let code = try #require(message.code)
    #expect(try await client.attemptSecond(answer.id, "email_code", code: code).state == "complete")
    try await client.send(.delete, "/v1/client/sessions")
    let again = try await client.signIn("nia@example.com")
    #expect(again.state == "complete")
    #expect(again.resource?["client_trust_state"] == "known")
    try await client.send(.delete, "/v1/client")
    #expect(try await client.signIn("nia@example.com").state == "needs_client_trust")
  }

  @Test(
    "the instance may ask everyone to confirm a new device, under either name",
    arguments: [
      (InstanceSettings.ClientTrust.needsClientTrust, "needs_client_trust"),
      (.needsSecondFactor, "needs_second_factor"),
    ]
  )
  func trustSetting(setting: InstanceSettings.ClientTrust, status: String) async throws {
    let world = try TestWorld { $0.clientTrust = setting }
    let client = world.client()
    let answer = try await client.signIn("ada@example.com")
    #expect(answer.state == status)
    let strategies = answer.resource?["supported_second_factors"]?.array?.map { $0["strategy"] }
    #expect(strategies == ["email_code", "phone_code"])
    try await client.prepareSecond(answer.id, "email_code")
    let code = try await world.code(to: "ada@example.com")
    #expect(try await client.attemptSecond(answer.id, "email_code", code: code).state == "complete")
  }

  @Test("no first factor is sent to a person who has proven it")
  func firstFactorOver() async throws {
    let world = try TestWorld()
    let client = world.client()
    let id = try await needsSecondFactor("mia", client)
    #expect(try await client.prepareFirst(id, "email_code").refusal == "400 client_state_invalid")
    #expect(try await world.messageCount() == 0)
  }

  @Test("an account that is banned between its factors is refused, and keeps its backup code")
  func bannedMeanwhile() async throws {
    let world = try TestWorld()
    let client = world.client()
    let id = try await needsSecondFactor("mia", client)
    _ = try await world.world.change("user_mia", ["banned": true])
    let code = "mia-0000-0001"
    let refused = try await client.attemptSecond(id, "backup_code", code: code)
    #expect(refused.refusal == "403 user_banned")
    _ = try await world.world.change("user_mia", ["banned": false])
    #expect(try await client.attemptSecond(id, "backup_code", code: code).state == "complete")
  }

  @Test("an account that nothing can be sent to is trusted on a new device")
  func trustWithoutContact() async throws {
    let world = try TestWorld()
    var solo = AccountDescription()
    solo.username = "solo"
    solo.password = ScriptedClient.password
    solo.clientTrust = true
    _ = try await world.world.add(solo)
    #expect(try await world.client().signIn("solo").state == "complete")
  }
}
