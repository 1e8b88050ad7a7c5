@_spi(Provider) public import AuthFlow

/// Source: <doc:EntraSigningUp#Attributes>, <doc:EntraSigningUp#Steps>,
/// <doc:EntraSigningIn#After-a-sign-up-or-a-reset>.
extension EntraProvider: SignUpProvider {
  /// None: only the tenant knows what it accepts.
  public func foreseenProblems(with details: SignUpDetails) -> [Problem] { [] }

  public func beginSignUp(
    _ details: SignUpDetails,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> {
    guard let typed = details.values[.emailAddress], let username = Identifier(typed: typed) else {
      let missing = Problem(.missing, at: .emailAddress, code: OwnCode.required)
      return .refused(AuthError(missing), at: nil)
    }
    guard policy().takesSignUps else {
      return .refused(AuthError(Problem(.signUpClosed, code: OwnCode.signUpUnavailable)), at: nil)
    }
    let values: [Field: String] = [.emailAddress: typed]
    do {
      return .moved(to: try await begin(username, details.password, values))
    } catch {
      return outcome(of: error, at: .signUpStart, values: values)
    }
  }

  /// Starts the sign-up and has the code sent.
  private func begin(
    _ username: Identifier,
    _ password: Password?,
    _ values: [Field: String]
  ) async throws(Failure) -> SignUpState {
    let started: ContinuedAnswer
    do {
      started = try await api.ask(
        .startSignUp(username, password: password),
        for: ContinuedAnswer.self
      )
    } catch {
      // A tenant without passwords refuses one, so it is left out.
      guard password != nil, error.isAboutMethod else { throw error }
      return try await begin(username, nil, values)
    }
    let attempt = SignUpAttempt(continuation: started.continuation, values: values)
    return .codeRequired(try await send(attempt))
  }

  private func send(_ attempt: SignUpAttempt) async throws(Failure) -> ContactPrompt {
    let challenge = try await api.ask(
      .challengeSignUp(attempt.continuation),
      for: ChallengeAnswer.self
    )
    guard case .code(let sent) = challenge.kind else {
      throw .failed(.ended(traceID: nil, "no-code-at-sign-up"))
    }
    return ContactPrompt(
      attempt: attempt.going(on: challenge.continuation),
      contact: .emailAddress,
      destination: attempt.values[.emailAddress] ?? sent.destination ?? "",
      codeLength: sent.length,
      resendAvailableAt: sent.resendAvailableAt(now: now)
    )
  }

  public func submit(
    _ code: VerificationCode,
    for prompt: ContactPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> {
    await goOn(
      .continueSignUp(prompt.attempt.continuation, code: code),
      at: .signUpCode,
      of: prompt.attempt,
      memory: &memory
    )
  }

  public func submit(
    _ details: SignUpDetails,
    for prompt: MissingDetailsPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> {
    let attempt = prompt.attempt
    if prompt.fields == [.password] {
      guard let password = details.password else {
        return .refused(
          AuthError(Problem(.missing, at: .password, code: OwnCode.required)),
          at: nil
        )
      }
      return await submit(password, of: attempt, memory: &memory)
    }
    let filled = prompt.fields.compactMap { field in
      details.values[field].map { (name: AttributeName.name(of: field), value: $0) }
    }
    return await goOn(
      .continueSignUp(attempt.continuation, attributes: filled),
      at: .attributes,
      of: attempt.knowing(details.values),
      memory: &memory
    )
  }

  /// Sends the password, after its challenge if that is still due.
  private func submit(
    _ password: Password,
    of attempt: SignUpAttempt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> {
    guard let due = attempt.continuation.dueForChallenge else {
      return await goOn(
        .continueSignUp(attempt.continuation, password: password),
        at: .signUpPassword,
        of: attempt,
        memory: &memory
      )
    }
    let prompt: MissingDetailsPrompt
    do {
      prompt = try await challengePassword(of: attempt, from: due)
    } catch {
      return outcome(of: error, at: .finish, values: attempt.values)
    }
    let outcome = await submit(password, of: prompt.attempt, memory: &memory)
    if case .refused(let error, nil) = outcome {
      return .refused(error, at: .detailsMissing(prompt))
    }
    return outcome
  }

  /// Sends a new code; an attempt that has expired is restarted.
  public func resend(
    _ prompt: ContactPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> {
    let values = prompt.attempt.values
    do {
      return .moved(to: .codeRequired(try await send(prompt.attempt)))
    } catch {
      guard error.isExpired, let username = Identifier(typed: prompt.destination) else {
        return outcome(of: error, at: .resend, values: values)
      }
      do {
        return .moved(to: try await begin(username, nil, values))
      } catch {
        return outcome(of: error, at: .resend, values: values)
      }
    }
  }

  /// Makes a call that may complete the sign-up or ask for more.
  private func goOn(
    _ call: Call,
    at step: Step,
    of attempt: SignUpAttempt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> {
    do {
      let answer = try await api.ask(call, for: SignedUpAnswer.self)
      return await enter(attempt, from: answer.continuation, memory: &memory)
    } catch {
      return await next(after: error, of: attempt)
        ?? outcome(of: error, at: step, values: attempt.values)
    }
  }

  /// An error with a token is a step: a password to choose, or details to give.
  private func next(
    after failure: Failure,
    of attempt: SignUpAttempt
  ) async -> Outcome<SignUpState>? {
    guard case .refused(let server, let traceID) = failure,
      let continuation = server.continuation
    else { return nil }
    switch server.error {
    case "credential_required": return await askForPassword(of: attempt, from: continuation)
    case "attributes_required":
      let entries = AttributeName.entries(for: server.requiredAttributes)
      let attempt = attempt.going(on: continuation)
      guard let prompt = MissingDetailsPrompt(attempt: attempt, entries: entries) else {
        return .refused(.nothingToAskFor(server, traceID: traceID), at: nil)
      }
      return .moved(to: .detailsMissing(prompt))
    default: return nil
    }
  }

  /// Asks for a password.
  ///
  /// The previous token is spent: if the challenge fails, the page is shown all the same, and
  /// repeats the challenge with the new token.
  private func askForPassword(
    of attempt: SignUpAttempt,
    from continuation: Continuation
  ) async -> Outcome<SignUpState> {
    do {
      let prompt = try await challengePassword(of: attempt, from: continuation)
      return .moved(to: .detailsMissing(prompt))
    } catch {
      let outcome = outcome(of: error, at: .finish, values: attempt.values)
      let later = attempt.going(on: continuation.awaitingChallenge)
      guard case .refused(let error, nil) = outcome, !error.endsAttempt,
        let prompt = MissingDetailsPrompt(attempt: later, fields: [.password])
      else { return outcome }
      return .refused(error, at: .detailsMissing(prompt))
    }
  }

  private func challengePassword(
    of attempt: SignUpAttempt,
    from continuation: Continuation
  ) async throws(Failure) -> MissingDetailsPrompt {
    let challenge = try await api.ask(.challengeSignUp(continuation), for: ChallengeAnswer.self)
    let attempt = attempt.going(on: challenge.continuation)
    guard challenge.kind == .password,
      let prompt = MissingDetailsPrompt(attempt: attempt, fields: [.password])
    else { throw .failed(AuthError.nonsense(traceID: nil, "no-password-wanted").endingAttempt) }
    return prompt
  }

  /// The account exists: signs in with the last token of the sign-up.
  private func enter(
    _ attempt: SignUpAttempt,
    from continuation: Continuation?,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> {
    guard let continuation,
      let username = attempt.values[.emailAddress].flatMap(Identifier.init(typed:))
    else { return .moved(to: .continuing(.identifierRequired)) }
    let signIn = SignInAttempt(
      identifier: username,
      continuation: continuation,
      firstFactors: []
    )
    return await goOn(signIn, memory: &memory).map(SignUpState.continuing)
  }

  /// Signs in after a sign-up or a reset; if that is refused, the person signs in again.
  func goOn(_ attempt: SignInAttempt, memory: inout ProviderMemory) async -> Outcome<SignInState> {
    let outcome = await redeem(
      .continuation(attempt.continuation, attempt.identifier),
      at: .finish,
      of: attempt,
      memory: &memory
    )
    switch outcome {
    case .moved: return outcome
    // The account or password stays, so the flow does not return to its last step.
    case .refused(let error, _): return .refused(error, at: .identifierRequired)
    }
  }

  private func outcome(
    of failure: Failure,
    at step: Step,
    values: [Field: String]
  ) -> Outcome<SignUpState> {
    switch failure {
    case .failed(let error): return .refused(error, at: nil)
    case .refused(let server, let traceID):
      return .refused(error(server, at: step, traceID: traceID), at: nil)
    case .browserRequired(let reason):
      guard let username = values[.emailAddress].flatMap(Identifier.init(typed:)) else {
        return .refused(.methodUnavailable, at: nil)
      }
      let prompt = browserPrompt(for: username, reason, from: .signUp)
      return .moved(to: .continuing(.browserRequired(prompt)))
    }
  }
}

extension SignUpAttempt {
  /// The same attempt with its newest token.
  fileprivate func going(on continuation: Continuation) -> SignUpAttempt {
    SignUpAttempt(continuation: continuation, values: values, endsAt: endsAt)
  }

  fileprivate func knowing(_ more: [Field: String]) -> SignUpAttempt {
    SignUpAttempt(
      continuation: continuation,
      values: values.merging(more) { $1 },
      endsAt: endsAt
    )
  }
}

extension Continuation {
  /// A mark that no token begins with, since tokens have no spaces.
  private static let mark = "challenge-due "

  /// The token, marked because its challenge for a password is still due.
  fileprivate var awaitingChallenge: Continuation { Continuation(Self.mark + token) }

  /// The token without that mark; nil if it has none.
  fileprivate var dueForChallenge: Continuation? {
    token.hasPrefix(Self.mark) ? Continuation(String(token.dropFirst(Self.mark.count))) : nil
  }
}

extension AuthError {
  /// Details are required, but none of their names can be read: no page can ask for them.
  ///
  /// The reason is the step, which has no page, and not the account, which does not exist yet.
  fileprivate static func nothingToAskFor(_ server: ServerError, traceID: String) -> AuthError {
    AuthError(
      server.problem(.stepUnsupported),
      traceID: traceID,
      diagnosis: "\(server.diagnosis);no readable attribute"
    )
  }
}

extension Failure {
  /// Whether the tenant does not support the method that was sent with the address.
  fileprivate var isAboutMethod: Bool {
    if case .refused(let server, _) = self { return server.error == "unsupported_auth_method" }
    return false
  }
}
