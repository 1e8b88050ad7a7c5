import Foundation
import HTTPExchange
import Synchronization
import TestSupport

@_spi(Provider) @testable import AuthFlow
@testable import EntraNativeAuth

/// Someone who has signed in, and the answers that come afterwards.
struct SignedInStage {
  struct Unexpected: Error, CustomStringConvertible { var description: String }

  let clock = MovableClock(Fixture.now)

  /// Signs in by an answer, then goes on with further answers.
  func signedIn(
    _ first: Response,
    then answers: [ScriptedTransport.Answer] = []
  ) async throws -> (Outcome<SignInState>, EntraProvider, ScriptedTransport, ProviderMemory) {
    let tenant = try await SigningTenant.shared.value
    let begun: [ScriptedTransport.Answer] = [
      .success(.json(Fixture.begun)), .success(.json(Fixture.password)), .success(first),
    ]
    let transport = ScriptedTransport(begun + answers, documents: tenant.documents)
    let provider = provider(transport, clock: clock.wallClock)
    var memory = ProviderMemory()
    let outcome = await provider.beginSignIn(
      identifier: try .typed(),
      password: try .typed(),
      memory: &memory
    )
    return (outcome, provider, transport, memory)
  }

  func session(_ outcome: Outcome<SignInState>) throws -> Session {
    guard case .complete(let session)? = outcome.moved else {
      throw Unexpected(description: "\(outcome)")
    }
    return session
  }

  func tokens(_ more: String = "") async throws -> Response {
    let tenant = try await SigningTenant.shared.value
    return try await tenant.tokens(claims: SigningTenant.claims(at: clock.now), more: more)
  }
}
