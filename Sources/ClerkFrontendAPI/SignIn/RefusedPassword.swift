@_spi(Provider) internal import AuthFlow

/// What follows a password that was refused.
extension ClerkProvider {
  /// The attempt behind the password, as far as it is known.
  struct Tried {
    var identifier: Identifier
    /// Nil where the password was sent along with the creation.
    var attempt: SignInAttempt?
  }

  /// Turns the refusal of a password into a step where there is one.
  ///
  /// A password that must not be used any more leads to the other factors; a method that the
  /// account does not have leads to those it has; everything else stays with the password.
  func outcome(
    of refusal: RefusedCall,
    to tried: Tried,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    do {
      if let concern = Concern(refusal.error) {
        let attempt = try await attempt(of: tried, after: refusal, memory: &memory)
        return concern.outcome(for: attempt)
      }
      if refusal.contains({ $0 == .methodUnavailable }) {
        let attempt = try await attempt(of: tried, after: refusal, memory: &memory)
        let prompt = attempt.withoutPassword { _ in 0 }.firstFactorPrompt()
        return .refused(refusal.error, at: prompt.map(SignInState.factorRequired))
      }
    } catch {
      return .refused(error.error, at: nil)
    }
    return .refused(refusal.error, at: passwordState(of: refusal, to: tried))
  }

  /// Asks for the password again, at the sign-in that stands on the client.
  private func passwordState(of refusal: RefusedCall, to tried: Tried) -> SignInState? {
    guard refusal.contains(\.isAboutPassword),
      let attempt = refusal.client?.attempt(of: tried),
      attempt.firstFactors.contains(where: { $0.kind == .password })
    else { return nil }
    return .passwordRequired(PasswordPrompt(attempt: attempt))
  }

  /// The sign-in as it stands: told along, else known, else asked for, else begun anew.
  ///
  /// Source: <doc:ClerkSigningIn#Decisions>.
  private func attempt(
    of tried: Tried,
    after refusal: RefusedCall,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> SignInAttempt {
    if let attempt = refusal.client?.attempt(of: tried) ?? tried.attempt { return attempt }
    let client = try await client(purpose: .signIn, memory: &memory)
    if let attempt = client?.attempt(of: tried) { return attempt }
    let created = try await ask(
      .createSignIn(tried.identifier),
      for: SignInResource.self,
      memory: &memory
    )
    return SignInAttempt(created.resource, identifier: tried.identifier)
  }
}

/// A password that was right, and yet must not be used any more.
///
/// Source: <doc:ClerkSigningIn#Compromised-and-leaked-passwords>.
private enum Concern {
  case compromised(AuthError)
  case leaked(AuthError)

  init?(_ error: AuthError) {
    if error.contains(where: { $0 == .passwordCompromised }) {
      self = .compromised(error)
    } else if error.contains(where: { $0 == .passwordLeaked || $0 == .passwordResetRequired }) {
      self = .leaked(error)
    } else {
      return nil
    }
  }

  func outcome(for attempt: SignInAttempt) -> Outcome<SignInState> {
    let others = attempt.withoutPassword(order: rank)
    let prompt = FactorPrompt(
      attempt: others,
      stage: .firstFactor,
      factors: others.firstFactors,
      concern: error
    )
    guard let prompt else {
      return .refused(error, at: .passwordRequired(PasswordPrompt(attempt: attempt)))
    }
    return .moved(to: .factorRequired(prompt))
  }

  private var error: AuthError {
    switch self {
    case .compromised(let error), .leaked(let error): error
    }
  }

  /// A leaked password is replaced first of all; a compromised one is got around by a code.
  private func rank(_ factor: Factor) -> Int {
    switch self {
    case .compromised: factor.resetsPassword ? 1 : 0
    case .leaked: factor.resetsPassword ? 0 : 1
    }
  }
}

extension Reason {
  fileprivate var isAboutPassword: Bool {
    switch self {
    case .passwordIncorrect, .passwordOrIdentifierIncorrect, .lockoutNear: true
    default: false
    }
  }
}

extension ClientResource {
  /// The client's sign-in where it is the one that was tried, and waits for its first factor.
  ///
  /// After an unknown identifier an older sign-in may still stand there: that one is not meant.
  fileprivate func attempt(of tried: ClerkProvider.Tried) -> SignInAttempt? {
    guard let signIn, signIn.status.known == .needsFirstFactor else { return nil }
    if let known = tried.attempt, known.continuation.token != signIn.id { return nil }
    if let identifier = signIn.identifier,
      identifier.lowercased() != tried.identifier.text.lowercased()
    {
      return nil
    }
    return SignInAttempt(signIn, identifier: tried.identifier)
  }
}
