@_spi(Provider) import AuthFlow
@testable import ClerkFrontendAPI
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("Email links")
struct LinkTests {
  private let factor = Factor(
    kind: .emailLink,
    destination: "mara@example.com",
    reference: "idn_39aKlGgX1aKqT4lFzV9aRi7jYwO"
  )

  /// The bytes of RFC 7636, appendix B.
  private static let octets: [UInt8] = [
    116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77,
    105, 214, 191, 240, 91, 88, 5, 88, 83, 132, 141, 121,
  ]
  private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

  private func provider(_ transport: ScriptedTransport) -> ClerkProvider {
    ClerkProvider(
      transport: transport,
      clock: WallClock { now },
      environmentLifetime: .zero,
      random: { _ in Self.octets }
    ).sending(
      LinkAddresses(
        origin: "http://a",
        paths: .init(signIn: "/sign-in/link", signUp: "/sign-up/link", browserReturn: "/continue")
      )
    )
  }

  private func prompt() throws -> LinkPrompt {
    LinkPrompt(
      attempt: SignInAttempt(
        identifier: try .typed(),
        continuation: Continuation(Fixture.signInID),
        firstFactors: [factor]
      ),
      factor: factor,
      proof: Continuation(Self.verifier)
    )
  }

  @Test("the mail is asked for with the hash of a secret (RFC 7636)")
  func asks() async throws {
    let transport = ScriptedTransport(.enveloped(Fixture.signIn(first: [])))
    var memory = memory()
    let attempt = try prompt().attempt
    let choice = try #require(
      FactorPrompt(attempt: attempt, stage: .firstFactor, factors: [factor])
    )
    let outcome = await provider(transport).choose(factor, for: choice, memory: &memory)
    guard case .linkRequired(let waiting) = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(waiting.proof == Continuation(Self.verifier))
    #expect(
      transport.calls == [
        "POST /v1/client/sign_ins/\(Fixture.signInID)/prepare_first_factor?_is_native=1 "
          + "strategy=email_link&email_address_id=idn_39aKlGgX1aKqT4lFzV9aRi7jYwO"
          + "&redirect_uri=http%3A%2F%2Fa%2Fsign-in%2Flink&code_challenge=\(Self.challenge)"
          + "&code_challenge_method=S256"
      ]
    )
  }

  @Test("a link that has ended is sent again by choosing its factor, but not too soon (N4)")
  func chosenAgain() async throws {
    let until = now.addingTimeInterval(30)
    let ended = LinkPrompt(
      attempt: try prompt().attempt,
      factor: factor,
      proof: Continuation(Self.verifier),
      expiresAt: now,
      resendAvailableAt: until
    )
    let transport = ScriptedTransport(.enveloped(Fixture.signIn(first: [])))
    let provider = provider(transport)
    var memory = memory()
    let early = await SignInFlow(provider: provider, clock: WallClock { now }).advance(
      .linkRequired(ended),
      with: .factor(factor),
      memory: &memory
    )
    guard case .refused(let error, at: .linkRequired(let standing)) = early else {
      Issue.record("\(early)")
      return
    }
    #expect(error.reasons == [.resendTooSoon(until: until)] && standing == ended)
    #expect(transport.calls == [])
    let due = await SignInFlow(provider: provider, clock: WallClock { until }).advance(
      .linkRequired(ended),
      with: .factor(factor),
      memory: &memory
    )
    guard case .moved(to: .linkRequired, let notices, _) = due else {
      Issue.record("\(due)")
      return
    }
    #expect(notices == [.codeResent])
    #expect(transport.isDone)
  }

  @Test("choosing the factor of a link that has not ended changes nothing, and sends none")
  func chosenInTime() async throws {
    let standing = LinkPrompt(
      attempt: try prompt().attempt,
      factor: factor,
      proof: Continuation(Self.verifier),
      expiresAt: now.addingTimeInterval(1)
    )
    let transport = ScriptedTransport()
    var memory = memory()
    let advance = await SignInFlow(provider: provider(transport), clock: WallClock { now }).advance(
      .linkRequired(standing),
      with: .factor(factor),
      memory: &memory
    )
    #expect(advance == .moved(to: .linkRequired(standing), notices: []))
  }

  @Test("a link is redeemed for a ticket, and the ticket for a session")
  func follows() async throws {
    let transport = ScriptedTransport(
      .enveloped(#"{"flow_id": "\#(Fixture.signInID)", "ticket": "tic.ket"}"#),
      .enveloped(
        Fixture.signIn("complete", session: Fixture.sessionID),
        client: Fixture.client(sessions: [Fixture.session()])
      )
    )
    let provider = provider(transport)
    var memory = memory()
    let link = try #require(
      provider.readLink(["flow_id": Fixture.signInID, "approval_token": "tok", "x": "y"])
    )
    #expect(link.parameters.map(\.name) == ["flow_id", "approval_token"])
    let outcome = await provider.follow(link, for: try prompt(), memory: &memory)
    #expect(outcome.moved == .complete(Fixture.mara()))
    #expect(
      transport.calls == [
        "POST /v1/client/magic_links/complete?_is_native=1 flow_id=\(Fixture.signInID)"
          + "&approval_token=tok&code_verifier=\(Self.verifier)",
        "POST /v1/client/sign_ins?_is_native=1 strategy=ticket&ticket=tic.ket",
      ]
    )
  }

  @Test("the values that redeem a link are masked where the API repeats them (R9)")
  func echo() async throws {
    let words = "no token-of-the-link with \(Self.verifier)"
    let transport = ScriptedTransport(
      .json(#"{"errors": [{"code": "c", "message": "\#(words)"}]}"#, status: .unprocessableContent)
    )
    var memory = memory()
    let outcome = await provider(transport).follow(
      FollowedLink(
        .unredeemed,
        parameters: ["flow_id": "flow_1", "approval_token": "token-of-the-link"]
      ),
      for: try prompt(),
      memory: &memory
    )
    #expect(outcome.error?.problems.first?.message == "no ••• with •••")
  }

  @Test(
    "the address says what became of the link",
    arguments: [
      ("verified", .verified), ("transferable", .verified), ("expired", .expired),
      ("client_mismatch", .otherBrowser), ("failed", .failed),
    ] as [(String, FollowedLink.Verdict)]
  )
  func reads(status: String, verdict: FollowedLink.Verdict) {
    let provider = provider(ScriptedTransport())
    #expect(provider.readLink(["__clerk_status": status])?.verdict == verdict)
  }

  @Test("other addresses are not links")
  func readsNothing() {
    let provider = provider(ScriptedTransport())
    #expect(provider.readLink(["__clerk_status": "later"]) == nil)
    #expect(provider.readLink(["flow_id": "x"]) == nil)
    #expect(provider.readLink(["factor": "email_code", "form_token": "t"]) == nil)
  }

  @Test(
    "waiting goes on until the API says otherwise",
    arguments: [
      ("unverified", nil), ("expired", .linkExpired), ("failed", .linkFailed),
      ("client_mismatch", .linkOtherBrowser), ("verified", .linkUsed), ("transferable", .linkUsed),
    ] as [(String, Reason?)]
  )
  func checks(status: String, reason: Reason?) async throws {
    let verification =
      #"{"status": "\#(status)", "strategy": "email_link", "expire_at": 1767226200000}"#
    let transport = ScriptedTransport(
      .enveloped(Fixture.signIn(first: [], firstVerification: verification))
    )
    var memory = memory()
    let prompt = try prompt()
    let outcome = await provider(transport).check(prompt, memory: &memory)
    #expect(outcome.error?.reasons == reason.map { [$0] })
    #expect(outcome.moved == (reason == nil ? .linkRequired(prompt) : nil))
    #expect(transport.calls == ["GET /v1/client/sign_ins/\(Fixture.signInID)?_is_native=1"])
  }

  @Test("waiting ends once the attempt has gone on, as when the link was opened elsewhere")
  func goneOn() async throws {
    let transport = ScriptedTransport(
      .enveloped(
        Fixture.signIn("complete", session: Fixture.sessionID),
        client: Fixture.client(sessions: [Fixture.session()])
      )
    )
    var memory = memory()
    let outcome = await provider(transport).check(try prompt(), memory: &memory)
    #expect(outcome.moved == .complete(Fixture.mara()))
  }
}
