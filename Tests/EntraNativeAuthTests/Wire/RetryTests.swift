import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@_spi(Provider) @testable import AuthFlow
@testable import EntraNativeAuth

@Suite("What is tried a second time")
struct RetryTests {
  private let pauses = RecordedPauses()

  private func begin(_ script: [ScriptedTransport.Answer]) async throws -> (
    Outcome<SignInState>, ScriptedTransport
  ) {
    let transport = ScriptedTransport(script)
    var memory = ProviderMemory()
    let outcome = await provider(transport, pauses: pauses).beginSignIn(
      identifier: try .typed(),
      password: nil,
      memory: &memory
    )
    return (outcome, transport)
  }

  private static let fault = Response(status: .internalServerError)

  @Test("a fault of the service is retried once, after half a second")
  func fault() async throws {
    let (outcome, transport) = try await begin([
      .success(Self.fault), .success(.json(Fixture.begun)), .success(.json(Fixture.password)),
    ])
    #expect(outcome.moved != nil)
    #expect(pauses.all == [.milliseconds(500)])
    #expect(transport.isDone)
  }

  @Test("nothing is tried a third time")
  func once() async throws {
    let (outcome, transport) = try await begin([.success(Self.fault), .success(Self.fault)])
    #expect(outcome.error?.problems.map(\.reason) == [.serviceAnsweredNonsense])
    #expect(transport.requests.count == 2)
  }

  @Test("without a network, a call is retried once after two seconds, and then reported")
  func offline() async throws {
    let (outcome, _) = try await begin([.failure(.offline), .failure(.offline)])
    #expect(pauses.all == [.seconds(2)])
    #expect(outcome.error?.problems.map(\.code) == ["offline"])
    #expect(outcome.error?.traceID == "correlation-1")
  }

  @Test("a 429 is never retried, and the error says until when")
  func throttled() async throws {
    let (outcome, transport) = try await begin([
      .success(
        .json(Fixture.throttled, status: .tooManyRequests, headerFields: [.retryAfter: "17"])
      )
    ])
    #expect(pauses.all.isEmpty)
    #expect(transport.requests.count == 1)
    let until = Fixture.now.addingTimeInterval(17)
    #expect(outcome.error?.problems.map(\.reason) == [.tooManyRequests(until: until)])
    #expect(outcome.error?.problems.map(\.code) == ["temporarily_unavailable"])
  }

  @Test("a call that may have acted is not repeated; one that never left is")
  func notRepeatable() async throws {
    // The challenge sends a message.
    let (lost, transport) = try await begin([
      .success(.json(Fixture.begun)), .failure(.connectionLost),
    ])
    #expect(lost.error?.problems.map(\.code) == ["service_unavailable"])
    #expect(transport.requests.count == 2)
    #expect(pauses.all.isEmpty)
    for fault in [TransportError.refused, .tlsFailed] {
      let (left, _) = try await begin([
        .success(.json(Fixture.begun)), .failure(fault), .success(.json(Fixture.password)),
      ])
      #expect(left.moved != nil, "\(fault)")
    }
    #expect(pauses.all == [.milliseconds(500), .milliseconds(500)])
  }

  @Test("a fault in a call that may have acted is reported at once", arguments: [500, 502, 503])
  func faultOfAction(status: Int) async throws {
    let (outcome, transport) = try await begin([
      .success(.json(Fixture.begun)), .success(Response(status: .init(code: status))),
    ])
    #expect(outcome.error?.problems.count == 1)
    #expect(transport.requests.count == 2)
    #expect(pauses.all.isEmpty)
  }

  @Test("a Retry-After is waited for, if it is short")
  func retryAfter() async throws {
    func unavailable(_ seconds: Int) -> ScriptedTransport.Answer {
      .success(
        Response(status: .serviceUnavailable, headerFields: [.retryAfter: String(seconds)])
      )
    }
    let (short, _) = try await begin([
      unavailable(1), .success(.json(Fixture.begun)), .success(.json(Fixture.password)),
    ])
    #expect(short.moved != nil)
    #expect(pauses.all == [.seconds(1)])
    let (long, transport) = try await begin([unavailable(3)])
    #expect(long.error?.problems.map(\.reason) == [.serviceUnavailable])
    #expect(transport.requests.count == 1)
  }

  @Test("nothing is retried if the answer would come too late (S27)")
  func deadline() async throws {
    let transport = ScriptedTransport([.failure(.offline)])
    let outcome = await AnswerDeadline.$current.withValue(.now + .seconds(1)) {
      var memory = ProviderMemory()
      guard let identifier = Identifier(typed: "mara@example.com") else {
        return Outcome<SignInState>.moved(to: .identifierRequired)
      }
      return await provider(transport, pauses: pauses).beginSignIn(
        identifier: identifier,
        password: nil,
        memory: &memory
      )
    }
    #expect(outcome.error != nil)
    #expect(pauses.all.isEmpty)
    #expect(transport.requests.count == 1)
  }

  @Test("a fault is retried if the answer would still come in time (S27)")
  func inTime() async throws {
    let (outcome, transport) = try await AnswerDeadline.$current.withValue(.now + .seconds(600)) {
      try await begin([
        .success(Self.fault), .success(.json(Fixture.begun)), .success(.json(Fixture.password)),
      ])
    }
    #expect(outcome.moved != nil)
    #expect(pauses.all == [.milliseconds(500)])
    #expect(transport.isDone)
  }

  @Test("only beginning a sign-in, reading, polling and renewing may be repeated")
  func repeatable() throws {
    let token = Continuation("c")
    let repeatable: [Call] = [
      .initiate(try .typed()), .introspect(token), .introspectRegistration(token),
      .pollReset(token), .token(.refresh("r"), scopes: [], claims: nil),
    ]
    let others: [Call] = [
      .challenge(token), .challengeSignUp(token), .challengeReset(token),
      .challengeRegistration(token, contact: "+12015550123", channel: "sms"),
      .startSignUp(try .typed(), password: nil), .startReset(try .typed()),
      .submitReset(token, password: try .typed()),
      .continueReset(token, code: try .typed()), .continueSignUp(token, code: try .typed()),
      .continueSignUp(token, password: try .typed()),
      .continueSignUp(token, attributes: [("city", "Oslo")]),
      .continueRegistration(token), .continueRegistration(token, code: try .typed()),
    ]
    let grants: [Grant] = [
      .password(try .typed(), token, try .typed()), .code(try .typed(), token),
      .secondFactorCode(try .typed(), token), .continuation(token, nil),
      .authorizationCode("c", verifier: "v", redirectURI: "http://a/continue"),
    ]
    for call in repeatable { #expect(call.isRepeatable) }
    for call in others + grants.map({ .token($0, scopes: [], claims: nil) }) {
      #expect(!call.isRepeatable, "\(call.endpoint)")
    }
  }
}
