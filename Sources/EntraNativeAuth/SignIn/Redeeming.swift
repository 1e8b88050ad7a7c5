@_spi(Provider) internal import AuthFlow
internal import Foundation

extension EntraProvider {
  /// Redeems a grant: the person is signed in, or one more step is due.
  ///
  /// - Parameters:
  ///   - grant: The grant.
  ///   - step: The step of the flow.
  ///   - attempt: The attempt that the grant belongs to.
  ///   - standing: The state of the attempt if the grant is refused; nil leaves it.
  ///   - nonce: The nonce that the ID token has to repeat; nil if none was sent.
  ///   - memory: What is remembered of the browser.
  /// - Returns: A state, or a refusal.
  func redeem(
    _ grant: Grant,
    at step: Step,
    of attempt: SignInAttempt,
    standing: SignInState? = nil,
    nonce: String? = nil,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    // Without these a token cannot be verified, and the grant would be spent in vain.
    do {
      try await documents.prepare()
    } catch {
      return .refused(error, at: standing)
    }
    let demanded = memory.demandedClaims(of: attempt.identifier.text)
    let call = Call.token(grant, scopes: api.tenant.scopes, claims: claims(demanding: demanded))
    do {
      let answer = try await api.ask(call, for: TokenAnswer.self)
      return await enter(with: answer, as: attempt.identifier, nonce: nonce, memory: &memory)
        .withGrantSpent
    } catch {
      return await next(
        after: error,
        at: step,
        of: attempt,
        standing: standing,
        memory: &memory
      )
    }
  }

  /// The `claims` of a token request; nil if there is nothing to request.
  func claims(demanding demanded: String?) -> String? {
    ClaimsChallenge.parameter(demanding: demanded, capabilities: api.tenant.clientCapabilities)
  }

  /// Continues after a failure: an error with a token is a step, a second factor or a method to
  /// register; one that the tenant's own page can resolve leads there.
  private func next(
    after failure: Failure,
    at step: Step,
    of attempt: SignInAttempt,
    standing: SignInState?,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    let name = attempt.identifier.text
    guard case .refused(let server, let traceID) = failure else {
      return outcome(
        of: failure,
        at: step,
        for: attempt.identifier,
        standing: standing,
        demanding: memory.demandedClaims(of: name)
      )
    }
    if let claims = server.claims {
      memory.claimsDemand = ClaimsDemand(claims, of: [name])
    } else if server.isAboutRequest, memory.demandedClaims(of: name) != nil {
      // If the claims were refused, no sign-in would succeed as long as they are requested.
      memory.claimsDemand = nil
    }
    do {
      switch (server.suberror, server.continuation) {
      case ("mfa_required"?, let continuation?) where step.mayAskForMore:
        return .moved(to: try await secondFactorChoice(of: attempt, from: continuation))
      case ("registration_required"?, let continuation?) where step.mayAskForMore:
        return .moved(to: try await enrolmentChoice(of: attempt, from: continuation))
      case ("mfa_required"?, _), ("registration_required"?, _):
        return .refused(.ended(traceID: traceID, server.diagnosis), at: nil)
      default:
        if server.isMendedInBrowser, step != .browserReturn {
          let prompt = browserPrompt(
            for: attempt.identifier,
            server.namedReason,
            demanding: memory.demandedClaims(of: name),
            isPastFirstFactor: true
          )
          if prompt.address != nil { return .moved(to: .browserRequired(prompt)) }
        }
        return outcome(of: failure, at: step, for: attempt.identifier, standing: standing)
      }
    } catch {
      // The step that the error offered is not possible: only a new attempt helps.
      return outcome(of: error, at: .finish, for: attempt.identifier).withGrantSpent
    }
  }
}

extension Outcome<SignInState> {
  /// The outcome once the grant is spent: after a refusal, only a new attempt helps.
  ///
  /// Source: <doc:EntraMultifactor#Second-factor>, <doc:EntraMultifactor#Registration>.
  var withGrantSpent: Outcome {
    guard case .refused(let error, _) = self, !error.endsAttempt else { return self }
    return error.contains(where: { $0 == .unrecognised })
      ? .refused(error.asEnd, at: nil)
      : .refused(error, at: .identifierRequired)
  }
}
