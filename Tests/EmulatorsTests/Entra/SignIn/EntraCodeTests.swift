import Emulators
import Foundation
import HTTPExchange
import Testing
import TestSupport

@Suite("Entra: signing in with a code")
struct EntraCodeTests {
  private func begun(_ world: EntraWorld) async throws -> EntraClient {
    let client = world.client()
    try await client.initiate("cody@example.com")
    let challenged = try await client.challenge()
    try #require(challenged.challengeType == "oob")
    return client
  }

  @Test("cody gets eight digits by email, and tokens for them")
  func signsIn() async throws {
    let world = try EntraWorld()
    let client = try await begun(world)
    let code = try await world.code(to: "cody@example.com", for: .signIn)
    #expect(code.wholeMatch(of: /[0-9]{8}/) != nil)
    #expect(try await client.token("oob", ["oob": code]).status == 200)
  }

  @Test("the answer says where the code went, masked, and how long it is")
  func challengeAnswer() async throws {
    let client = try EntraWorld { $0.resendCooldownSeconds = 45 }.client()
    try await client.initiate("cody@example.com")
    let answer = try await client.challenge()
    #expect(answer.json["binding_method"] == "prompt")
    #expect(answer.json["challenge_channel"] == "email")
    #expect(answer.json["challenge_target_label"] == "c***y@ex***le.com")
    #expect(answer.json["code_length"] == 8)
    #expect(answer.json["interval"] == 45)
  }

  @Test("a wrong code keeps the token good; the right one still works")
  func wrongCode() async throws {
    let world = try EntraWorld()
    let client = try await begun(world)
    let refused = try await client.token("oob", ["oob": "00000000"])
    #expect(refused.refusal == "400 invalid_grant invalid_oob_value 50181")
    let code = try await world.code(to: "cody@example.com")
    #expect(try await client.token("oob", ["oob": code]).status == 200)
  }

  @Test("asking again supersedes the code and the token")
  func resend() async throws {
    let world = try EntraWorld()
    let client = try await begun(world)
    let oldCode = try await world.code(to: "cody@example.com")
    let oldToken = try #require(client.continuation)
    try await client.challenge()
    let newCode = try await world.code(to: "cody@example.com")
    #expect(try await client.token("oob", ["oob": oldCode]).code == 50181)
    let newToken = client.continuation
    client.continuation = oldToken
    #expect(try await client.token("oob", ["oob": newCode]).refusal == "400 invalid_grant 55200")
    client.continuation = newToken
    #expect(try await client.token("oob", ["oob": newCode]).status == 200)
  }

  @Test("after five wrong tries even the right code is refused, until another is sent")
  func tries() async throws {
    let world = try EntraWorld()
    let client = try await begun(world)
    for _ in 0..<5 { #expect(try await client.token("oob", ["oob": "1"]).code == 50181) }
    let code = try await world.code(to: "cody@example.com")
    #expect(try await client.token("oob", ["oob": code]).code == 50181)
    try await client.challenge()
    let fresh = try await world.code(to: "cody@example.com")
    #expect(try await client.token("oob", ["oob": fresh]).status == 200)
  }

  @Test("the last try may be the right one")
  func lastTry() async throws {
    let world = try EntraWorld { $0.codeAttempts = 2 }
    let client = try await begun(world)
    try await client.token("oob", ["oob": "1"])
    let code = try await world.code(to: "cody@example.com")
    #expect(try await client.token("oob", ["oob": code]).status == 200)
  }

  @Test("a code ends with its lifetime")
  func expires() async throws {
    let world = try EntraWorld { $0.codeLifetimeSeconds = 60 }
    let client = try await begun(world)
    let code = try await world.code(to: "cody@example.com")
    try world.world.clock.advance(61)
    #expect(
      try await client.token("oob", ["oob": code]).refusal
        == "400 invalid_grant invalid_oob_value 50181"
    )
  }

  @Test("no message promises a code for longer than its attempt lasts")
  func promises() async throws {
    let world = try EntraWorld { $0.codeLifetimeSeconds = 1_800 }
    _ = try await begun(world)
    let message = try await world.world.outbox.latest(Outbox.Filter(to: "cody@example.com"))
    #expect(try #require(message).text.contains("10 minutes"))
  }

  @Test("the sixth code of one flow is refused, and the fifth still works")
  func sendLimit() async throws {
    let world = try EntraWorld()
    let client = try await begun(world)
    for _ in 0..<4 { #expect(try await client.challenge().status == 200) }
    #expect(try await client.challenge().refusal == "400 invalid_request 701014")
    let code = try await world.code(to: "cody@example.com")
    #expect(try await client.token("oob", ["oob": code]).status == 200)
  }

  @Test("wrong codes lock the account like wrong passwords")
  func locks() async throws {
    let world = try EntraWorld { $0.lockoutAttempts = 2 }
    let client = try await begun(world)
    #expect(try await client.token("oob", ["oob": "1"]).code == 50181)
    #expect(try await client.token("oob", ["oob": "2"]).code == 50053)
    let code = try await world.code(to: "cody@example.com")
    #expect(try await client.token("oob", ["oob": code]).code == 50053)
  }

  @Test("an app that takes no codes is sent to a browser, and nothing is sent")
  func browserRequired() async throws {
    let world = try EntraWorld()
    let client = world.client()
    client.challengeTypes = "password redirect"
    try await client.initiate("cody@example.com")
    #expect(try await client.challenge().challengeType == "redirect")
    #expect(try await world.messageCount() == 0)
  }

  @Test("a code keeps the lifetime that it was sent with")
  func codeUse() async throws {
    let world = try EntraWorld { $0.codeLifetimeSeconds = 300 }
    _ = try await begun(world)
    let sent = try await world.world.outbox.latest(.init(to: "cody@example.com"))
    let message = try #require(sent)
    let end = world.clock.now.addingTimeInterval(300)
    try world.world.settings.codeLifetimeSeconds = 600
    world.clock.advance(299)
    #expect(try await world.world.useOfEntraCode(in: message) == .works(until: end))
    world.clock.advance(1)
    #expect(try await world.world.useOfEntraCode(in: message) == .over)
  }
}
