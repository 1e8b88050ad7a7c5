import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("Setting up second factors")
struct SecondFactorSetupTests {
  private func signedIn(_ name: String, _ world: TestWorld) async throws -> ScriptedClient {
    let client = world.client()
    let answer = try await client.signIn("\(name)@example.com")
    #expect(answer.state == "complete")
    return client
  }

  /// What the app that is being set up shows.
  private func reading(_ world: TestWorld, _ id: String) async throws -> String {
    let reading = try await world.world.authenticatorReading(of: id)
    return try #require(reading?.code)
  }

  @Test("the demo user tess is pending until an app has shown a right code")
  func app() async throws {
    let world = try TestWorld()
    let client = try await signedIn("tess", world)
    let before = try await client.get("/v1/client")
    #expect(before.resource?["sessions"]?[0]?["tasks"] == [["key": "setup-mfa"]])
    let made = try await client.post("/v1/me/totp")
    let secret = try #require(made.resource?["secret"]?.string)
    #expect(secret.wholeMatch(of: /[A-Z2-7]{32}/) != nil)
    #expect(
      made.resource?["uri"]?.string
        == "otpauth://totp/Vestibule:tess@example.com?secret=\(secret)"
        + "&issuer=Vestibule&algorithm=SHA1&digits=6&period=30"
    )
    #expect(made.resource?["verified"] == false)

    let wrong = try await client.post("/v1/me/totp/attempt_verification", ["code": "000000"])
    #expect(wrong.refusal == "422 form_code_incorrect code")
    let code = try await reading(world, "user_tess")
    let proven = try await client.post("/v1/me/totp/attempt_verification", ["code": code])
    #expect(proven.resource?["verified"] == true)
    #expect(proven.resource?["secret"] == .null && proven.resource?["uri"] == .null)
    let codes = (proven.resource?["backup_codes"]?.array ?? []).compactMap(\.string)
    #expect(Set(codes).count == 10)
    #expect(codes.allSatisfy { $0.wholeMatch(of: /[a-z0-9]{8}/) != nil })
    #expect(proven.client?["sessions"]?[0]?["status"] == "active")
    let user = proven.client?["sessions"]?[0]?["user"]
    #expect(user?["totp_enabled"] == true && user?["backup_code_enabled"] == true)

    let again = try await client.post("/v1/me/totp")
    #expect(again.refusal == "400 totp_already_enabled")
    let kept = try await client.send(.delete, "/v1/me/totp")
    #expect(kept.refusal == "400 second_factor_deletion_not_allowed")

    // From now on a second factor is asked for, and a backup code will do, too.
    let next = world.client()
    let begun = try await next.signIn("tess@example.com")
    #expect(begun.state == "needs_second_factor")
    let entered = try await next.attemptSecond(begun.id, "backup_code", code: codes[3])
    #expect(entered.state == "complete")
    #expect(entered.client?["sessions"]?[0]?["status"] == "active")
  }

  @Test("a new secret invalidates the one before; a code without a secret is not found")
  func newSecret() async throws {
    let world = try TestWorld()
    let client = try await signedIn("tess", world)
    let none = try await client.post("/v1/me/totp/attempt_verification", ["code": "123456"])
    #expect(none.refusal == "404 resource_not_found")
    try await client.post("/v1/me/totp")
    let old = try await reading(world, "user_tess")
    try await client.post("/v1/me/totp")
    let wrong = try await client.post("/v1/me/totp/attempt_verification", ["code": old])
    #expect(wrong.refusal == "422 form_code_incorrect code")
  }

  @Test("an app can be removed if no second factor is required")
  func remove() async throws {
    let world = try TestWorld()
    let client = try await signedIn("ada", world)
    #expect(try await client.send(.delete, "/v1/me/totp").refusal == "404 resource_not_found")
    try await client.post("/v1/me/totp")
    let code = try await reading(world, "user_ada")
    try await client.post("/v1/me/totp/attempt_verification", ["code": code])
    let gone = try await client.send(.delete, "/v1/me/totp")
    #expect(gone.resource?["deleted"] == true)
    #expect(try await world.client().signIn("ada@example.com").state == "complete")
  }

  @Test("an app that no code has proven yet can be removed even if a second factor is required")
  func removeUnverified() async throws {
    let world = try TestWorld()
    let client = try await signedIn("tess", world)
    try await client.post("/v1/me/totp")
    let gone = try await client.send(.delete, "/v1/me/totp")
    #expect(gone.status == 200 && gone.resource?["deleted"] == true)
    #expect(gone.client?["sessions"]?[0]?["tasks"] == [["key": "setup-mfa"]])
    #expect(try await client.send(.delete, "/v1/me/totp").refusal == "404 resource_not_found")
  }

  @Test("new backup codes replace the old ones, and need another factor")
  func backupCodes() async throws {
    let world = try TestWorld()
    let client = try await signedIn("ada", world)
    let none = try await client.post("/v1/me/backup_codes/")
    #expect(none.refusal == "400 backup_codes_not_available")
    try await client.post("/v1/me/totp")
    let code = try await reading(world, "user_ada")
    let first = try await client.post("/v1/me/totp/attempt_verification", ["code": code])
    let renewed = try await client.post("/v1/me/backup_codes/")
    let old = first.resource?["backup_codes"]?.array ?? []
    let new = renewed.resource?["codes"]?.array ?? []
    #expect(new.count == 10 && Set(old).isDisjoint(with: new))
    let next = world.client()
    let begun = try await next.signIn("ada@example.com")
    let spent = try await next.attemptSecond(begun.id, "backup_code", code: old[0].string ?? "")
    #expect(spent.refusal == "422 form_code_incorrect code")
  }

  @Test("a phone becomes a second factor once it is proven and reserved")
  func phone() async throws {
    let world = try TestWorld()
    let client = try await signedIn("tess", world)
    let added = try await client.post("/v1/me/phone_numbers", ["phone_number": "+1 201 555-7788"])
    #expect(added.resource?["phone_number"] == "+12015557788")
    #expect(added.resource?["verification"] == .null)
    let path = "/v1/me/phone_numbers/\(added.id)"
    let early = try await client.post("\(path)/attempt_verification", ["code": "123456"])
    #expect(early.refusal == "400 verification_missing")
    let reserved = try await client.send(.patch, path, ["reserved_for_second_factor": "1"])
    #expect(reserved.refusal == "400 identification_update_second_factor_unverified")

    try await client.post("\(path)/prepare_verification", ["strategy": "phone_code"])
    let message = try await world.world.outbox.latest(.init(purpose: .phoneNumber))
    #expect(message?.channel == .sms && message?.to == "+12015557788")
    let soon = try await client.post("\(path)/prepare_verification", ["strategy": "phone_code"])
    #expect(soon.refusal == "429 verification_code_too_many_requests")
    let wrong = try await client.post("\(path)/attempt_verification", ["code": "000000"])
    #expect(wrong.refusal == "422 form_code_incorrect code")
    let code = try await world.code(to: "+12015557788")
    let proven = try await client.post("\(path)/attempt_verification", ["code": code])
    #expect(proven.resource?["verification"]?["status"] == "verified")
    #expect(proven.resource?["reserved_for_second_factor"] == false)
    #expect(proven.client?["sessions"]?[0]?["status"] == "pending", "that alone is not enough")

    world.clock.advance(60)
    let done = try await client.send(.patch, path, ["reserved_for_second_factor": "true"])
    let user = done.client?["sessions"]?[0]?["user"]
    #expect(user?["updated_at"] == 1_767_225_660_000)
    #expect(done.resource?["backup_codes"]?.array?.count == 10)
    #expect(done.resource?["default_second_factor"] == true)
    let other = try await client.send(.patch, path, ["default_second_factor": "0"])
    #expect(other.refusal == "422 form_disable_default_second_factor_not_allowed")
    #expect(done.client?["sessions"]?[0]?["status"] == "active")
    let begun = try await world.client().signIn("tess@example.com")
    #expect(begun.state == "needs_second_factor")
  }

  @Test("a number that was reserved when it was added becomes a second factor by its code")
  func reservedAtOnce() async throws {
    let world = try TestWorld()
    let client = try await signedIn("tess", world)
    let added = try await client.post(
      "/v1/me/phone_numbers",
      ["phone_number": "+12015550199", "reserved_for_second_factor": "true"]
    )
    let path = "/v1/me/phone_numbers/\(added.id)"
    try await client.post("\(path)/prepare_verification", ["strategy": "phone_code"])
    let proven = try await client.post("\(path)/attempt_verification", ["code": "424242"])
    #expect(proven.resource?["backup_codes"]?.array?.count == 10)
    #expect(proven.client?["sessions"]?[0]?["status"] == "active")
  }

  @Test(
    "a default number passes that on when it is released or removed; another number does not",
    arguments: [true, false]
  )
  func released(isRemoved: Bool) async throws {
    var nell = AccountDescription()
    nell.emailAddresses = ["nell@example.com"]
    nell.password = ScriptedClient.password
    nell.secondFactorPhoneNumbers = ["+12015557781", "+12015557782", "+12015557783"]
    nell.backupCodes = ["nell-0000-0001"]
    let client = try TestWorld(users: [nell]).client()
    let begun = try await client.signIn("nell@example.com")
    try await client.attemptSecond(begun.id, "backup_code", code: "nell-0000-0001")
    func phones() async throws -> [JSON] {
      try await client.get("/v1/me/phone_numbers").json.array ?? []
    }
    func numbers(_ flag: String) async throws -> [JSON?] {
      try await phones().filter { $0[flag] == true }.map { $0["phone_number"] }
    }
    func release(_ phone: JSON) async throws {
      let path = "/v1/me/phone_numbers/\(phone["id"]?.string ?? "")"
      let answer =
        isRemoved
        ? try await client.send(.delete, path)
        : try await client.send(.patch, path, ["reserved_for_second_factor": "false"])
      #expect(answer.status == 200)
    }
    let all = try await phones()
    try #require(all.count == 3)
    try await client.send(
      .patch,
      "/v1/me/phone_numbers/\(all[2]["id"]?.string ?? "")",
      ["default_second_factor": "true"]
    )
    try await release(all[1])
    #expect(try await numbers("default_second_factor") == ["+12015557783"])
    try await release(all[2])
    #expect(try await numbers("default_second_factor") == ["+12015557781"])
    #expect(try await numbers("reserved_for_second_factor") == ["+12015557781"])
  }

  @Test("codes of a phone expire, and end after too many tries")
  func phoneCodes() async throws {
    let world = try TestWorld()
    let client = try await signedIn("tess", world)
    let added = try await client.post("/v1/me/phone_numbers", ["phone_number": "+12015557788"])
    let path = "/v1/me/phone_numbers/\(added.id)"
    try await client.post("\(path)/prepare_verification", ["strategy": "phone_code"])
    for _ in 0..<5 {
      let wrong = try await client.post("\(path)/attempt_verification", ["code": "000000"])
      #expect(wrong.refusal == "422 form_code_incorrect code")
    }
    let spent = try await client.post("\(path)/attempt_verification", ["code": "000000"])
    #expect(spent.refusal == "400 verification_failed")
    world.clock.advance(31)
    try await client.post("\(path)/prepare_verification", ["strategy": "phone_code"])
    world.clock.advance(601)
    let late = try await client.post("\(path)/attempt_verification", ["code": "000000"])
    #expect(late.refusal == "400 verification_expired")
  }

  @Test("another's number, one's own number again and an invalid number are refused")
  func refusedNumbers() async throws {
    let world = try TestWorld()
    let client = try await signedIn("tess", world)
    for (number, refusal) in [
      ("+12015550110", "422 form_identifier_exists phone_number"),
      ("12345", "422 form_param_format_invalid phone_number"),
      ("", "422 form_param_nil phone_number"),
    ] {
      let answer = try await client.post("/v1/me/phone_numbers", ["phone_number": number])
      #expect(answer.refusal == refusal)
    }
    let added = try await client.post("/v1/me/phone_numbers", ["phone_number": "+12015557788"])
    let twice = try await client.post("/v1/me/phone_numbers", ["phone_number": "+12015557788"])
    #expect(twice.refusal == "422 form_identifier_exists phone_number")
    let list = try await client.get("/v1/me/phone_numbers")
    #expect(list.json[0]?["id"]?.string == added.id)
    let other = try await signedIn("ada", world)
    let foreign = try await other.get("/v1/me/phone_numbers/\(added.id)")
    #expect(foreign.refusal == "404 resource_not_found")
    let gone = try await client.send(.delete, "/v1/me/phone_numbers/\(added.id)")
    #expect(gone.resource?["deleted"] == true)
    #expect(try await client.get("/v1/me/phone_numbers").json == [])
  }

  @Test("the only way in can neither become a second factor nor be removed")
  func onlyIdentifier() async throws {
    let world = try TestWorld()
    let client = world.client()
    try await client.signIn("+12015550142")
    let list = try await client.get("/v1/me/phone_numbers")
    let path = "/v1/me/phone_numbers/\(list.json[0]?["id"]?.string ?? "")"
    let reserved = try await client.send(.patch, path, ["reserved_for_second_factor": "true"])
    #expect(reserved.refusal == "400 identification_update_failed")
    let gone = try await client.send(.delete, path)
    #expect(gone.refusal == "400 last_required_identification_deletion_failed")
  }

  @Test("an instance may require a second factor of everyone; an account that has one meets that")
  func required() async throws {
    let world = try TestWorld { $0.mfaRequired = true }
    let ada = try await world.client().signIn("ada@example.com")
    #expect(ada.client?["sessions"]?[0]?["tasks"] == [["key": "setup-mfa"]])
    let client = world.client()
    let mia = try await client.signIn("mia@example.com")
    let entered = try await client.attemptSecond(
      mia.id,
      "totp",
      code: try world.authenticatorCode()
    )
    #expect(entered.client?["sessions"]?[0]?["status"] == "active")
  }

  @Test("the three tasks of trix come in the API's order, and go one by one")
  func trix() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.signIn("trix@example.com")
    func keys(_ answer: Answer) -> [String] {
      answer.client?["sessions"]?[0]?["tasks"]?.array?.compactMap { $0["key"]?.string } ?? []
    }
    #expect(keys(begun) == ["reset-password", "choose-organization", "setup-mfa"])
    let changed = try await client.post(
      "/v1/me/change_password",
      ["new_password": "a-good-new-password-7"]
    )
    #expect(keys(changed) == ["choose-organization", "setup-mfa"])
    let made = try await client.post("/v1/organizations", ["name": "Trix"])
    let session = begun.client?["sessions"]?[0]?["id"]?.string ?? ""
    let touched = try await client.post(
      "/v1/client/sessions/\(session)/touch",
      ["active_organization_id": made.id]
    )
    #expect(keys(touched) == ["setup-mfa"])
    try await client.post("/v1/me/totp")
    let code = try await reading(world, "user_trix")
    let proven = try await client.post("/v1/me/totp/attempt_verification", ["code": code])
    #expect(proven.client?["sessions"]?[0]?["status"] == "active")
  }

  /// The path of a number that has been added, proven and reserved for the second factor.
  private func reserve(
    _ number: String,
    _ client: ScriptedClient
  ) async throws -> (path: String, answer: Answer) {
    let added = try await client.post("/v1/me/phone_numbers", ["phone_number": number])
    let path = "/v1/me/phone_numbers/\(added.id)"
    try await client.post("\(path)/prepare_verification", ["strategy": "phone_code"])
    // Test numbers have this code.
    try await client.post("\(path)/attempt_verification", ["code": "424242"])
    let reserved = try await client.send(.patch, path, ["reserved_for_second_factor": "true"])
    return (path, reserved)
  }

  @Test("if a second factor is required, all but the last can be removed")
  func removeAllButLast() async throws {
    let world = try TestWorld()
    let client = try await signedIn("tess", world)
    let (path, first) = try await reserve("+12015550188", client)
    #expect(first.resource?["backup_codes"]?.array?.count == 10)
    let last = try await client.send(.patch, path, ["reserved_for_second_factor": "false"])
    #expect(last.refusal == "400 second_factor_deletion_not_allowed")
    #expect(
      try await client.send(.delete, path).refusal == "400 second_factor_deletion_not_allowed"
    )

    let (otherPath, second) = try await reserve("+12015550189", client)
    #expect(second.resource?["default_second_factor"] == false)
    #expect(try await client.send(.delete, path).status == 200)

    try await client.post("/v1/me/totp")
    let code = try await reading(world, "user_tess")
    try await client.post("/v1/me/totp/attempt_verification", ["code": code])
    let app = try await client.send(.delete, "/v1/me/totp")
    #expect(app.resource?["deleted"] == true)
    #expect(
      try await client.send(.delete, otherPath).refusal
        == "400 second_factor_deletion_not_allowed"
    )
  }

  @Test("no backup codes come with a second factor that is not the first")
  func codesOnce() async throws {
    var nell = AccountDescription()
    nell.emailAddresses = ["nell@example.com"]
    nell.password = ScriptedClient.password
    nell.totpSecret = "JBSWY3DPEHPK3PXP"
    let world = try TestWorld(users: [nell])
    let client = world.client()
    let begun = try await client.signIn("nell@example.com")
    try await client.attemptSecond(begun.id, "totp", code: world.authenticatorCode())
    let (_, reserved) = try await reserve("+12015550188", client)
    #expect(reserved.resource?["reserved_for_second_factor"] == true)
    #expect(reserved.resource?["backup_codes"] == .null)
    #expect(try await client.get("/v1/me").resource?["backup_code_enabled"] == false)
  }
}
