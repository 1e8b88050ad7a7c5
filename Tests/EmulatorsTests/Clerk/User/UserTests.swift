import Emulators
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("The current user")
struct UserTests {
  private let world: TestWorld
  private let client: ScriptedClient

  init() throws {
    world = try TestWorld()
    client = world.client()
  }

  @Test("a username is set, changed, and found from then on")
  func username() async throws {
    try await client.signIn("ada@example.com")
    let set = try await client.send(.patch, "/v1/me", ["username": "Ada-L"])
    #expect(set.resource?["username"] == "ada-l")
    let changed = try await client.send(.patch, "/v1/me", ["username": "lovelace"])
    #expect(changed.resource?["username"] == "lovelace")
    #expect(try await world.client().signIn("lovelace").state == "complete")
    #expect(try await world.client().begin("ada-l").status == 422)
    let taken = try await client.send(.patch, "/v1/me", ["username": "kurt"])
    #expect(taken.refusal == "422 form_identifier_exists username")
    let short = try await client.send(.patch, "/v1/me", ["username": "a"])
    #expect(short.refusal == "422 form_username_invalid_length username")
    let removed = try await client.send(.patch, "/v1/me", ["username": ""])
    #expect(removed.resource?["username"] == .null)
  }

  @Test("a username that is the only identifier stays; blanks around a username do not count")
  func lastUsername() async throws {
    var solo = AccountDescription()
    solo.username = "solo"
    solo.password = ScriptedClient.password
    solo.secondFactorPhoneNumbers = ["+12015550177"]
    _ = try await world.world.add(solo)
    let signedIn = try await client.signIn("solo")
    try await client.prepareSecond(signedIn.id, "phone_code")
    let code = try await world.code(to: "+12015550177")
    #expect(
      try await client.attemptSecond(signedIn.id, "phone_code", code: code).state == "complete"
    )
    let removed = try await client.send(.patch, "/v1/me", ["username": ""])
    #expect(removed.refusal == "400 last_required_identification_deletion_failed")
    for (typed, code) in [
      ("5678 ", "form_username_needs_non_number_char"), (" ab ", "form_username_invalid_length"),
    ] {
      let answer = try await client.send(.patch, "/v1/me", ["username": typed])
      #expect(answer.refusal == "422 \(code) username")
    }
    let kept = try await client.send(.patch, "/v1/me", ["username": " solo-2 "])
    #expect(kept.resource?["username"] == "solo-2")
  }

  @Test("parameters that the call does not take are refused")
  func refuses() async throws {
    try await client.signIn("ada@example.com")
    let metadata = try await client.send(.patch, "/v1/me", ["unsafe_metadata": "{}"])
    #expect(metadata.refusal == "422 form_param_unknown unsafe_metadata")
    let password = try await client.send(.patch, "/v1/me", ["password": "x"])
    #expect(password.code == "updating_user_password_deprecated")
    let primary = try await client.send(.patch, "/v1/me", ["primary_email_address_id": "idn_x"])
    #expect(primary.refusal == "422 form_resource_not_found primary_email_address_id")
  }

  @Test("metadata is merged at every depth, and a null removes its key")
  func metadata() async throws {
    try await client.signIn("ada@example.com")
    func merge(_ text: String) async throws -> Answer {
      try await client.send(.patch, "/v1/me/metadata", ["unsafe_metadata": text])
    }
    _ = try await merge(#"{"a":{"b":1,"c":2},"d":3}"#)
    let merged = try await merge(#"{"a":{"b":null,"e":{"f":null}},"d":[4]}"#)
    #expect(merged.resource?["unsafe_metadata"] == ["a": ["c": 2, "e": [:]], "d": [4]])
    #expect(try await merge("[]").refusal == "422 form_param_value_invalid unsafe_metadata")
    #expect(try await merge("").refusal == "422 form_param_nil unsafe_metadata")
    // One letter to people, two names to JSON (RFC 8259, section 8.3).
    let alike = try await merge(#"{"\u00e9":1,"e\u0301":2}"#)
    let names = alike.resource?["unsafe_metadata"]?["\u{E9}"]
    #expect(names == 1 && alike.resource?["unsafe_metadata"]?["e\u{301}"] == 2)
    let large = #"{"x":"\#(String(repeating: "y", count: 9000))"}"#
    #expect(try await merge(large).code == "form_param_exceeds_allowed_size")
  }

  @Test("metadata can also be read and changed from outside")
  func metadataFromOutside() async throws {
    try await client.signIn("ada@example.com")
    let kept = try await client.send(
      .patch,
      "/v1/me/metadata",
      ["unsafe_metadata": #"{"plan":"pro"}"#]
    )
    #expect(kept.status == 200)
    #expect(try await world.world.account("user_ada")?.unsafeMetadata == ["plan": "pro"])
    _ = try await world.world.change("user_ada", ["first_name": "Augusta"])
    #expect(try await client.get("/v1/me").resource?["unsafe_metadata"] == ["plan": "pro"])
    _ = try await world.world.change("user_ada", ["unsafe_metadata": ["seats": 3]])
    #expect(try await client.get("/v1/me").resource?["unsafe_metadata"] == ["seats": 3])
  }

  @Test("a user shows when a second factor was switched on and off")
  func secondFactorTimes() async throws {
    try await client.signIn("ada@example.com")
    func times() async throws -> [JSON?] {
      let user = try await client.get("/v1/me").resource
      return [user?["mfa_enabled_at"], user?["mfa_disabled_at"]]
    }
    #expect(try await times() == [.null, .null])
    world.clock.advance(60)
    try await client.post("/v1/me/totp")
    world.clock.advance(60)
    let shown = try await world.world.authenticatorReading(of: "user_ada")
    let verified = try await client.post(
      "/v1/me/totp/attempt_verification",
      ["code": try #require(shown?.code)]
    )
    #expect(verified.resource?["created_at"] == 1_767_225_660_000)
    #expect(verified.resource?["updated_at"] == 1_767_225_720_000)
    #expect(try await times() == [1_767_225_720_000, .null])
    world.clock.advance(60)
    try await client.send(.delete, "/v1/me/totp")
    #expect(try await times() == [.null, 1_767_225_780_000])
  }

  @Test("codes by email count as a second factor only while the user has a verified address")
  func emailFactorTimes() async throws {
    var solo = AccountDescription()
    solo.username = "solo"
    solo.password = ScriptedClient.password
    solo.emailSecondFactor = true
    _ = try await world.world.add(solo)
    try await client.signIn("solo")
    func user() async throws -> [JSON?] {
      let user = try await client.get("/v1/me").resource
      return ["two_factor_enabled", "mfa_enabled_at", "mfa_disabled_at"].map { user?[$0] }
    }
    #expect(try await user() == [false, .null, .null])
    world.clock.advance(60)
    let added = try await client.post(
      "/v1/me/email_addresses",
      ["email_address": "solo@example.com"]
    )
    let path = "/v1/me/email_addresses/\(added.id)"
    try await client.post("\(path)/prepare_verification", ["strategy": "email_code"])
    #expect(try await user() == [false, .null, .null])
    let code = try await world.code(to: "solo@example.com")
    try await client.post("\(path)/attempt_verification", ["code": code])
    #expect(try await user() == [true, 1_767_225_660_000, .null])
    world.clock.advance(60)
    try await client.send(.delete, path)
    #expect(try await user() == [false, .null, 1_767_225_720_000])
  }

  @Test("an address shows how it was verified, and the last activity is given by the day")
  func proofs() async throws {
    try await client.signIn("ada@example.com")
    world.clock.advance(100)
    let seeded = try await client.get("/v1/me").resource
    #expect(seeded?["email_addresses"]?[0]?["verification"]?["strategy"] == "admin")
    #expect(seeded?["last_active_at"] == 1_767_225_600_000)
    let other = world.client()
    let begun = try await other.post(
      "/v1/client/sign_ups",
      ["email_address": "noor@example.com", "password": "a-good-new-password-7"]
    )
    try await other.prepareSignUp(begun.id)
    try await other.attemptSignUp(begun.id, code: "000000")
    try await other.attemptSignUp(begun.id, code: try await world.code(to: "noor@example.com"))
    let proof = try await other.get("/v1/me").resource?["email_addresses"]?[0]?["verification"]
    #expect(proof?["object"] == "verification_otp")
    #expect(proof?["attempts"] == 2)
    #expect(proof?["expire_at"] == 1_767_226_300_000)
  }

  @Test("a user's sessions on all clients are listed")
  func sessions() async throws {
    try await client.signIn("ada@example.com")
    let other = world.client()
    let made = try await other.signIn("ada@example.com")
    let session = try #require(made.resource?["created_session_id"]?.string)
    try await other.post("/v1/client/sessions/\(session)/end")
    let all = try await client.get("/v1/me/sessions")
    #expect(all.json.array?.compactMap { $0["status"]?.string }.sorted() == ["active", "ended"])
    #expect(try await client.get("/v1/me/sessions/active").json.array?.count == 1)
  }

  @Test("an account is deleted by its owner")
  func deletes() async throws {
    try await client.signIn("ada@example.com")
    let gone = try await client.send(.delete, "/v1/me")
    #expect(gone.resource?["deleted"] == true)
    #expect(gone.client?["sessions"] == [])
    #expect(try await client.begin("ada@example.com").code == "form_identifier_not_found")
  }

  @Test("the waiting list takes an address once, and only while the instance has a waiting list")
  func waitlist() async throws {
    let form: FormData = ["email_address": "Wait@Example.com"]
    #expect(
      try await client.post("/v1/waitlist", form).refusal == "403 waitlist_not_accepting_entries"
    )
    try world.world.settings.signUpMode = .waitlist
    let first = try await client.post("/v1/waitlist", form)
    #expect(first.json["object"] == "waitlist_entry")
    #expect(try await client.post("/v1/waitlist", form).json == first.json)
    let bad = try await client.post("/v1/waitlist", ["email_address": "x"])
    #expect(bad.refusal == "422 form_param_format_invalid email_address")
  }

  @Test("a username may be written anew by its owner")
  func sameUsername() async throws {
    try await client.signIn("ada@example.com")
    try await client.send(.patch, "/v1/me", ["username": "lovelace"])
    let again = try await client.send(.patch, "/v1/me", ["username": "Lovelace"])
    #expect(again.status == 200)
    #expect(again.resource?["username"] == "lovelace")
  }

  @Test(
    "whether a username can be changed or removed follows the settings",
    arguments: [
      (
        InstanceSettings.Attribute.off, "422 form_param_unknown username",
        "422 form_param_unknown username"
      ),
      (.required, "200 -", "422 form_param_nil username"),
      (.optional, "200 -", "200 -"),
    ]
  )
  func usernameSetting(
    setting: InstanceSettings.Attribute,
    change: String,
    removal: String
  ) async throws {
    try await client.signIn("ada@example.com")
    try world.world.settings.username = setting
    let changed = try await client.send(.patch, "/v1/me", ["username": "lovelace"])
    #expect(changed.refusal == change)
    let removed = try await client.send(.patch, "/v1/me", ["username": ""])
    #expect(removed.refusal == removal)
  }

  @Test("a number of the second factor cannot become the primary one")
  func primaryPhone() async throws {
    let begun = try await client.signIn("mia@example.com")
    try await client.attemptSecond(begun.id, "backup_code", code: "mia-0000-0001")
    let phone = try await client.get("/v1/me/phone_numbers").json[0]?["id"]?.string
    let id = try #require(phone)
    let primary = try await client.send(.patch, "/v1/me", ["primary_phone_number_id": id])
    #expect(primary.refusal == "422 form_resource_not_found primary_phone_number_id")
  }

  @Test("a wallet cannot be made primary, which is said")
  func wallets() async throws {
    try await client.signIn("ada@example.com")
    let answer = try await client.send(.patch, "/v1/me", ["primary_web3_wallet_id": "idn_x"])
    #expect(answer.refusal == "501 emulator_not_implemented")
  }

  @Test("a contact is found only by its own kind, and by its owner")
  func contacts() async throws {
    try await client.signIn("ada@example.com")
    let address = try await client.get("/v1/me/email_addresses").json[0]?["id"]?.string
    let phone = try await client.get("/v1/me/phone_numbers").json[0]?["id"]?.string
    let addressID = try #require(address)
    let phoneID = try #require(phone)
    let unverified = try await client.post(
      "/v1/me/email_addresses",
      ["email_address": "two@example.com"]
    )
    #expect(try await client.get("/v1/me/email_addresses/\(addressID)").status == 200)
    for path in [
      "email_addresses/\(phoneID)", "phone_numbers/\(addressID)",
      "phone_numbers/\(unverified.id)",
    ] {
      #expect(try await client.get("/v1/me/\(path)").refusal == "404 resource_not_found")
      #expect(try await client.send(.delete, "/v1/me/\(path)").refusal == "404 resource_not_found")
    }
    let other = world.client()
    try await other.signIn("otto@example.com")
    for path in ["email_addresses/\(addressID)", "phone_numbers/\(phoneID)"] {
      #expect(try await other.get("/v1/me/\(path)").refusal == "404 resource_not_found")
      #expect(try await other.send(.delete, "/v1/me/\(path)").refusal == "404 resource_not_found")
    }
    #expect(try await client.get("/v1/me/email_addresses").json.array?.count == 2)
    #expect(try await client.get("/v1/me/phone_numbers").json.array?.count == 1)
  }

  @Test("an instance without phone numbers takes none")
  func phonesOff() async throws {
    try await client.signIn("ada@example.com")
    try world.world.settings.phone = .off
    let refused = try await client.post(
      "/v1/me/phone_numbers",
      ["phone_number": "+12015557788"]
    )
    #expect(refused.refusal == "400 form_param_value_disabled phone_number")
  }

  @Test("ten contacts may wait for their verification, and no more")
  func tooMany() async throws {
    try await client.signIn("ada@example.com")
    func add(_ index: Int) async throws -> Answer {
      try await client.post(
        "/v1/me/email_addresses",
        ["email_address": "ada\(index)@example.com"]
      )
    }
    var last = try await add(0)
    for index in 1..<10 { last = try await add(index) }
    #expect(last.status == 200)
    #expect(try await add(10).refusal == "400 too_many_unverified_identifications")
    try await client.send(.delete, "/v1/me/email_addresses/\(last.id)")
    #expect(try await add(10).status == 200)
  }
}

@Suite("The addresses of the current user")
struct EmailAddressTests {
  private let world: TestWorld
  private let client: ScriptedClient

  init() throws {
    world = try TestWorld()
    client = world.client()
  }

  @Test("an address is added, counts once it is proven, and becomes the primary one")
  func adds() async throws {
    try await client.signIn("ada@example.com")
    let added = try await client.post(
      "/v1/me/email_addresses",
      ["email_address": "Two@Example.com"]
    )
    #expect(added.resource?["email_address"] == "two@example.com")
    #expect(added.resource?["verification"] == .null)
    #expect(try await world.client().begin("two@example.com").status == 422)
    let path = "/v1/me/email_addresses/\(added.id)"
    let early = try await client.send(.patch, "/v1/me", ["primary_email_address_id": added.id])
    #expect(early.code == "form_resource_not_found")
    #expect(
      try await client.post("\(path)/attempt_verification", ["code": "1"]).code
        == "verification_missing"
    )
    try await client.post("\(path)/prepare_verification", ["strategy": "email_code"])
    let wrong = try await client.post("\(path)/attempt_verification", ["code": "wrong"])
    #expect(wrong.refusal == "422 form_code_incorrect code")
    let code = try await world.code(to: "two@example.com")
    let proven = try await client.post("\(path)/attempt_verification", ["code": code])
    #expect(proven.resource?["verification"]?["status"] == "verified")
    let changed = try await client.send(.patch, "/v1/me", ["primary_email_address_id": added.id])
    #expect(changed.resource?["primary_email_address_id"]?.string == added.id)
    #expect(try await world.client().signIn("two@example.com").state == "complete")
  }

  @Test("if the primary address is removed, the next becomes primary, and the old one is unknown")
  func removesPrimary() async throws {
    try await client.signIn("ada@example.com")
    let added = try await client.post(
      "/v1/me/email_addresses",
      ["email_address": "two@example.com"]
    )
    let path = "/v1/me/email_addresses"
    try await client.post("\(path)/\(added.id)/prepare_verification", ["strategy": "email_code"])
    let code = try await world.code(to: "two@example.com")
    try await client.post("\(path)/\(added.id)/attempt_verification", ["code": code])
    let before = try await client.get("/v1/me").resource
    let primary = try #require(before?["primary_email_address_id"]?.string)
    #expect(primary != added.id)
    let removed = try await client.send(.delete, "\(path)/\(primary)")
    #expect(removed.resource?["deleted"] == true)
    let after = try await client.get("/v1/me").resource
    #expect(after?["primary_email_address_id"]?.string == added.id)
    #expect(after?["email_addresses"]?.array?.count == 1)
    #expect(try await world.client().begin("ada@example.com").status == 422)
    #expect(try await world.client().signIn("two@example.com").state == "complete")
  }

  @Test("a link verifies an address once, and only for the client that asked")
  func link() async throws {
    try world.world.settings.emailLink = true
    try await client.signIn("ada@example.com")
    let added = try await client.post(
      "/v1/me/email_addresses",
      ["email_address": "two@example.com"]
    )
    let path = "/v1/me/email_addresses/\(added.id)"
    let bare = try await client.post("\(path)/prepare_verification", ["strategy": "email_link"])
    #expect(bare.refusal == "422 form_param_missing redirect_url")
    let sent = try await client.post(
      "\(path)/prepare_verification",
      ["strategy": "email_link", "redirect_url": "https://app.localhost/done"]
    )
    #expect(sent.resource?["verification"]?["object"] == "verification_email_link")
    #expect(sent.resource?["verification"]?["status"] == "unverified")
    let message = try #require(try await world.world.outbox.latest(.init(to: "two@example.com")))
    let target = try #require(message.link).dropFirst("http://127.0.0.1:4010".count)
    let stranger = try await world.client().get(String(target))
    #expect(
      stranger.fields[.location] == "https://app.localhost/done?__clerk_status=client_mismatch"
    )
    let own = try await client.get(String(target))
    #expect(own.fields[.location] == "https://app.localhost/done?__clerk_status=verified")
    let proof = try await client.get(path).resource?["verification"]
    #expect(proof?["status"] == "verified")
    #expect(proof?["strategy"] == "email_link")
    #expect(proof?["verified_at_client"] == (try await client.get("/v1/client").resource?["id"]))
    let again = try await client.get(String(target))
    #expect(again.fields[.location] == "https://app.localhost/done?__clerk_status=failed")
    #expect(try await world.client().signIn("two@example.com").state == "complete")
  }

  @Test("the last identifier cannot be removed")
  func deletes() async throws {
    try await client.signIn("ezra@example.com")
    let begun = try await client.get("/v1/client").client?["sign_in"]?["id"]?.string
    let id = try #require(begun)
    try await client.prepareSecond(id, "email_code")
    try await client.attemptSecond(
      id,
      "email_code",
      code: try await world.code(to: "ezra@example.com")
    )
    let list = try await client.get("/v1/me/email_addresses").json
    let only = try #require(list[0]?["id"]?.string)
    let refused = try await client.send(.delete, "/v1/me/email_addresses/\(only)")
    #expect(refused.code == "last_required_identification_deletion_failed")
  }

  @Test("an address that another account has, or that is malformed, is refused")
  func taken() async throws {
    try await client.signIn("ada@example.com")
    let answer = try await client.post(
      "/v1/me/email_addresses",
      ["email_address": "mia@example.com"]
    )
    #expect(answer.refusal == "422 form_identifier_exists email_address")
    let bad = try await client.post("/v1/me/email_addresses", ["email_address": "mia"])
    #expect(bad.refusal == "422 form_param_format_invalid email_address")
  }
}
