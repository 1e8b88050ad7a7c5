import Emulators
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("Stepping up in a session")
struct ReverificationTests {
  private let world: TestWorld
  private let client: ScriptedClient

  init() throws {
    world = try TestWorld()
    client = world.client()
  }

  private func path(_ session: String?, _ step: String = "") throws -> String {
    "/v1/client/sessions/\(try #require(session))/verify" + (step.isEmpty ? "" : "/\(step)")
  }

  @Test("an account without a second factor is asked for the first, whatever the level")
  func firstFactor() async throws {
    let session = try await client.signIn("ada@example.com").resource?["created_session_id"]?.string
    try world.world.clock.advance(1200)
    let begun = try await client.post(try path(session), ["level": "multi_factor"])
    #expect(begun.resource?["level"] == "first_factor")
    #expect(begun.state == "needs_first_factor")
    #expect(begun.resource?["session"]?["factor_verification_age"] == [20, -1])
    let attempt = try path(session, "attempt_first_factor")
    let wrong = try await client.post(attempt, ["strategy": "password", "password": "wrong"])
    #expect(wrong.refusal == "422 form_password_incorrect password")
    let right = try await client.post(
      attempt,
      ["strategy": "password", "password": ScriptedClient.password]
    )
    #expect(right.state == "complete")
    #expect(right.resource?["session"]?["factor_verification_age"] == [0, -1])
    let again = try await client.post(attempt, ["strategy": "password", "password": "x"])
    #expect(again.code == "invalid_action_for_session_reverification")
  }

  @Test("both factors can be verified by codes")
  func bothFactors() async throws {
    let begun = try await client.signIn("mia@example.com")
    let done = try await client.attemptSecond(begun.id, "backup_code", code: "mia-0000-0001")
    let session = done.resource?["created_session_id"]?.string
    #expect(
      try await client.post(try path(session, "prepare_first_factor")).code
        == "session_reverification_missing"
    )
    let begunAgain = try await client.post(try path(session), ["level": "multi_factor"])
    #expect(begunAgain.state == "needs_first_factor")
    try await client.post(try path(session, "prepare_first_factor"), ["strategy": "email_code"])
    let code = try await world.code(to: "mia@example.com")
    let first = try await client.post(
      try path(session, "attempt_first_factor"),
      ["strategy": "email_code", "code": code]
    )
    #expect(first.state == "needs_second_factor")
    let used = try await client.post(
      try path(session, "attempt_second_factor"),
      ["strategy": "backup_code", "code": "mia-0000-0001"]
    )
    #expect(used.refusal == "422 form_code_incorrect code")
    let second = try await client.post(
      try path(session, "attempt_second_factor"),
      ["strategy": "totp", "code": try world.authenticatorCode()]
    )
    #expect(second.state == "complete")
    #expect(second.resource?["session"]?["factor_verification_age"] == [0, 0])
  }

  @Test("an unknown level and another client's session are refused")
  func refuses() async throws {
    let session = try await client.signIn("ada@example.com").resource?["created_session_id"]?.string
    let level = try await client.post(try path(session), ["level": "third_factor"])
    #expect(level.refusal == "422 form_param_value_invalid level")
    let stranger = world.client()
    try await stranger.signIn("mia@example.com")
    #expect(try await stranger.post(try path(session), ["level": "first_factor"]).status == 404)
  }

  @Test("the tries of a code count in the second verification")
  func secondByCode() async throws {
    let begun = try await client.signIn("mia@example.com")
    let done = try await client.attemptSecond(begun.id, "backup_code", code: "mia-0000-0001")
    let session = done.resource?["created_session_id"]?.string
    try await client.post(try path(session), ["level": "multi_factor"])
    try await client.post(
      try path(session, "attempt_first_factor"),
      ["strategy": "password", "password": ScriptedClient.password]
    )
    try await client.post(try path(session, "prepare_second_factor"), ["strategy": "phone_code"])
    let attempt = try path(session, "attempt_second_factor")
    let wrong = try await client.post(attempt, ["strategy": "phone_code", "code": "000000"])
    #expect(wrong.refusal == "422 form_code_incorrect code")
    let right = try await client.post(attempt, ["strategy": "phone_code", "code": "424242"])
    #expect(right.state == "complete")
    let verification = right.resource?["second_factor_verification"]
    #expect(verification?["strategy"] == "phone_code")
    #expect(verification?["attempts"] == 2)
    #expect(right.resource?["session"]?["factor_verification_age"] == [0, 0])
  }
}
