import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@_spi(Provider) @testable import AuthFlow
@testable import EntraNativeAuth

@Suite("A fault in a later call of a step, after the first call has spent the token")
struct SpentTokenTests {
  private static let down = Response(status: .serviceUnavailable)
  private static let broken = Response(status: .internalServerError)

  /// Signs in with an address alone, then with each input, over those answers.
  private func walk(
    _ inputs: [SignInInput],
    over answers: [Response]
  ) async throws -> Advance<SignInState> {
    let transport = ScriptedTransport(
      ([.json(Fixture.begun), .json(Fixture.password)] + answers)
        .map(ScriptedTransport.Answer.success),
      documents: try await SigningTenant.shared.value.documents
    )
    let flow = SignInFlow(provider: provider(transport), clock: WallClock { Fixture.now })
    var memory = ProviderMemory()
    var advance = await flow.advance(
      .identifierRequired,
      with: .identifier(try .typed()),
      memory: &memory
    )
    for input in inputs {
      guard case .moved(let state, _, _) = advance else { break }
      advance = await flow.advance(state, with: input, memory: &memory)
    }
    #expect(transport.isDone)
    return advance
  }

  /// Expects that the attempt is over, for that reason.
  private func expectEnd(_ advance: Advance<SignInState>, because reason: Reason) {
    guard case .refused(let error, _) = advance else {
      Issue.record("\(advance)")
      return
    }
    #expect(error.problems.map(\.reason) == [reason, .attemptEnded])
    #expect(error.endsAttempt)
  }

  private func contact() throws -> SignInInput {
    let email = Factor(kind: .emailCode, reference: "email")
    return .enrolment(try #require(Enrolment(method: email, typed: "mara@example.com")))
  }

  @Test("if second factors cannot be listed, the attempt ends, since the password is spent")
  func introspect() async throws {
    let advance = try await walk(
      [.password(try .typed())],
      over: [.error(Fixture.mfaRequired), Self.down, Self.down]
    )
    expectEnd(advance, because: .serviceUnavailable)
  }

  @Test("a later call that is refused for the set-up ends the attempt, and blames the set-up")
  func setUp() async throws {
    let unknownApp = #"{"error":"unauthorized_client","error_codes":[700016]}"#
    let advance = try await walk(
      [.password(try .typed())],
      over: [.error(Fixture.mfaRequired), .error(unknownApp)]
    )
    guard case .refused(let error, _) = advance else {
      Issue.record("\(advance)")
      return
    }
    #expect(error.problems.map(\.reason) == [.attemptEnded])
    #expect(error.blame == .setUp)
  }

  @Test("tokens that cannot be trusted end the attempt, since the password is spent")
  func untrusted() async throws {
    let tokens = #"{"token_type":"Bearer","expires_in":3600,"access_token":"a","id_token":"x.y.z"}"#
    let advance = try await walk([.password(try .typed())], over: [.json(tokens)])
    expectEnd(advance, because: .serviceAnsweredNonsense)
  }

  @Test("a fault in the first call leaves the person on the page, with its token")
  func firstCall() async throws {
    guard
      case .refused(let error, at: .passwordRequired(let prompt)) = try await walk(
        [.password(try .typed())],
        over: [Self.down]
      )
    else {
      Issue.record("no password page")
      return
    }
    #expect(error.problems.map(\.reason) == [.serviceUnavailable])
    #expect(prompt.attempt.continuation.token == "CT-sign-02")
  }

  @Test("if a registration brings no tokens, the attempt ends, since the code is spent")
  func enrolmentCode() async throws {
    let advance = try await walk(
      [.password(try .typed()), try contact(), .code(try .typed("12345678"))],
      over: [
        .error(Fixture.registrationRequired), .json(Fixture.methods), .json(Fixture.registerCode),
        .json(#"{"continuation_token":"CT-reg-03"}"#), Self.down,
      ]
    )
    expectEnd(advance, because: .serviceUnavailable)
  }

  @Test(
    "if a method or factor is asked for after one was registered, the attempt ends",
    arguments: [Fixture.registrationRequired, Fixture.mfaRequired]
  )
  func askedForMore(body: String) async throws {
    let advance = try await walk(
      [.password(try .typed()), try contact(), .code(try .typed("12345678"))],
      over: [
        .error(Fixture.registrationRequired), .json(Fixture.methods), .json(Fixture.registerCode),
        .json(#"{"continuation_token":"CT-reg-03"}"#), .error(body),
      ]
    )
    guard case .refused(let error, _) = advance else {
      Issue.record("\(advance)")
      return
    }
    #expect(error.problems.map(\.reason) == [.attemptEnded])
  }

  @Test(
    "if a proven contact is not registered, or brings no tokens, the attempt ends"
  )
  func preverified() async throws {
    let registered = Response.json(#"{"continuation_token":"CT-reg-03"}"#)
    for (answers, reason) in [
      ([registered, Self.down], Reason.serviceUnavailable),
      ([Self.broken], .serviceAnsweredNonsense),
    ] {
      let advance = try await walk(
        [.password(try .typed()), try contact()],
        over: [
          .error(Fixture.registrationRequired), .json(Fixture.methods), .json(Fixture.preverified),
        ] + answers
      )
      expectEnd(advance, because: reason)
    }
  }
}
