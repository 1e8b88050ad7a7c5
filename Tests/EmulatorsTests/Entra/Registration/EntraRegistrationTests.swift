import Emulators
import HTTPExchange
import Testing

@Suite("Entra: registering a strong method")
struct EntraRegistrationTests {
  /// Goes to the choice of a contact.
  private func begun(_ world: EntraWorld) async throws -> EntraClient {
    let client = world.client()
    let asked = try await client.signIn("rita@example.com")
    try #require(asked.refusal == "400 invalid_grant registration_required 50079", "\(asked)")
    try #require(asked.continuation != nil)
    return client
  }

  private func challenge(
    _ client: EntraClient,
    _ target: String,
    _ more: FormData = [:]
  ) async throws -> EntraAnswerRead {
    let fields = [
      FormData.Field(name: "challenge_type", value: "oob"),
      FormData.Field(name: "challenge_target", value: target),
    ]
    return try await client.go("register/v1.0/challenge", FormData(fields + more.fields))
  }

  @Test("the methods that may be registered are listed, with the address in full")
  func methods() async throws {
    let client = try await begun(EntraWorld())
    let answer = try await client.go("register/v1.0/introspect")
    #expect(answer.continuation != nil)
    let methods = answer.json["methods"]?.array ?? []
    #expect(methods.map { $0["id"]?.string } == ["email", "sms"])
    #expect(methods.map { $0["challenge_channel"]?.string } == ["email", "sms"])
    #expect(methods.first?["login_hint"] == "rita@example.com")
    #expect(methods.last?["login_hint"] == nil)
  }

  @Test(
    "rita registers a contact, is signed in, and is asked for it next time",
    arguments: ["rita@example.com", "rita@elsewhere.example", "+12015550177"]
  )
  func registers(target: String) async throws {
    let world = try EntraWorld()
    let client = try await begun(world)
    let challenged = try await challenge(client, target)
    #expect(challenged.challengeType == "oob")
    #expect(challenged.json["challenge_target"]?.string == target)
    #expect(challenged.json["challenge_target_label"] == nil)
    #expect(challenged.json["code_length"] == 8)
    let wrong = try await client.go("register/v1.0/continue", ["grant_type": "oob", "oob": "1"])
    #expect(wrong.refusal == "400 invalid_grant invalid_oob_value 50181")
    let code = try await world.code(to: target, for: .secondFactor)
    let done = try await client.go("register/v1.0/continue", ["grant_type": "oob", "oob": code])
    #expect(done.status == 200)
    #expect(done.continuation != nil)
    #expect(try await client.token("continuation_token").status == 200)
    let next = world.client()
    #expect(try await next.signIn("rita@example.com").json["suberror"] == "mfa_required")
    try await next.challenge()
    let second = try await world.code(to: target, for: .secondFactor)
    #expect(try await next.token("mfa_oob", ["oob": second]).status == 200)
  }

  @Test("a registered number is shown on the account, unless it is another account's number")
  func shown() async throws {
    let world = try EntraWorld()
    for (number, shown) in [("+12015550177", ["+12015550177"]), ("+12015550123", [])] {
      try await world.world.reset()
      let client = try await begun(world)
      _ = try await challenge(client, number)
      let code = try await world.code(to: number, for: .secondFactor)
      let done = try await client.go("register/v1.0/continue", ["grant_type": "oob", "oob": code])
      #expect(done.status == 200)
      let rita = try await world.world.account("user_rita")
      #expect(rita?.secondFactorPhoneNumbers == shown)
      #expect(rita?.phoneNumbers == [])
      let next = world.client()
      #expect(try await next.signIn("rita@example.com").json["suberror"] == "mfa_required")
    }
  }

  @Test(
    "a contact that is not the account's own is shown as a method, and can be removed and added",
    arguments: [("rita@elsewhere.example", Message.Channel.email), ("+12015550123", .sms)]
  )
  func shownMethod(target: String, channel: Message.Channel) async throws {
    let world = try EntraWorld()
    let client = try await begun(world)
    _ = try await challenge(client, target)
    let code = try await world.code(to: target, for: .secondFactor)
    try await client.go("register/v1.0/continue", ["grant_type": "oob", "oob": code])
    let rita = try #require(try await world.world.account("user_rita"))
    #expect(rita.entra.methods == [.init(channel: channel, target: target)])
    let told: JSON = [["channel": .string(channel.rawValue), "target": .string(target)]]
    #expect(rita.json["entra"]?["methods"] == told)
    _ = try await world.world.change("user_rita", ["entra": ["methods": []]])
    #expect(try await world.client().signIn("rita@example.com").status == 200)
    _ = try await world.world.change("user_ada", ["entra": ["methods": told]])
    let next = world.client()
    #expect(try await next.signIn("ada@example.com").json["suberror"] == "mfa_required")
    try await next.challenge()
    let second = try await world.code(to: target, for: .secondFactor)
    #expect(try await next.token("mfa_oob", ["oob": second]).status == 200)
  }

  @Test("asking again sends another code, and another contact can be chosen")
  func again() async throws {
    let world = try EntraWorld()
    let client = try await begun(world)
    _ = try await challenge(client, "rita@example.com")
    let old = try await world.code(to: "rita@example.com")
    _ = try await challenge(client, "+12015550177")
    let wrong = try await client.go("register/v1.0/continue", ["grant_type": "oob", "oob": old])
    #expect(wrong.code == 50181)
    let code = try await world.code(to: "+12015550177")
    let done = try await client.go("register/v1.0/continue", ["grant_type": "oob", "oob": code])
    #expect(done.status == 200)
  }

  @Test(
    "a contact that cannot be used is refused, and another one still works",
    arguments: [
      ("nonsense", "400 invalid_request 901001"), ("12015550177", "400 invalid_request 901001"),
      ("rita@", "400 invalid_request 901001"),
      ("x@blocked.example", "400 access_denied provider_blocked_by_rep 550024"),
      ("+12015550199", "400 access_denied provider_blocked_by_rep 550024"),
      ("+99912345678", "400 access_denied provider_blocked_by_admin"),
    ]
  )
  func unusable(target: String, expected: String) async throws {
    let client = try await begun(EntraWorld())
    let refused = try await challenge(client, target)
    #expect(refused.refusal == expected)
    #expect(refused.continuation == nil)
    #expect(try await challenge(client, "rita@example.com").status == 200)
  }

  @Test("the channel has to suit the contact")
  func channel() async throws {
    let client = try await begun(EntraWorld())
    let answer = try await challenge(client, "rita@example.com", ["challenge_channel": "sms"])
    #expect(answer.code == 901001)
    let unknown = try await challenge(client, "rita@example.com", ["challenge_channel": "fax"])
    #expect(unknown.code == 901001)
    let right = try await challenge(client, "rita@example.com", ["challenge_channel": "email"])
    #expect(right.status == 200)
  }

  @Test("the challenge type has to be the method's own, not the app's list")
  func challengeType() async throws {
    let client = try await begun(EntraWorld())
    let answer = try await client.go(
      "register/v1.0/challenge",
      ["challenge_type": "oob redirect", "challenge_target": "rita@example.com"]
    )
    #expect(answer.refusal == "400 invalid_request 901007")
  }

  @Test("an app without the capability is sent to a browser")
  func capability() async throws {
    let client = try EntraWorld().client()
    client.capabilities = "mfa_required"
    let answer = try await client.signIn("rita@example.com")
    #expect(answer.challengeType == "redirect")
    #expect(answer.json["redirect_reason"] == "Client is missing registration_required capability")
  }

  @Test(
    "a tenant without codes sends a registration to a browser before a contact is given",
    arguments: [("rita@example.com", false), ("ada@example.com", true)]
  )
  func noCodes(username: String, everyone: Bool) async throws {
    let world = try EntraWorld {
      $0.entraChallengeTypes = ["password"]
      $0.mfaRequired = everyone
    }
    let answer = try await world.client().signIn(username)
    #expect(answer.status == 200)
    #expect(answer.challengeType == "redirect")
    #expect(answer.continuation == nil)
  }

  @Test("the address of the sign-up just before is preverified, and no code is sent")
  func preverified() async throws {
    let world = try EntraWorld { $0.mfaRequired = true }
    let client = world.client()
    let address = "new@example.com"
    try await client.startSignUp(address, ["password": EntraClient.newPassword])
    try await client.go("signup/v1.0/challenge")
    let code = try await world.code(to: address)
    try await client.go("signup/v1.0/continue", ["grant_type": "oob", "oob": code])
    let asked = try await client.token("continuation_token", ["username": address])
    #expect(asked.refusal == "400 invalid_grant registration_required 50079")
    let sentBefore = try await world.messageCount()
    let answer = try await challenge(client, address)
    #expect(answer.challengeType == "preverified")
    #expect(try await world.messageCount() == sentBefore)
    let early = try await client.go("register/v1.0/continue", ["grant_type": "oob", "oob": "1"])
    #expect(early.refusal == "400 invalid_request 55200")
    let done = try await client.go(
      "register/v1.0/continue",
      ["grant_type": "continuation_token"]
    )
    #expect(done.status == 200)
    #expect(try await client.token("continuation_token").status == 200)
  }

  @Test("codes that a sign-up has sent do not count against the registration that follows it")
  func sendsAnew() async throws {
    let world = try EntraWorld { $0.mfaRequired = true }
    let client = world.client()
    let address = "new@example.com"
    try await client.startSignUp(address, ["password": EntraClient.newPassword])
    for _ in 0..<5 { #expect(try await client.go("signup/v1.0/challenge").status == 200) }
    let code = try await world.code(to: address)
    try await client.go("signup/v1.0/continue", ["grant_type": "oob", "oob": code])
    let asked = try await client.token("continuation_token", ["username": address])
    #expect(asked.refusal == "400 invalid_grant registration_required 50079")
    for _ in 0..<5 { #expect(try await challenge(client, "+12015550177").status == 200) }
    let sixth = try await challenge(client, "+12015550177")
    #expect(sixth.refusal == "400 invalid_request 701014")
  }

  @Test("nothing is preverified after a sign-in")
  func notPreverified() async throws {
    let client = try await begun(EntraWorld())
    _ = try await challenge(client, "rita@example.com")
    let answer = try await client.go(
      "register/v1.0/continue",
      ["grant_type": "continuation_token"]
    )
    #expect(answer.refusal == "400 invalid_request 55200")
    let wrong = try await client.go("register/v1.0/continue", ["grant_type": "password"])
    #expect(wrong.refusal == "400 invalid_grant")
  }
}
