import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@testable import Emulators

@Suite("Invitations to addresses that have an account")
struct InvitationTests {
  private func ticket(for address: String, in world: TestWorld) async throws -> String {
    let sent = try await ClerkInvitation.send(
      to: address,
      signingUpAt: "http://localhost:8080/sign-in",
      in: world.world
    )
    let query = try #require(sent?.link.split(separator: "?").last)
    return try #require(FormData(decoding: query.utf8)["__clerk_ticket"])
  }

  private func accept(_ ticket: String, at path: String, by client: ScriptedClient) async throws
    -> Answer
  {
    try await client.post("/v1/client/\(path)", ["strategy": "ticket", "ticket": ticket])
  }

  @Test("a ticket signs in an account once, and its link says that it is for a sign-in")
  func signsIn() async throws {
    let world = try TestWorld()
    let ticket = try await ticket(for: "ada@example.com", in: world)
    let link = try #require(try await world.world.outbox.messages().first?.link)
    #expect(link.hasSuffix("&__clerk_status=sign_in"))
    let client = world.client()
    #expect(
      try await accept(ticket, at: "sign_ups", by: client).refusal
        == "400 invitation_account_exists"
    )
    let done = try await accept(ticket, at: "sign_ins", by: client)
    #expect(done.state == "complete")
    #expect(done.resource?["first_factor_verification"]?["strategy"] == "ticket")
    for path in ["sign_ins", "sign_ups"] {
      #expect(
        try await accept(ticket, at: path, by: world.client()).refusal
          == "400 invitation_already_accepted"
      )
    }
  }

  @Test("a ticket that stops at a second factor, a ban or a lock stays valid")
  func factors() async throws {
    let world = try TestWorld {
      $0.lockoutAttempts = 1
      $0.lockoutSeconds = 60
    }
    let second = try await ticket(for: "mia@example.com", in: world)
    let mia = world.client()
    // A person who stopped at the second factor follows the link again.
    for _ in 0..<2 {
      #expect(try await accept(second, at: "sign_ins", by: mia).state == "needs_second_factor")
    }
    let banned = try await ticket(for: "bann@example.com", in: world)
    for _ in 0..<2 {
      #expect(
        try await accept(banned, at: "sign_ins", by: world.client()).refusal == "403 user_banned"
      )
    }
    let first = try await ticket(for: "ada@example.com", in: world)
    #expect(try await world.client().signIn("ada@example.com", password: "wrong").status == 403)
    let client = world.client()
    let standing = try await client.begin("mia@example.com")
    #expect(try await accept(first, at: "sign_ins", by: client).refusal == "403 user_locked")
    let shown = try await client.get("/v1/client").resource?["sign_in"]
    #expect(shown?["id"]?.string == standing.id, "the attempt that was under way goes on")
    world.clock.advance(60)
    #expect(try await accept(first, at: "sign_ins", by: client).state == "complete")
  }

  @Test("a ticket without an account, an invalid one and an expired one sign nobody in")
  func refused() async throws {
    let world = try TestWorld()
    let stranger = try await ticket(for: "new@example.com", in: world)
    let link = try #require(try await world.world.outbox.messages().first?.link)
    #expect(link.hasSuffix("&__clerk_status=sign_up"))
    let client = world.client()
    #expect(
      try await accept(stranger, at: "sign_ins", by: client).refusal
        == "400 invitation_account_not_exists"
    )
    #expect(
      try await accept("inv_x", at: "sign_ins", by: client).refusal == "400 ticket_invalid_code"
    )
    let late = try await ticket(for: "ada@example.com", in: world)
    world.clock.advance(30 * 86_400)
    #expect(
      try await accept(late, at: "sign_ins", by: client).refusal == "400 ticket_expired_code"
    )
  }

  @Test("an attempt that was begun by an invitation keeps the invited address")
  func keepsAddress() async throws {
    let world = try TestWorld()
    let invited = try await ticket(for: "new@example.com", in: world)
    let client = world.client()
    let begun = try await accept(invited, at: "sign_ups", by: client)
    #expect(begun.resource?["email_address"] == "new@example.com")
    let path = "/v1/client/sign_ups/\(begun.id)"
    let changed = try await client.send(.patch, path, ["email_address": "other@example.com"])
    #expect(changed.refusal == "422 form_param_value_invalid email_address")
    let same = try await client.send(.patch, path, ["email_address": "New@Example.com"])
    #expect(same.resource?["email_address"] == "new@example.com")
    #expect(try await client.get(path).resource?["email_address"] == "new@example.com")
  }
}
