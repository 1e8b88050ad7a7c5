import Emulators
import ErrorCodes
import HTTPExchange
import Testing

@Suite("Entra: resetting a password")
struct EntraPasswordResetTests {
  /// Goes to the step that takes the new password.
  private func verified(
    _ world: EntraWorld,
    _ username: String = "ada@example.com"
  ) async throws -> EntraClient {
    let client = world.client()
    let begun = try await client.startReset(username)
    try #require(begun.status == 200, "\(begun)")
    let challenged = try await client.go("resetpassword/v1.0/challenge")
    try #require(challenged.challengeType == "oob", "\(challenged)")
    let code = try await world.code(to: username, for: .resetPassword)
    let proven = try await client.go(
      "resetpassword/v1.0/continue",
      ["grant_type": "oob", "oob": code]
    )
    try #require(proven.json["expires_in"] == 600, "\(proven)")
    return client
  }

  private func submit(
    _ client: EntraClient,
    _ password: String = EntraClient.newPassword
  ) async throws -> EntraAnswerRead {
    try await client.go("resetpassword/v1.0/submit", ["new_password": password])
  }

  private func poll(_ client: EntraClient) async throws -> EntraAnswerRead {
    try await client.go("resetpassword/v1.0/poll_completion")
  }

  @Test("a code, a new password and polls lead to tokens, and then the new password counts")
  func completes() async throws {
    let world = try EntraWorld()
    let client = try await verified(world)
    let submitted = try await submit(client)
    #expect(submitted.json["poll_interval"] == 2)
    let first = try await poll(client)
    #expect(first.json["status"] == "in_progress")
    #expect(first.continuation == nil)
    let second = try await poll(client)
    #expect(second.json["status"] == "succeeded")
    #expect(second.continuation != nil)
    let signedIn = try await client.token(
      "continuation_token",
      ["username": "ada@example.com"]
    )
    #expect(signedIn.status == 200)
    #expect(try await world.client().signIn("ada@example.com").code == 50126)
    let renewed = try await world.client()
      .signIn("ada@example.com", password: EntraClient.newPassword)
    #expect(renewed.status == 200)
  }

  @Test("the setting says how many polls find the reset in progress", arguments: [0, 1, 4])
  func polls(count: Int) async throws {
    let world = try EntraWorld { $0.entraResetPolls = count }
    let client = try await verified(world)
    _ = try await submit(client)
    for _ in 0..<count { #expect(try await poll(client).json["status"] == "in_progress") }
    #expect(try await poll(client).json["status"] == "succeeded")
    #expect(try await poll(client).refusal == "400 invalid_request 55200")
  }

  @Test(
    "an account that has to change its password gets tokens after a reset",
    arguments: ["cora@example.com", "pia@example.com"]
  )
  func mustChange(username: String) async throws {
    let world = try EntraWorld { $0.entraResetPolls = 0 }
    let client = try await verified(world, username)
    _ = try await submit(client)
    _ = try await poll(client)
    #expect(try await client.token("continuation_token", ["username": username]).status == 200)
  }

  @Test("a second factor is asked for after a reset")
  func secondFactor() async throws {
    let world = try EntraWorld { $0.entraResetPolls = 0 }
    let client = try await verified(world, "ezra@example.com")
    _ = try await submit(client)
    _ = try await poll(client)
    let asked = try await client.token("continuation_token", ["username": "ezra@example.com"])
    #expect(asked.refusal == "400 invalid_grant mfa_required 50076")
    try await client.challenge()
    let code = try await world.code(to: "ezra@example.com", for: .secondFactor)
    #expect(try await client.token("mfa_oob", ["oob": code]).status == 200)
  }

  @Test("codes that a reset has sent do not count against the sign-in that follows it")
  func sendsAnew() async throws {
    let world = try EntraWorld { $0.entraResetPolls = 0 }
    let client = world.client()
    try await client.startReset("ezra@example.com")
    for _ in 0..<5 {
      #expect(try await client.go("resetpassword/v1.0/challenge").status == 200)
    }
    let sixth = try await client.go("resetpassword/v1.0/challenge")
    #expect(sixth.refusal == "400 invalid_request 701014")
    let proof = try await world.code(to: "ezra@example.com", for: .resetPassword)
    try await client.go("resetpassword/v1.0/continue", ["grant_type": "oob", "oob": proof])
    _ = try await submit(client)
    _ = try await poll(client)
    let asked = try await client.token("continuation_token", ["username": "ezra@example.com"])
    #expect(asked.refusal == "400 invalid_grant mfa_required 50076")
    for _ in 0..<5 { #expect(try await client.challenge().status == 200) }
    #expect(try await client.challenge().refusal == "400 invalid_request 701014")
    let code = try await world.code(to: "ezra@example.com", for: .secondFactor)
    #expect(try await client.token("mfa_oob", ["oob": code]).status == 200)
  }

  @Test("a reset does not start for an unknown name, or without a password to reset")
  func cannotStart() async throws {
    let world = try EntraWorld()
    let unknown = try await world.client().startReset("nobody@example.com")
    #expect(unknown.refusal == "400 user_not_found 50034")
    let cody = try await world.client().startReset("cody@example.com")
    #expect(cody.refusal == "400 invalid_request 500222")
    let sven = try await world.client().startReset("sven@example.com")
    #expect(sven.challengeType == "redirect")
    let tenant = try EntraWorld { $0.entraChallengeTypes = ["oob", "redirect"] }
    let ada = try await tenant.client().startReset("ada@example.com")
    #expect(ada.refusal == "400 invalid_request 500222")
  }

  @Test(
    "a tenant without native authentication sends every reset to a browser",
    arguments: [[], ["redirect"]] as [[String]],
    ["ada@example.com", "cody@example.com", "nobody@example.com"]
  )
  func redirectOnly(types: [String], username: String) async throws {
    let world = try EntraWorld { $0.entraChallengeTypes = types }
    let answer = try await world.client().startReset(username)
    #expect(answer.challengeType == "redirect")
    #expect(answer.continuation == nil)
    let client = world.client()
    client.challengeTypes = "oob"
    #expect(try await client.startReset(username).refusal == "400 invalid_request 901007")
  }

  @Test("a wrong code keeps the step")
  func wrongCode() async throws {
    let world = try EntraWorld()
    let client = world.client()
    try await client.startReset("ada@example.com")
    try await client.go("resetpassword/v1.0/challenge")
    let refused = try await client.go(
      "resetpassword/v1.0/continue",
      ["grant_type": "oob", "oob": "1"]
    )
    #expect(refused.refusal == "400 invalid_grant invalid_oob_value 50181")
    let code = try await world.code(to: "ada@example.com")
    let proven = try await client.go(
      "resetpassword/v1.0/continue",
      ["grant_type": "oob", "oob": code]
    )
    #expect(proven.status == 200)
  }

  @Test("a grant type that a reset does not take is refused")
  func wrongGrant() async throws {
    let client = try EntraWorld().client()
    try await client.startReset("ada@example.com")
    let answer = try await client.go(
      "resetpassword/v1.0/continue",
      ["grant_type": "password", "password": "x"]
    )
    #expect(answer.refusal == "400 invalid_grant")
  }

  @Test(
    "a password that is refused keeps the step",
    arguments: [
      ("short", "password_too_short"), (EntraClient.password, "password_recently_used"),
      ("letmein-AGAIN-7", "password_banned"),
    ]
  )
  func passwordRules(password: String, suberror: String) async throws {
    let world = try EntraWorld()
    let client = try await verified(world)
    let refused = try await submit(client, password)
    #expect(refused.refusal == "400 invalid_grant \(suberror) 399246")
    #expect(refused.isListed(at: .resetSubmit))
    #expect(refused.continuation == nil)
    #expect(try await submit(client).status == 200)
  }

  @Test("a reset that fails leads back to the new password")
  func fails() async throws {
    let world = try EntraWorld { $0.entraResetPolls = 0 }
    let client = try await verified(world)
    _ = try await submit(client)
    _ = try await world.world.change("user_ada", ["banned": true])
    let failed = try await poll(client)
    #expect(failed.json["status"] == "failed")
    #expect(failed.continuation != nil)
    #expect(try await submit(client, "another-New-Password-8").status == 200)
  }

  @Test("the code goes to a second-factor address that differs from the account's own")
  func otherAddress() async throws {
    let world = try EntraWorld()
    let rita = world.client()
    try await rita.signIn("rita@example.com")
    let target = "rita@elsewhere.example"
    try await rita.go(
      "register/v1.0/challenge",
      ["challenge_type": "oob", "challenge_target": target]
    )
    let code = try await world.code(to: target)
    try await rita.go("register/v1.0/continue", ["grant_type": "oob", "oob": code])
    let client = world.client()
    try await client.startReset("rita@example.com")
    try await client.go("resetpassword/v1.0/challenge")
    #expect(try await world.code(to: target, for: .resetPassword).count == 8)
  }
}
