@_spi(Provider) import AuthFlow
@testable import ClerkFrontendAPI
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("Existing sessions, invitations and the waiting list")
struct StandingTests {
  @Test("the session of this browser is an active one, if there is any")
  func standing() async throws {
    let ended = Fixture.session(id: "sess_2", status: "ended")
    let transport = ScriptedTransport(
      .enveloped(Fixture.client(sessions: [Fixture.session(), ended])),
      .enveloped(Fixture.client(sessions: [ended])),
      .enveloped("null")
    )
    let provider = provider(transport)
    var memory = memory()
    #expect(try await provider.standingSession(nil, memory: &memory) == Fixture.mara())
    #expect(try await provider.standingSession(nil, memory: &memory) == nil)
    #expect(try await provider.standingSession(nil, memory: &memory) == nil)
    #expect(transport.calls == Array(repeating: "GET /v1/client?_is_native=1", count: 3))
    var stranger = ProviderMemory()
    #expect(try await provider.standingSession(nil, memory: &stranger) == nil)
  }

  @Test("of several active sessions, it is the one used last, or else the newest")
  func several() async throws {
    let sessions = [
      Fixture.session(), Fixture.session(id: "sess_newer"),
      Fixture.session(id: "sess_ended", status: "ended"),
    ]
    let lastActive = #""last_active_session_id": "#
    for (used, found) in [
      (#""\#(Fixture.sessionID)""#, Fixture.sessionID), ("null", "sess_newer"),
      (#""sess_ended""#, "sess_newer"),
    ] {
      let client = Fixture.client(sessions: sessions)
        .replacing(lastActive + "null", with: lastActive + used)
      var memory = memory()
      let session = try await provider(ScriptedTransport(.enveloped(client)))
        .standingSession(nil, memory: &memory)
      #expect(session?.id == found, "\(used)")
    }
  }

  @Test("only the session that the API has named is meant, and it is made the active one")
  func named() async throws {
    let mine = Fixture.session()
    let lastActive = #""last_active_session_id": "#
    let client = Fixture.client(sessions: [mine, Fixture.session(id: "sess_other")])
      .replacing(lastActive + "null", with: lastActive + #""sess_other""#)
    for touched: Response in [.enveloped(mine), .error("resource_locked", status: 409)] {
      let transport = ScriptedTransport(.enveloped(client), touched)
      var memory = memory()
      let found = try await provider(transport).standingSession(
        .named(Fixture.sessionID),
        memory: &memory
      )
      #expect(found == Fixture.mara())
      #expect(transport.calls.last == ChangePasswordTests.touch)
    }
    // A session that does not exist, or that the API has not named.
    for session in [SessionInTheWay.named("sess_gone"), .unnamed] {
      var memory = memory()
      let found = try await provider(ScriptedTransport(.enveloped(client)))
        .standingSession(session, memory: &memory)
      #expect(found == nil)
    }
  }

  @Test("a named session that was used last already is not made the active one again")
  func namedAndActive() async throws {
    let client = Fixture.client(sessions: [Fixture.session(), Fixture.session(id: "sess_other")])
      .replacing(
        #""last_active_session_id": null"#,
        with: #""last_active_session_id": "\#(Fixture.sessionID)""#
      )
    let transport = ScriptedTransport(.enveloped(client))
    var memory = memory()
    let found = try await provider(transport).standingSession(
      .named(Fixture.sessionID),
      memory: &memory
    )
    #expect(found == Fixture.mara())
    #expect(transport.calls == ["GET /v1/client?_is_native=1"])
  }

  @Test("an invitation is read from the address, and begins a sign-up by its ticket")
  func invitation() async throws {
    let transport = ScriptedTransport(
      .enveloped(SignUpTests.signUp(missing: ["password"]))
    )
    let provider = provider(transport)
    var memory = memory()
    #expect(provider.readInvitation(["redirect_url": "/"]) == nil)
    let invitation = try #require(provider.readInvitation(["__clerk_ticket": "t 1"]))
    #expect("\(invitation)" == "<invitation>")
    let outcome = await provider.accept(invitation, memory: &memory)
    guard case .detailsMissing(let prompt) = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(prompt.fields == [.password])
    #expect(
      transport.calls == ["POST /v1/client/sign_ups?_is_native=1 strategy=ticket&ticket=t+1"]
    )
  }

  private static let accountExists = Response.error("invitation_account_exists", status: 400)

  private func accept(_ transport: ScriptedTransport) async throws -> Outcome<SignUpState> {
    let provider = provider(transport)
    var memory = memory()
    let invitation = try #require(provider.readInvitation(["__clerk_ticket": "t 1"]))
    return await provider.accept(invitation, memory: &memory)
  }

  @Test(
    "an invited person who already has an account is signed in by the ticket, or asked for more"
  )
  func invitedAgain() async throws {
    let complete = ScriptedTransport(
      Self.accountExists,
      .enveloped(
        Fixture.signIn("complete", session: Fixture.sessionID)
          .replacing(#""identifier": "mara@example.com""#, with: #""identifier": null"#),
        // The session that was used last is somebody else's.
        client: Fixture.client(sessions: [Fixture.session(), Fixture.session(id: "sess_other")])
          .replacing(
            #""last_active_session_id": null"#,
            with: #""last_active_session_id": "sess_other""#
          )
      )
    )
    #expect(try await accept(complete) == .moved(to: .continuing(.complete(Fixture.mara()))))
    #expect(
      complete.calls == [
        "POST /v1/client/sign_ups?_is_native=1 strategy=ticket&ticket=t+1",
        "POST /v1/client/sign_ins?_is_native=1 strategy=ticket&ticket=t+1",
      ]
    )
    let second = Fixture.signIn("needs_second_factor", second: [Fixture.totp])
    let asked = try await accept(ScriptedTransport(Self.accountExists, .enveloped(second)))
    guard case .continuing(.factorRequired(let prompt)) = asked.moved else {
      Issue.record("\(asked)")
      return
    }
    #expect(prompt.stage == .secondFactor)
    #expect(prompt.attempt.identifier == (try .typed("mara@example.com")))
  }

  @Test(
    "if the ticket signs nobody in, the address is reported as taken; a lock or fault as itself",
    arguments: [
      (.error("ticket_invalid_code", status: 400), .identifierTaken),
      (.error("invitation_account_not_exists", status: 400), .identifierTaken),
      (.error("form_param_value_disabled", "strategy", status: 400), .identifierTaken),
      (.error("user_locked", status: 403), .locked(until: nil)),
      (.error("gateway_timeout", status: 504), .serviceTimedOut),
    ] as [(Response, Reason)]
  )
  func invitedInVain(answer: Response, reason: Reason) async throws {
    let outcome = try await accept(ScriptedTransport(Self.accountExists, answer))
    #expect(outcome.error?.reasons == [reason])
  }

  @Test("the waiting list takes an address, or says why not")
  func waitingList() async throws {
    let transport = ScriptedTransport(
      .json(#"{"object": "waitlist_entry", "id": "wle_1"}"#),
      .error("waitlist_not_accepting_entries", status: 403)
    )
    let provider = provider(transport)
    var memory = memory()
    try await provider.joinWaitingList("noor@example.com", memory: &memory)
    await #expect(throws: AuthError.self) {
      try await provider.joinWaitingList("noor@example.com", memory: &memory)
    }
    #expect(
      transport.calls.first == "POST /v1/waitlist?_is_native=1 email_address=noor%40example.com"
    )
  }
}
