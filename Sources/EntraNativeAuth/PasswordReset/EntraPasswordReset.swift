internal import AuthAPIClient
@_spi(Provider) public import AuthFlow
internal import Foundation

/// Source: <doc:EntraResettingPasswords#Completion>, <doc:EntraResettingPasswords#Steps>,
/// <doc:EntraSigningIn#After-a-sign-up-or-a-reset>.
extension EntraProvider: PasswordResetProvider, PasswordResetProgressProvider {
  /// How many polls are made in all before a person is told that it takes long (MSAL: 6).
  static let patience = 6

  public var endsOtherSessions: Bool { false }

  public func beginPasswordReset(
    identifier: Identifier,
    memory: inout ProviderMemory
  ) async -> Outcome<PasswordResetState> {
    do {
      return .moved(to: try await beginReset(identifier))
    } catch {
      return outcome(of: error, at: .resetStart, for: identifier)
    }
  }

  private func beginReset(
    _ identifier: Identifier
  ) async throws(Failure) -> PasswordResetState {
    let started = try await api.ask(.startReset(identifier), for: ContinuedAnswer.self)
    let attempt = SignInAttempt(
      identifier: identifier,
      continuation: started.continuation,
      firstFactors: []
    )
    return .step(.codeRequired(try await sendResetCode(of: attempt)))
  }

  private func sendResetCode(of attempt: SignInAttempt) async throws(Failure) -> CodePrompt {
    let challenge = try await api.ask(
      .challengeReset(attempt.continuation),
      for: ChallengeAnswer.self
    )
    guard case .code(let sent) = challenge.kind else {
      throw .failed(.nonsense(traceID: nil, "no-code-at-reset"))
    }
    let kind: Factor.Kind =
      switch sent.channel {
      case .email: .resetPasswordEmailCode
      case .sms: .resetPasswordPhoneCode
      }
    return CodePrompt(
      asking: sent,
      by: Factor(kind: kind, destination: sent.destination),
      stage: .passwordReset,
      of: attempt.going(on: challenge.continuation),
      now: now
    )
  }

  public func submitResetCode(
    _ code: VerificationCode,
    for prompt: CodePrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<PasswordResetState> {
    let attempt = prompt.attempt
    do {
      let answer = try await api.ask(
        .continueReset(attempt.continuation, code: code),
        for: ContinuedAnswer.self
      )
      let endsAt = answer.expiresIn.map { now.addingTimeInterval(min(max($0, 0), 86_400)) }
      let next = attempt.going(on: answer.continuation, endsAt: endsAt)
      return .moved(to: .step(.newPasswordRequired(NewPasswordPrompt(attempt: next))))
    } catch {
      return outcome(of: error, at: .resetCode, for: attempt.identifier)
    }
  }

  /// Sends a new code; an attempt that has expired is restarted.
  public func resendResetCode(
    _ prompt: CodePrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<PasswordResetState> {
    let identifier = prompt.attempt.identifier
    do {
      return .moved(to: .step(.codeRequired(try await sendResetCode(of: prompt.attempt))))
    } catch {
      guard error.isExpired else { return outcome(of: error, at: .resend, for: identifier) }
      do {
        return .moved(to: try await beginReset(identifier))
      } catch {
        return outcome(of: error, at: .resend, for: identifier)
      }
    }
  }

  /// Sets the password and polls once whether it has taken effect.
  public func submit(
    newPassword: Password,
    signOutOfOtherSessions: Bool,
    for prompt: NewPasswordPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<PasswordResetState> {
    let attempt = prompt.attempt
    do {
      let answer = try await api.ask(
        .submitReset(attempt.continuation, password: newPassword),
        for: ContinuedAnswer.self
      )
      let waiting = ResetWaitPrompt(attempt: attempt.going(on: answer.continuation), checkCount: 0)
      let outcome = await checkPasswordReset(waiting, memory: &memory)
      // The password was accepted: even if the first poll failed, the next one continues from
      // there.
      if case .refused(let error, nil) = outcome, !error.endsAttempt {
        return .refused(error, at: .step(.waiting(waiting)))
      }
      return outcome
    } catch {
      return outcome(of: error, at: .newPassword, for: attempt.identifier)
    }
  }

  public func checkPasswordReset(
    _ prompt: ResetWaitPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<PasswordResetState> {
    let attempt = prompt.attempt
    do {
      let answer = try await api.ask(.pollReset(attempt.continuation), for: PollAnswer.self)
      return await outcome(of: answer, for: prompt, memory: &memory)
    } catch {
      let refusal = outcome(of: error, at: .poll, for: attempt.identifier)
      // An unacceptable password may be reported only now.
      if case .refused(let error, _) = refusal,
        error.problems.allSatisfy({ $0.field == .password })
      {
        return .refused(error, at: .step(.newPasswordRequired(NewPasswordPrompt(attempt: attempt))))
      }
      return refusal
    }
  }

  private func outcome(
    of answer: PollAnswer,
    for prompt: ResetWaitPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<PasswordResetState> {
    let attempt = prompt.attempt
    switch answer.status {
    case .succeeded:
      guard let continuation = answer.continuation else {
        return .moved(to: .continuing(.identifierRequired))
      }
      return await goOn(attempt.going(on: continuation), memory: &memory)
        .map(PasswordResetState.init(after:))
    case .notStarted, .inProgress:
      let waiting = ResetWaitPrompt(
        attempt: answer.continuation.map { attempt.going(on: $0) } ?? attempt,
        checkCount: prompt.checkCount + 1
      )
      guard waiting.checkCount >= Self.patience else { return .moved(to: .step(.waiting(waiting))) }
      let slow = Problem(.serviceTimedOut, code: CallFault.timedOut.code)
      return .refused(
        AuthError(slow, diagnosis: "poll_completion-\(waiting.checkCount)"),
        at: .step(.waiting(waiting))
      )
    case .failed:
      guard let continuation = answer.continuation else {
        return .refused(.ended(traceID: nil, "poll_completion-failed"), at: nil)
      }
      let again = NewPasswordPrompt(attempt: attempt.going(on: continuation))
      return .refused(
        AuthError(Problem(.passwordInvalid, at: .password, code: "failed")),
        at: .step(.newPasswordRequired(again))
      )
    }
  }

  private func outcome(
    of failure: Failure,
    at step: Step,
    for identifier: Identifier
  ) -> Outcome<PasswordResetState> {
    switch failure {
    case .failed(let error): .refused(error, at: nil)
    case .refused(let server, let traceID):
      .refused(error(server, at: step, traceID: traceID), at: nil)
    case .browserRequired(let reason):
      .moved(to: .browserRequired(browserPrompt(for: identifier, reason, from: .passwordReset)))
    }
  }
}
