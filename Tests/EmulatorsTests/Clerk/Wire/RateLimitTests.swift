import Emulators
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("Rate limits")
struct RateLimitTests {
  @Test("rate limits are off by default")
  func off() async throws {
    let client = try TestWorld().client()
    for _ in 0..<20 { #expect(try await client.begin("ada@example.com").status == 200) }
  }

  @Test("after five sign-ins in ten seconds, they are answered 429 until Retry-After has passed")
  func creations() async throws {
    let world = try TestWorld { $0.rateLimits = true }
    let client = world.client()
    try await client.post("/v1/client")
    for _ in 0..<5 { #expect(try await client.begin("ada@example.com").status == 200) }
    let refused = try await client.begin("ada@example.com")
    #expect(refused.refusal == "429 too_many_requests")
    #expect(refused.fields[.retryAfter] == "10")
    #expect(refused.client?["object"] == "client")
    #expect(try await client.post("/v1/client/sign_ups").status == 200)
    let other = world.client()
    try await other.post("/v1/client")
    #expect(try await other.begin("ada@example.com").status == 200)
    world.clock.advance(10)
    #expect(try await client.begin("ada@example.com").status == 200)
  }

  @Test("the call that makes a client counts as one of its five")
  func firstCall() async throws {
    let world = try TestWorld { $0.rateLimits = true }
    let client = world.client()
    for _ in 0..<5 { #expect(try await client.begin("ada@example.com").status == 200) }
    #expect(try await client.begin("ada@example.com").refusal == "429 too_many_requests")
  }

  @Test("three attempts are allowed in ten seconds, and each is counted once")
  func attempts() async throws {
    let world = try TestWorld { $0.rateLimits = true }
    let client = world.client()
    let begun = try await client.begin("ada@example.com")
    for _ in 0..<3 {
      let answer = try await client.attemptFirst(begun.id, "password", ["password": "wrong"])
      #expect(answer.refusal == "422 form_password_incorrect password")
    }
    world.clock.advance(4)
    let refused = try await client.attemptFirst(begun.id, "password", ["password": "wrong"])
    #expect(refused.refusal == "429 too_many_requests")
    #expect(refused.fields[.retryAfter] == "6")
  }
}
