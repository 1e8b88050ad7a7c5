@_spi(Provider) public import AuthFlow
internal import Foundation

/// Source: <doc:EntraSigningIn#Steps>, <doc:EntraMultifactor#Second-factor>.
extension EntraProvider {
  public func beginSignIn(
    identifier: Identifier,
    password: Password?,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    do {
      let begun = try await begin(identifier)
      // If the account has no password, a typed one is dropped.
      guard let password, case .passwordRequired(let prompt) = begun else {
        return .moved(to: begun)
      }
      return await submit(password, for: prompt, memory: &memory)
    } catch {
      return outcome(
        of: error,
        at: .signInStart,
        for: identifier,
        demanding: memory.demandedClaims(of: identifier.text)
      )
    }
  }

  /// Begins an attempt, and has its code sent if the account has no password.
  func begin(_ identifier: Identifier) async throws(Failure) -> SignInState {
    let begun = try await api.ask(.initiate(identifier), for: ContinuedAnswer.self)
    let challenge = try await api.ask(.challenge(begun.continuation), for: ChallengeAnswer.self)
    switch challenge.kind {
    case .password:
      let attempt = SignInAttempt(
        identifier: identifier,
        continuation: challenge.continuation,
        firstFactors: [Factor(kind: .password)]
      )
      return .passwordRequired(PasswordPrompt(attempt: attempt))
    case .code(let sent):
      let factor = Factor(kind: sent.channel.factorKind, destination: sent.destination)
      let attempt = SignInAttempt(
        identifier: identifier,
        continuation: challenge.continuation,
        firstFactors: [factor]
      )
      return .codeRequired(
        CodePrompt(asking: sent, by: factor, stage: .firstFactor, of: attempt, now: now)
      )
    case .preverified:
      throw .failed(.nonsense(traceID: nil, "preverified-at-sign-in"))
    }
  }

  public func submit(
    _ password: Password,
    for prompt: PasswordPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    let attempt = prompt.attempt
    return await redeem(
      .password(password, attempt.continuation, attempt.identifier),
      at: .password,
      of: attempt,
      standing: .passwordRequired(prompt),
      memory: &memory
    )
  }

  /// Sends a second factor's code; a first factor is never chosen, since the service decides.
  public func choose(
    _ factor: Factor,
    for prompt: FactorPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    guard prompt.stage == .secondFactor, let method = factor.reference else {
      return .refused(.methodUnavailable, at: nil)
    }
    do {
      let code = try await sendSecondFactor(method, factor, of: prompt.attempt)
      return .moved(to: .codeRequired(code))
    } catch {
      let refusal = outcome(of: error, at: .secondFactorChoice, for: prompt.attempt.identifier)
      guard case .refused(let error, _) = refusal, error.contains(where: \.isOfMethod) else {
        return refusal
      }
      return prompt.without(factor).map { .refused(error, at: .factorRequired($0)) }
        ?? .refused(error.leavingNoMethod, at: nil)
    }
  }

  public func submit(
    _ code: VerificationCode,
    for prompt: CodePrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    let attempt = prompt.attempt
    switch prompt.stage {
    case .firstFactor:
      return await redeem(
        .code(code, attempt.continuation),
        at: .signInCode,
        of: attempt,
        memory: &memory
      )
    case .secondFactor:
      return await redeem(
        .secondFactorCode(code, attempt.continuation),
        at: .secondFactorCode,
        of: attempt,
        memory: &memory
      )
    case .enrolment: return await submitEnrolmentCode(code, for: prompt, memory: &memory)
    case .deviceTrust, .passwordReset: return .refused(.methodUnavailable, at: nil)
    }
  }

  /// Sends a new code; an attempt that has expired at its first code is restarted.
  public func resend(
    _ prompt: CodePrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    let attempt = prompt.attempt
    do {
      switch prompt.stage {
      case .firstFactor: return .moved(to: try await resendFirstFactor(attempt))
      case .secondFactor:
        guard let method = prompt.factor.reference else { break }
        let code = try await sendSecondFactor(method, prompt.factor, of: attempt)
        return .moved(to: .codeRequired(code))
      case .enrolment: return try await resendEnrolmentCode(prompt, memory: &memory)
      case .deviceTrust, .passwordReset: break
      }
      return .refused(.methodUnavailable, at: nil)
    } catch {
      return outcome(
        of: error,
        at: .resend,
        for: attempt.identifier,
        isPastFirstFactor: prompt.stage != .firstFactor
      )
    }
  }

  private func resendFirstFactor(_ attempt: SignInAttempt) async throws(Failure) -> SignInState {
    let challenge: ChallengeAnswer
    do {
      challenge = try await api.ask(.challenge(attempt.continuation), for: ChallengeAnswer.self)
    } catch {
      guard error.isExpired else { throw error }
      return try await begin(attempt.identifier)
    }
    guard case .code(let sent) = challenge.kind, let factor = attempt.firstFactors.first else {
      throw .failed(.ended(traceID: nil, "password-at-resend"))
    }
    return .codeRequired(
      CodePrompt(
        asking: sent,
        by: factor,
        stage: .firstFactor,
        of: attempt.going(on: challenge.continuation),
        now: now
      )
    )
  }

  private func sendSecondFactor(
    _ method: String,
    _ factor: Factor,
    of attempt: SignInAttempt
  ) async throws(Failure) -> CodePrompt {
    let challenge = try await api.ask(
      .challenge(attempt.continuation, method: method),
      for: ChallengeAnswer.self
    )
    guard case .code(let sent) = challenge.kind else {
      throw .failed(.nonsense(traceID: nil, "no-code-for-second-factor"))
    }
    return CodePrompt(
      asking: sent,
      by: factor,
      stage: .secondFactor,
      of: attempt.going(on: challenge.continuation),
      now: now
    )
  }

  /// Asks which second factors there are.
  func secondFactorChoice(
    of attempt: SignInAttempt,
    from continuation: Continuation
  ) async throws(Failure) -> SignInState {
    let answer = try await api.ask(.introspect(continuation), for: MethodsAnswer.self)
    let attempt = attempt.going(
      on: answer.continuation,
      secondFactors: answer.methods.compactMap(\.factor)
    )
    let prompt = FactorPrompt(
      attempt: attempt,
      stage: .secondFactor,
      factors: attempt.secondFactors
    )
    guard let prompt else {
      throw .failed(AuthError(Problem(.noUsableMethod, code: "invalid_grant/mfa_required")))
    }
    return .factorRequired(prompt)
  }
}

extension SignInAttempt {
  /// The same attempt with its newest token; earlier tokens are worthless, and dropped.
  func going(
    on continuation: Continuation,
    secondFactors: [Factor]? = nil,
    endsAt: Date? = nil
  ) -> SignInAttempt {
    with(continuation: continuation, secondFactors: secondFactors, endsAt: endsAt)
  }
}

extension FactorPrompt {
  /// The choice without a factor that cannot be used; nil if none is left.
  fileprivate func without(_ factor: Factor) -> FactorPrompt? {
    let others = factors.filter { $0 != factor }
    return FactorPrompt(attempt: attempt.with(secondFactors: others), stage: stage, factors: others)
  }
}

extension ChallengeAnswer.SentCode {
  /// When another code may be asked for; after half a minute if the service does not say.
  ///
  /// The wait is limited to the longest that is enforced here: the service itself refuses nothing
  /// that comes too early.
  func resendAvailableAt(now: Date) -> Date {
    now.addingTimeInterval(min(max(resendInterval ?? 30, 0), longestResendWait))
  }
}

extension CodePrompt {
  init(
    asking sent: ChallengeAnswer.SentCode,
    by factor: Factor,
    stage: FactorStage,
    of attempt: SignInAttempt,
    now: Date
  ) {
    var factor = factor
    factor.destination = sent.destination ?? factor.destination
    self.init(
      attempt: attempt.naming(factor),
      stage: stage,
      factor: factor,
      codeLength: sent.length,
      resendAvailableAt: sent.resendAvailableAt(now: now)
    )
  }
}

extension SignInAttempt {
  /// The attempt with one of its factors updated.
  fileprivate func naming(_ factor: Factor) -> SignInAttempt {
    func named(_ factors: [Factor]) -> [Factor] {
      factors.map { $0.kind == factor.kind && $0.reference == factor.reference ? factor : $0 }
    }
    return with(firstFactors: named(firstFactors), secondFactors: named(secondFactors))
  }
}
