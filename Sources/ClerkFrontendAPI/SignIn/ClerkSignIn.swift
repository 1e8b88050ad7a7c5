@_spi(Provider) public import AuthFlow
internal import HTTPTypes

extension ClerkProvider {
  public func beginSignIn(
    identifier: Identifier,
    password: Password?,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    let call = Call.createSignIn(identifier, password: password)
    do {
      return .moved(to: try await step(call, identifier: identifier, memory: &memory))
    } catch {
      guard password != nil else { return .refused(error.error, at: nil) }
      return await outcome(of: error, to: Tried(identifier: identifier), memory: &memory)
    }
  }

  public func submit(
    _ password: Password,
    for prompt: PasswordPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    let attempt = prompt.attempt
    let call = Call.attemptPassword(password, of: attempt)
    do {
      return .moved(to: try await step(call, of: attempt, at: .needsFirstFactor, memory: &memory))
    } catch {
      let tried = Tried(identifier: attempt.identifier, attempt: attempt)
      return await outcome(of: error, to: tried, memory: &memory)
    }
  }

  public func choose(
    _ factor: Factor,
    for prompt: FactorPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    let attempt = prompt.attempt
    switch factor.kind {
    case .password:
      return .moved(to: .passwordRequired(PasswordPrompt(attempt: attempt)))
    case .enterprise:
      let method = BrowserMethod(
        strategy: factor.reference ?? "enterprise_sso",
        providerName: factor.destination
      )
      do {
        let browser = try await browserPrompt(for: attempt, method, memory: &memory)
        return .moved(to: .browserRequired(browser))
      } catch {
        return .refused(error.error, at: nil)
      }
    case .emailLink:
      // Without an address for its links, nothing is asked, and nothing can have changed.
      guard linkAddresses != nil else { return .refused(.methodUnavailable(), at: nil) }
      do {
        return .moved(to: try await sendLink(factor, of: attempt, memory: &memory))
      } catch {
        return await choice(insteadOf: prompt, after: error, memory: &memory)
      }
    case .authenticatorCode, .backupCode:
      let code = CodePrompt(attempt: attempt, stage: prompt.stage, factor: factor)
      return .moved(to: code.state)
    case .emailCode, .phoneCode, .resetPasswordEmailCode, .resetPasswordPhoneCode:
      let stage = factor.resetsPassword ? .passwordReset : prompt.stage
      do {
        return .moved(to: try await sent(factor, stage, of: attempt, memory: &memory).state)
      } catch {
        return await choice(insteadOf: prompt, after: error, memory: &memory)
      }
    }
  }

  /// Refuses a factor, at the choice that is left if the API does not offer it any more.
  ///
  /// A strategy may have been turned off since the attempt was read. The password is asked for
  /// again if it was before, and is not offered if it was ruled out.
  private func choice(
    insteadOf prompt: FactorPrompt,
    after refusal: RefusedCall,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    guard refusal.has("strategy_for_user_invalid") else { return .refused(refusal.error, at: nil) }
    let now: SignInResource
    do {
      now = try await ask(.read(prompt.attempt), for: SignInResource.self, memory: &memory).resource
    } catch {
      return .refused(refusal.error, at: nil)
    }
    guard now.status.known == prompt.stage.dueStatus else {
      return .refused(refusal.error, at: nil)
    }
    let attempt = SignInAttempt(now, identifier: prompt.attempt.identifier)
    guard prompt.stage == .firstFactor else {
      return refused(refusal, leaving: attempt.secondFactors, of: attempt, insteadOf: prompt)
    }
    guard prompt.attempt.firstFactors.contains(where: { $0.kind == .password }) else {
      let left = attempt.withoutPassword { _ in 0 }
      return refused(refusal, leaving: left.firstFactors, of: left, insteadOf: prompt)
    }
    if !prompt.factors.contains(where: { $0.kind == .password }),
      attempt.firstFactors.contains(where: { $0.kind == .password })
    {
      return .refused(refusal.error, at: .passwordRequired(PasswordPrompt(attempt: attempt)))
    }
    return refused(refusal, leaving: attempt.firstFactors, of: attempt, insteadOf: prompt)
  }

  private func refused(
    _ refusal: RefusedCall,
    leaving factors: [Factor],
    of attempt: SignInAttempt,
    insteadOf prompt: FactorPrompt
  ) -> Outcome<SignInState> {
    let left = FactorPrompt(
      attempt: attempt,
      stage: prompt.stage,
      factors: factors,
      concern: prompt.concern
    )
    guard let left else { return .refused(.noUsableMethod(), at: nil) }
    return .refused(refusal.error, at: .factorRequired(left))
  }

  public func submit(
    _ code: VerificationCode,
    for prompt: CodePrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    let call = Call.attempt(code, for: prompt)
    do {
      let due = prompt.stage.dueStatus
      return .moved(to: try await step(call, of: prompt.attempt, at: due, memory: &memory))
    } catch {
      return .refused(error.error, at: nil)
    }
  }

  public func resend(
    _ prompt: CodePrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    do {
      return .moved(to: try await sendAgain(prompt, memory: &memory).state)
    } catch {
      return .refused(error.error, at: error.standing(of: prompt)?.state)
    }
  }

  /// Makes a call that answers with the sign-in, and reads its state.
  func step(
    _ call: Call,
    identifier: Identifier,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> SignInState {
    let answer = try await ask(call, for: SignInResource.self, memory: &memory)
    return try await state(
      after: answer.resource,
      client: answer.client,
      identifier: identifier,
      memory: &memory
    )
  }

  /// Makes a call that advances an attempt, and reads its state.
  ///
  /// If the API has carried out the call before and its answer was lost, it refuses the second one:
  /// then the attempt is read, and continues from there (<doc:ClerkSigningIn#Decisions>).
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - attempt: The attempt that it advances.
  ///   - status: The status of the attempt before the call.
  ///   - memory: What is known of this browser.
  /// - Returns: The state of the attempt.
  /// - Throws: `RefusedCall` if the API refuses the call and has not carried it out before.
  func step(
    _ call: Call,
    of attempt: SignInAttempt,
    at status: SignInResource.Status,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> SignInState {
    do {
      return try await step(call, identifier: attempt.identifier, memory: &memory)
    } catch {
      guard error.mayBeDoneAlready else { throw error }
      let now = try await ask(.read(attempt), for: SignInResource.self, memory: &memory)
      guard now.resource.status.known != status else { throw error }
      return try await state(
        after: now.resource,
        client: now.client,
        identifier: attempt.identifier,
        memory: &memory
      )
    }
  }

  func sendAgain(
    _ prompt: CodePrompt,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> CodePrompt {
    try await send(prompt.factor, prompt.stage, of: prompt.attempt, memory: &memory)
  }

  /// Has a code sent; if it is too soon for another, the code that the sign-in waits for is used.
  ///
  /// The answer to the earlier request may have been lost. The sign-in does not tell which of
  /// several contacts the code was sent to: then the refusal is thrown.
  private func sent(
    _ factor: Factor,
    _ stage: FactorStage,
    of attempt: SignInAttempt,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> CodePrompt {
    do {
      return try await send(factor, stage, of: attempt, memory: &memory)
    } catch {
      guard let until = error.resendAllowedAt else { throw error }
      let now = try await ask(.read(attempt), for: SignInResource.self, memory: &memory)
      let verification = now.resource.verification(at: stage)
      guard let verification, verification.strategy == factor.kind.rawValue,
        verification.status == "unverified",
        now.resource.factors(at: stage).count(where: { $0.strategy == verification.strategy }) == 1
      else { throw error }
      return CodePrompt(
        factor,
        stage: stage,
        of: attempt,
        verification: verification,
        resendAvailableAt: until
      )
    }
  }

  /// Has a code sent; the status of the sign-in does not change
  /// (<doc:ClerkSigningIn#Prepare-a-first-factor>).
  func send(
    _ factor: Factor,
    _ stage: FactorStage,
    of attempt: SignInAttempt,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> CodePrompt {
    guard let call = Call.prepare(factor, stage, of: attempt) else {
      throw RefusedCall(.methodUnavailable())
    }
    let answer = try await ask(call, for: SignInResource.self, memory: &memory)
    return CodePrompt(
      factor,
      stage: stage,
      of: attempt,
      verification: answer.resource.verification(at: stage),
      resendAvailableAt: nextResend
    )
  }
}

extension SignInResource {
  fileprivate func verification(at stage: FactorStage) -> VerificationResource? {
    switch stage {
    case .firstFactor, .passwordReset: firstVerification
    case .secondFactor, .deviceTrust, .enrolment: secondVerification
    }
  }

  fileprivate func factors(at stage: FactorStage) -> [FactorResource] {
    switch stage {
    case .firstFactor, .passwordReset: firstFactors
    case .secondFactor, .deviceTrust, .enrolment: secondFactors
    }
  }
}

extension RefusedCall {
  /// The prompt after this refusal to send another code; nil if it is unchanged.
  func standing(of prompt: CodePrompt) -> CodePrompt? {
    resendAllowedAt.map(prompt.waiting(until:))
  }
}
