@_spi(Provider) public import AuthFlow

/// Source: <doc:EntraMultifactor#Registration>.
extension EntraProvider: EnrolmentProvider {
  /// Asks which methods may be registered.
  func enrolmentChoice(
    of attempt: SignInAttempt,
    from continuation: Continuation
  ) async throws(Failure) -> SignInState {
    let answer = try await api.ask(
      .introspectRegistration(continuation),
      for: MethodsAnswer.self
    )
    let prompt = EnrolmentPrompt(
      attempt: attempt.going(on: answer.continuation),
      methods: answer.methods.compactMap(\.factor)
    )
    guard let prompt else {
      throw .failed(
        AuthError(Problem(.noUsableMethod, code: "invalid_grant/registration_required"))
      )
    }
    return .enrolmentRequired(prompt)
  }

  public func enrol(
    _ enrolment: Enrolment,
    for prompt: EnrolmentPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    do {
      return try await register(
        enrolment.contact,
        by: enrolment.method,
        of: prompt.attempt,
        memory: &memory
      )
    } catch {
      return outcome(of: error, at: .enrolment, for: prompt.attempt.identifier)
    }
  }

  /// Has a code sent to the contact; a contact that is proven already is registered at once.
  private func register(
    _ contact: String,
    by method: Factor,
    of attempt: SignInAttempt,
    memory: inout ProviderMemory
  ) async throws(Failure) -> Outcome<SignInState> {
    let challenge = try await api.ask(
      .challengeRegistration(
        attempt.continuation,
        contact: contact,
        channel: method.kind == .phoneCode ? "sms" : "email"
      ),
      for: ChallengeAnswer.self
    )
    let attempt = attempt.going(on: challenge.continuation)
    switch challenge.kind {
    case .code(var sent):
      // The next code goes there, too.
      sent.destination = sent.destination ?? contact
      return .moved(
        to: .codeRequired(
          CodePrompt(asking: sent, by: method, stage: .enrolment, of: attempt, now: now)
        )
      )
    case .preverified:
      return await finishPreverified(attempt, memory: &memory)
    case .password:
      throw .failed(.nonsense(traceID: nil, "password-at-registration"))
    }
  }

  /// Registers a contact that was proven before; nothing is left to type, so an error ends the
  /// attempt.
  private func finishPreverified(
    _ attempt: SignInAttempt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    do {
      let done = try await api.ask(
        .continueRegistration(attempt.continuation),
        for: ContinuedAnswer.self
      )
      return await finish(attempt, from: done.continuation, memory: &memory)
    } catch {
      return outcome(of: error, at: .finish, for: attempt.identifier).withGrantSpent
    }
  }

  func submitEnrolmentCode(
    _ code: VerificationCode,
    for prompt: CodePrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    do {
      let done = try await api.ask(
        .continueRegistration(prompt.attempt.continuation, code: code),
        for: ContinuedAnswer.self
      )
      return await finish(prompt.attempt, from: done.continuation, memory: &memory)
    } catch {
      return outcome(of: error, at: .enrolmentCode, for: prompt.attempt.identifier)
    }
  }

  func resendEnrolmentCode(
    _ prompt: CodePrompt,
    memory: inout ProviderMemory
  ) async throws(Failure) -> Outcome<SignInState> {
    try await register(
      prompt.factor.destination ?? "",
      by: prompt.factor,
      of: prompt.attempt,
      memory: &memory
    )
  }

  /// The last step: anything but tokens ends the attempt.
  private func finish(
    _ attempt: SignInAttempt,
    from continuation: Continuation,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    await redeem(
      .continuation(continuation, nil),
      at: .enrolmentFinish,
      of: attempt.going(on: continuation),
      memory: &memory
    ).withGrantSpent
  }
}
