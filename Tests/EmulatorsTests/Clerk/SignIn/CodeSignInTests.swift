import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("Signing in with a code")
struct CodeSignInTests {
  @Test(
    "the right code of a banned account is refused, and works once the ban is over",
    arguments: ["email_code", "reset_password_email_code", "second factor"]
  )
  func banned(step: String) async throws {
    let world = try TestWorld()
    let client = world.client()
    let isSecond = step == "second factor"
    let name = isSecond ? "ezra" : "ada"
    let address = "\(name)@example.com"
    let id: String
    if isSecond {
      id = try await client.signIn(address).id
      try await client.prepareSecond(id, "email_code")
    } else {
      id = try await client.begin(address, ["strategy": "\(step)"]).id
    }
    let code = try await world.code(to: address)
    func attempt() async throws -> Answer {
      isSecond
        ? try await client.attemptSecond(id, "email_code", code: code)
        : try await client.attemptFirst(id, step, ["code": code])
    }
    _ = try await world.world.change("user_\(name)", ["banned": true])
    #expect(try await attempt().refusal == "403 user_banned")
    _ = try await world.world.change("user_\(name)", ["banned": false])
    let state = step.hasPrefix("reset") ? "needs_new_password" : "complete"
    #expect(try await attempt().state == state)
  }

  @Test("the attempts of an account that is deleted meanwhile end, and offer no factor")
  func deleted() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin("cody@example.com", ["strategy": "email_code"])
    let code = try await world.code(to: "cody@example.com")
    #expect(try await world.world.remove("user_cody"))
    let gone = "400 sign_in_identification_or_user_deleted"
    let answer = try await client.attemptFirst(begun.id, "email_code", ["code": code])
    #expect(answer.refusal == gone)
    #expect(try await client.prepareFirst(begun.id, "email_code").refusal == gone)
    let read = try await client.get("/v1/client/sign_ins/\(begun.id)")
    #expect(read.resource?["supported_first_factors"] == [])
    let other = world.client()
    let second = try await other.signIn("mia@example.com")
    #expect(second.state == "needs_second_factor")
    #expect(try await world.world.remove("user_mia"))
    #expect(try await other.attemptSecond(second.id, "totp", code: "1").refusal == gone)
  }

  @Test("a code is sent, and signs in", arguments: [false, true])
  func code(inOneStep: Bool) async throws {
    let world = try TestWorld()
    let client = world.client()
    var answer = try await client.begin(
      "cody@example.com",
      inOneStep ? ["strategy": "email_code"] : [:]
    )
    if !inOneStep { answer = try await client.prepareFirst(answer.id, "email_code") }
    #expect(answer.state == "needs_first_factor")
    let verification = try #require(answer.resource?["first_factor_verification"])
    #expect(verification["object"] == "verification_otp")
    #expect(verification["status"] == "unverified")
    #expect(verification["attempts"] == 0)
    let now = Int64(try world.world.clock.now.timeIntervalSince1970 * 1000)
    #expect(verification["expire_at"] == .integer(now + 600_000))
    let code = try await world.code(to: "cody@example.com")
    #expect(code.count == 6)
    let done = try await client.attemptFirst(answer.id, "email_code", ["code": code])
    #expect(done.state == "complete")
    #expect(done.client?["last_authentication_strategy"] == "email_code")
  }

  @Test(
    "a code that was sent stays valid and the latest, whatever password is tried meanwhile",
    arguments: [("ada", "wrong"), ("cora", ScriptedClient.password)]
  )
  func outlivesPassword(name: String, password: String) async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin("\(name)@example.com", ["strategy": "email_code"])
    let refused = try await client.attemptFirst(begun.id, "password", ["password": password])
    #expect(refused.status == 422)
    let shown = try await client.get("/v1/client/sign_ins/\(begun.id)")
    #expect(shown.resource?["first_factor_verification"]?["strategy"] == "email_code")
    let again = try await client.prepareFirst(begun.id, "email_code")
    #expect(again.refusal == "429 verification_code_too_many_requests")
    let code = try await world.code(to: "\(name)@example.com")
    let done = try await client.attemptFirst(begun.id, "email_code", ["code": code])
    #expect(done.resource?["first_factor_verification"]?["status"] == "verified", "\(done)")
  }

  @Test("a code by text message signs in")
  func phone() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin("+12015550142", ["strategy": "phone_code"])
    let message = try #require(try await world.world.outbox.messages().first)
    #expect(message.channel == .sms)
    #expect(message.to == "+12015550142")
    #expect(message.purpose == .signIn)
    #expect(message.sent == false)
    #expect(message.code == "424242")
    let done = try await client.attemptFirst(begun.id, "phone_code", ["code": "424242"])
    #expect(done.state == "complete")
  }

  @Test("a code goes to the named contact, or to the typed one if none is named")
  func choosesContact() async throws {
    var user = AccountDescription()
    user.emailAddresses = ["first@example.com", "second@example.com"]
    let world = try TestWorld(users: [user])
    let client = world.client()
    let begun = try await client.begin("second@example.com", ["strategy": "email_code"])
    #expect(try await world.world.outbox.messages().first?.to == "second@example.com")
    let factors = try #require(begun.resource?["supported_first_factors"]?.array)
    let other = try #require(factors[1]["email_address_id"]?.string)
    #expect(factors[1]["safe_identifier"] == "f***@example.com")
    try await client.prepareFirst(begun.id, "email_code", ["email_address_id": other])
    #expect(try await world.world.outbox.messages().first?.to == "first@example.com")
    let refused = try await client.prepareFirst(
      begun.id,
      "email_code",
      ["email_address_id": "idn_x"]
    )
    #expect(refused.refusal == "422 form_resource_not_found email_address_id")
  }

  @Test("five wrong codes end a code; a new one works")
  func tries() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin("cody@example.com", ["strategy": "email_code"])
    let code = try await world.code(to: "cody@example.com")
    for attempt in 1...5 {
      let wrong = try await client.attemptFirst(begun.id, "email_code", ["code": "x"])
      #expect(wrong.refusal == "422 form_code_incorrect code")
      let verification = wrong.client?["sign_in"]?["first_factor_verification"]
      #expect(verification?["attempts"] == .integer(Int64(attempt)))
      #expect(verification?["status"] == (attempt == 5 ? "failed" : "unverified"))
    }
    let late = try await client.attemptFirst(begun.id, "email_code", ["code": code])
    #expect(late.refusal == "400 verification_failed")
    try world.world.clock.advance(30)
    try await client.prepareFirst(begun.id, "email_code")
    let fresh = try await world.code(to: "cody@example.com")
    #expect(
      try await client.attemptFirst(begun.id, "email_code", ["code": fresh]).state == "complete"
    )
  }

  @Test("a code ends with its lifetime, to the second", arguments: [(599, true), (600, false)])
  func expires(seconds: Double, isValid: Bool) async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin("cody@example.com", ["strategy": "email_code"])
    let code = try await world.code(to: "cody@example.com")
    try world.world.clock.advance(seconds)
    let answer = try await client.attemptFirst(begun.id, "email_code", ["code": code])
    if isValid {
      #expect(answer.state == "complete")
    } else {
      #expect(answer.refusal == "400 verification_expired")
      #expect(answer.client?["sign_in"]?["first_factor_verification"]?["status"] == "expired")
    }
  }

  @Test("another code must wait, then replaces the first")
  func resend() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin("cody@example.com", ["strategy": "email_code"])
    let first = try await world.code(to: "cody@example.com")
    try world.world.clock.advance(18)
    let early = try await client.prepareFirst(begun.id, "email_code")
    #expect(early.refusal == "429 verification_code_too_many_requests")
    #expect(early.fields[.retryAfter] == "12")
    #expect(early.client?["sign_in"]?["id"]?.string == begun.id)
    try world.world.clock.advance(12)
    #expect(try await client.prepareFirst(begun.id, "email_code").status == 200)
    var second = try await world.code(to: "cody@example.com")
    // Codes are random: once in a million times, two in a row are the same.
    while second == first {
      try world.world.clock.advance(30)
      try await client.prepareFirst(begun.id, "email_code")
      second = try await world.code(to: "cody@example.com")
    }
    let old = try await client.attemptFirst(begun.id, "email_code", ["code": first])
    #expect(old.refusal == "422 form_code_incorrect code")
    #expect(
      try await client.attemptFirst(begun.id, "email_code", ["code": second]).state == "complete"
    )
  }

  @Test("an attempt out of order says what is missing")
  func outOfOrder() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin("ada@example.com")
    let form: FormData = ["code": "123456"]
    #expect(
      try await client.attemptFirst(begun.id, "email_code", form).refusal
        == "400 verification_missing"
    )
    try await client.prepareFirst(begun.id, "email_code")
    #expect(
      try await client.attemptFirst(begun.id, "phone_code", form).refusal
        == "400 verification_strategy_invalid"
    )
    #expect(
      try await client.attemptFirst(begun.id, "totp", form).refusal
        == "400 strategy_for_user_invalid"
    )
    #expect(
      try await client.attemptFirst(begun.id, "email_code", [:]).refusal
        == "422 form_param_missing code"
    )
    #expect(
      try await client.attemptFirst(begun.id, "email_code", ["code": ""]).refusal
        == "422 form_param_nil code"
    )
    #expect(
      try await client.prepareSecond(begun.id, "totp").refusal == "400 client_state_invalid"
    )
    #expect(
      try await client.prepareFirst(begun.id, "nonsense").refusal
        == "422 form_param_value_invalid strategy"
    )
    #expect(
      try await client.prepareFirst(begun.id, "oauth_google").refusal
        == "400 form_param_value_disabled strategy"
    )
  }

  @Test("in test mode, test contacts get 424242; otherwise they are treated like others")
  func testMode() async throws {
    var user = AccountDescription()
    user.emailAddresses = ["jane+clerk_test@example.com"]
    let on = try TestWorld(users: [user])
    let client = on.client()
    _ = try await client.begin("jane+clerk_test@example.com", ["strategy": "email_code"])
    let message = try #require(try await on.world.outbox.messages().first)
    #expect(message.code == "424242")
    #expect(!message.sent)
    let off = try TestWorld(users: [user]) { $0.testMode = false }
    _ = try await off.client().begin("jane+clerk_test@example.com", ["strategy": "email_code"])
    #expect(try await off.world.outbox.messages().first?.sent == true)
  }

  @Test("of parallel guesses, only five are compared (S20)")
  func parallelGuesses() async throws {
    let world = try TestWorld { $0.lockoutAttempts = 0 }
    let client = world.client()
    let begun = try await client.begin("cody@example.com", ["strategy": "email_code"])
    let emulator = world.emulator
    let token = client.token
    let refusals = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<60 {
        group.addTask {
          let guesser = ScriptedClient(emulator: emulator)
          guesser.token = token
          return try await guesser.attemptFirst(begun.id, "email_code", ["code": "x"]).refusal
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let counts = Dictionary(grouping: refusals) { $0 }.mapValues(\.count)
    #expect(counts == ["422 form_code_incorrect code": 5, "400 verification_failed": 55])
  }

  @Test("of parallel right codes, only one signs in (S20)")
  func parallelRight() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin("cody@example.com", ["strategy": "email_code"])
    let code = try await world.code(to: "cody@example.com")
    let emulator = world.emulator
    let token = client.token
    let states = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<50 {
        group.addTask {
          let twin = ScriptedClient(emulator: emulator)
          twin.token = token
          return try await twin.attemptFirst(begun.id, "email_code", ["code": code]).status
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(states.filter { $0 == 200 }.count == 1)
    #expect(states.allSatisfy { $0 == 200 || (400..<500).contains($0) })
  }

  @Test("if the instance allows fewer tries meanwhile, those already used count")
  func fewerTries() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin("cody@example.com", ["strategy": "email_code"])
    let code = try await world.code(to: "cody@example.com")
    for _ in 0..<2 { try await client.attemptFirst(begun.id, "email_code", ["code": "x"]) }
    try world.world.settings.codeAttempts = 2
    let late = try await client.attemptFirst(begun.id, "email_code", ["code": code])
    #expect(late.refusal == "400 verification_failed")
    try world.world.settings.codeAttempts = 3
    let right = try await client.attemptFirst(begun.id, "email_code", ["code": code])
    #expect(right.state == "complete")
  }

  @Test(
    "only a number of the test range, and of its length, gets no real message",
    arguments: [
      ("+12015550100", false), ("+12015550200", true), ("+44205550199", true),
      ("+120155501990", true),
    ]
  )
  func testNumbers(number: String, isSent: Bool) async throws {
    var user = AccountDescription()
    user.phoneNumbers = [number]
    let world = try TestWorld(users: [user])
    let begun = try await world.client().begin(number, ["strategy": "phone_code"])
    #expect(begun.status == 200)
    let message = try #require(try await world.world.outbox.latest(.init(to: number)))
    #expect(message.sent == isSent)
  }
}
