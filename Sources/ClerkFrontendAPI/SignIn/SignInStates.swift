@_spi(Provider) internal import AuthFlow
internal import Foundation

extension ClerkProvider {
  /// The state of the attempt after an answer.
  func state(
    after resource: SignInResource,
    client: ClientResource?,
    identifier: Identifier,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> SignInState {
    try throwFailure(of: resource)
    switch SignInAnswer(resource, identifier: identifier) {
    case .firstFactorNeeded(let attempt):
      return try firstStep(of: attempt)
    case .browserNeeded(let attempt, let method):
      return .browserRequired(try await browserPrompt(for: attempt, method, memory: &memory))
    case .secondFactorNeeded(let attempt, let stage, let preferred):
      let prompt = FactorPrompt(
        attempt: attempt,
        stage: stage,
        factors: attempt.secondFactors,
        preferred: preferred
      )
      guard let prompt else { throw RefusedCall(.noUsableMethod()) }
      return .factorRequired(prompt)
    case .newPasswordNeeded(let attempt):
      return .resettingPassword(.newPasswordRequired(NewPasswordPrompt(attempt: attempt)))
    case .complete(let sessionID):
      return .complete(try await newSession(sessionID, in: client, memory: &memory))
    case .stuck(let error):
      throw RefusedCall(error)
    }
  }

  /// Throws if a successful answer says that the first factor has failed, and why
  /// (<doc:ClerkSigningIn#Verifications>).
  func throwFailure(of resource: SignInResource) throws(RefusedCall) {
    guard resource.status.known == .needsFirstFactor,
      let item = resource.firstVerification?.error
    else { return }
    let reading = ErrorReading(purpose: .signIn, now: api.clock.now)
    throw RefusedCall(AuthError(reading.problem(of: item)))
  }

  /// The password if the account has one, otherwise a choice.
  private func firstStep(of attempt: SignInAttempt) throws(RefusedCall) -> SignInState {
    if attempt.firstFactors.contains(where: { $0.kind == .password }) {
      return .passwordRequired(PasswordPrompt(attempt: attempt))
    }
    guard let prompt = attempt.firstFactorPrompt() else { throw RefusedCall(.noUsableMethod()) }
    return .factorRequired(prompt)
  }

  /// The session that the attempt created: from the client in the answer, otherwise fetched.
  func newSession(
    _ id: String,
    in client: ClientResource?,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> Session {
    var session = client?.session(id)
    if session == nil {
      session = try await self.client(purpose: .signIn, memory: &memory)?.session(id)
    }
    guard let session else { throw RefusedCall(.nonsense("no-new-session")) }
    return await activated(session, memory: &memory)
  }
}

extension SignInAttempt {
  /// The choice among the first factors; nil if there is none.
  func firstFactorPrompt() -> FactorPrompt? {
    FactorPrompt(attempt: self, stage: .firstFactor, factors: firstFactors)
  }

  /// The same attempt without the password, its other factors in that order.
  func withoutPassword(order: (Factor) -> Int) -> SignInAttempt {
    let others = firstFactors.filter { $0.kind != .password }
    let sorted = others.enumerated().sorted {
      (order($0.element), $0.offset) < (order($1.element), $1.offset)
    }
    return with(firstFactors: sorted.map(\.element))
  }
}

extension CodePrompt {
  init(
    _ factor: Factor,
    stage: FactorStage,
    of attempt: SignInAttempt,
    verification: VerificationResource?,
    resendAvailableAt: Date?
  ) {
    self.init(
      attempt: attempt,
      stage: stage,
      factor: factor,
      expiresAt: verification?.expiresAt,
      resendAvailableAt: resendAvailableAt
    )
  }

  /// The state in which the code is due.
  var state: SignInState {
    switch stage {
    case .firstFactor, .secondFactor, .deviceTrust, .enrolment: .codeRequired(self)
    case .passwordReset: .resettingPassword(.codeRequired(self))
    }
  }
}
