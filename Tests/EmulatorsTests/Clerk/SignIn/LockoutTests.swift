import Emulators
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("Lockout")
struct LockoutTests {
  @Test("ten failures lock an account, with warnings when two tries and one try are left")
  func locks() async throws {
    let world = try TestWorld()
    let client = world.client()
    for attempt in 1...10 {
      let answer = try await client.signIn("ada@example.com", password: "wrong")
      switch attempt {
      case 10:
        #expect(answer.refusal == "403 user_locked")
        #expect(answer.json["errors"]?[0]?["meta"]?["lockout_expires_in_seconds"] == 3600)
        #expect(answer.client?["sign_in"]?["status"] == "needs_first_factor")
      case 8, 9:
        #expect(answer.codes == ["form_password_incorrect", "account_lockout_warning"])
      default:
        #expect(answer.codes == ["form_password_incorrect"])
      }
    }
    try world.world.clock.advance(600)
    let right = try await client.signIn("ada@example.com")
    #expect(right.refusal == "403 user_locked")
    #expect(right.json["errors"]?[0]?["meta"]?["lockout_expires_in_seconds"] == 3000)
    try world.world.clock.advance(3000)
    #expect(try await client.signIn("ada@example.com").state == "complete")
  }

  @Test("failures count for the account on any client, until it signs in")
  func countsPerAccount() async throws {
    let world = try TestWorld { $0.lockoutAttempts = 3 }
    for _ in 0..<2 {
      _ = try await world.client().signIn("ada@example.com", password: "wrong")
    }
    #expect(try await world.client().signIn("ada@example.com").state == "complete")
    for _ in 0..<2 {
      #expect(
        try await world.client().signIn("ada@example.com", password: "wrong").code
          == "form_password_incorrect"
      )
    }
    #expect(
      try await world.client().signIn("ada@example.com", password: "wrong").code == "user_locked"
    )
  }

  @Test("the failures are a key of the account that can be set, and that a success clears")
  func failedAttempts() async throws {
    let world = try TestWorld { $0.lockoutAttempts = 3 }
    func failures() async throws -> Int? {
      try await world.world.account("user_ada")?.failedAttempts
    }
    #expect(try await failures() == 0)
    _ = try await world.client().signIn("ada@example.com", password: "wrong")
    #expect(try await failures() == 1)
    _ = try await world.client().signIn("ada@example.com")
    #expect(try await failures() == 0)
    let set = try await world.world.change("user_ada", ["failed_attempts": 2])
    #expect(set?.failedAttempts == 2 && set?.locked == nil)
    let third = try await world.client().signIn("ada@example.com", password: "wrong")
    #expect(third.code == "user_locked")
    #expect(try await failures() == 3)
    let kept = try await world.world.change("user_ada", ["failed_attempts": 1])
    #expect(kept?.failedAttempts == 1 && kept?.locked != nil)
    let unlocked = try await world.world.change("user_ada", ["locked": .null])
    #expect(unlocked?.failedAttempts == 0 && unlocked?.locked == nil)
    let both = try await world.world.change(
      "user_ada",
      ["locked": ["seconds": 60], "failed_attempts": 3]
    )
    #expect(both?.failedAttempts == 3 && both?.locked?.seconds == 60)
  }

  @Test("an account may begin with failures")
  func failedBefore() async throws {
    var user = AccountDescription()
    user.emailAddresses = ["fay@example.com"]
    user.password = ScriptedClient.password
    user.failedAttempts = 9
    let world = try TestWorld(users: [user])
    let answer = try await world.client().signIn("fay@example.com", password: "wrong")
    #expect(answer.code == "user_locked")
  }

  @Test("wrong codes of every kind count", arguments: ["email_code", "totp", "backup_code"])
  func countsCodes(strategy: String) async throws {
    let world = try TestWorld { $0.lockoutAttempts = 2 }
    let client = world.client()
    var codes: [String?] = []
    if strategy == "email_code" {
      let begun = try await client.begin("cody@example.com", ["strategy": "email_code"])
      for _ in 0..<2 {
        codes.append(try await client.attemptFirst(begun.id, strategy, ["code": "x"]).code)
      }
    } else {
      let id = try await client.signIn("mia@example.com").id
      for _ in 0..<2 { codes.append(try await client.attemptSecond(id, strategy, code: "x").code) }
    }
    #expect(codes == ["form_code_incorrect", "user_locked"])
  }

  @Test("one lock ends after its time (lou), another does not end (lena)")
  func seeded() async throws {
    let world = try TestWorld()
    let client = world.client()
    let lou = try await client.signIn("lou@example.com")
    #expect(lou.refusal == "403 user_locked")
    #expect(lou.json["errors"]?[0]?["meta"]?["lockout_expires_in_seconds"] == 1800)
    let lena = try await client.signIn("lena@example.com")
    #expect(lena.refusal == "403 user_locked")
    #expect(lena.json["errors"]?[0]?["meta"]?["lockout_expires_in_seconds"] == nil)
    #expect(
      try await client.begin("lena@example.com", ["strategy": "reset_password_email_code"]).code
        == "user_locked"
    )
    #expect(try await world.world.outbox.messages().isEmpty)
    try world.world.clock.advance(1800)
    #expect(try await client.signIn("lou@example.com").state == "complete")
    let other = world.client()
    try world.world.clock.advance(1e9)
    #expect(try await other.signIn("lena@example.com").code == "user_locked")
  }

  @Test("an approval at an organization's page waits until the lock is over")
  func enterprise() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin(
      "sven@example.com",
      ["strategy": "enterprise_sso", "redirect_url": "app://open#x"]
    )
    _ = try await world.world.change("user_sven", ["locked": [:]])
    let verification = begun.resource?["first_factor_verification"]
    let page = try #require(verification?["external_verification_redirect_url"]?.string)
    let approved = await world.emulator.respond(
      to: Request(
        .post,
        String(page.dropFirst("http://127.0.0.1:4010".count)),
        form: ["decision": "approve"]
      )
    )
    let back = try #require(approved.headerFields[.location])
    #expect(back.hasPrefix("app://open?rotating_token_nonce=") && back.hasSuffix("#x"))
    let path = "/v1/client/sign_ins/\(begun.id)"
    #expect(try await client.get(path).refusal == "403 user_locked")
    _ = try await world.world.change("user_sven", ["locked": .null])
    #expect(try await client.get(path).state == "complete")
  }

  @Test("the settings allow locks that only support ends, and no locks at all")
  func settings() async throws {
    let forever = try TestWorld {
      $0.lockoutAttempts = 1
      $0.lockoutSeconds = nil
    }
    let answer = try await forever.client().signIn("ada@example.com", password: "wrong")
    #expect(answer.refusal == "403 user_locked")
    #expect(answer.json["errors"]?[0]?["meta"] == nil)
    let never = try TestWorld { $0.lockoutAttempts = 0 }
    for _ in 0..<12 {
      let codes = try await never.client().signIn("ada@example.com", password: "wrong").codes
      #expect(codes == ["form_password_incorrect"])
    }
  }

  @Test("a lock that lies ahead after a restart has reset the clock begins again")
  func restart() async throws {
    try await withTemporaryFolder { folder in
      do {
        let world = try TestWorld(storage: .folder(folder)) { $0.lockoutAttempts = 1 }
        try world.world.clock.advance(7200)
        let answer = try await world.client().signIn("ada@example.com", password: "wrong")
        #expect(answer.refusal == "403 user_locked")
        world.worlds.close()
      }
      let reopened = try TestWorld(storage: .folder(folder))
      let answer = try await reopened.client().signIn("ada@example.com")
      #expect(answer.refusal == "403 user_locked")
      #expect(answer.json["errors"]?[0]?["meta"]?["lockout_expires_in_seconds"] == 3600)
      reopened.worlds.close()
    }
  }

  @Test(
    "a locked account's refusal says how long the lock lasts",
    arguments: [
      (0, "2 minutes"), (1, "1 minute"), (2, "59 seconds"), (60, "1 second"),
    ] as [(Double, String)]
  )
  func waitingTime(seconds: Double, words: String) async throws {
    let world = try TestWorld {
      $0.lockoutAttempts = 1
      $0.lockoutSeconds = 61
    }
    let client = world.client()
    try await client.signIn("ada@example.com", password: "wrong")
    world.clock.advance(seconds)
    let answer = try await client.signIn("ada@example.com")
    #expect(
      answer.json["errors"]?[0]?["long_message"]?.string
        == "This account is locked. You can try again in \(words). Contact support for help."
    )
  }

  @Test("an app collects an approval only with the nonce that it was sent, if it names one")
  func nonce() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin(
      "sven@example.com",
      ["strategy": "enterprise_sso", "redirect_url": "app://open"]
    )
    let verification = begun.resource?["first_factor_verification"]
    let page = try #require(verification?["external_verification_redirect_url"]?.string)
    let target = String(page.dropFirst("http://127.0.0.1:4010".count))
    let approved = await world.emulator.respond(
      to: Request(.post, target, form: ["decision": "approve"])
    )
    let back = try #require(approved.headerFields[.location])
    let nonce = try #require(back.split(separator: "=").last)
    let path = "/v1/client/sign_ins/\(begun.id)"
    let guessed = try await client.get("\(path)?rotating_token_nonce=guessed")
    #expect(guessed.refusal == "401 authentication_invalid")
    #expect(try await client.get("\(path)?rotating_token_nonce=\(nonce)").state == "complete")
  }

  @Test("an organization's page is over once its code lifetime is, and gone with its attempt")
  func pageOver() async throws {
    let world = try TestWorld()
    let begun = try await world.client().begin(
      "sven@example.com",
      ["strategy": "enterprise_sso", "redirect_url": "app://open"]
    )
    let verification = begun.resource?["first_factor_verification"]
    let page = try #require(verification?["external_verification_redirect_url"]?.string)
    let target = String(page.dropFirst("http://127.0.0.1:4010".count))
    func status(_ target: String) async -> Int {
      await world.emulator.respond(to: Request(method: .get, target: target)).status.code
    }
    let path = try #require(target.split(separator: "?").first)
    #expect(await status("\(path)?token=\(begun.id).guessed") == 404)
    world.clock.advance(599)
    #expect(await status(target) == 200)
    world.clock.advance(1)
    #expect(await status(target) == 410)
    let late = await world.emulator.respond(
      to: Request(.post, target, form: ["decision": "approve"])
    )
    #expect(late.status == .gone)
    world.clock.advance(86_400 - 601)
    #expect(await status(target) == 410)
    world.clock.advance(1)
    #expect(await status(target) == 404)
  }
}
