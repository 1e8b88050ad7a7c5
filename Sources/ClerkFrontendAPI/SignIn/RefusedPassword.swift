@_spi(Provider) internal import AuthFlow

/// The steps that follow a refused password.
extension ClerkProvider {
  /// The attempt behind the password, as far as it is known.
  struct Tried {
    var identifier: Identifier
    /// Nil if the password was sent when the attempt was created.
    var attempt: SignInAttempt?
  }

  /// Turns the refusal of a password into a step, if there is one.
  ///
  /// A password that must not be used any more leads to the other factors. If the account has no
  /// password, its other methods follow, perhaps only a provider's page, or an error if it has
  /// none. Everything else stays at the password.
  func outcome(
    of refusal: RefusedCall,
    to tried: Tried,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    do {
      if let concern = Concern(refusal.error) {
        let standing = try await standing(of: tried, after: refusal, memory: &memory)
        return concern.outcome(for: standing.attempt)
      }
      if refusal.contains({ $0 == .methodUnavailable }) {
        let standing = try await standing(of: tried, after: refusal, memory: &memory)
        return try await outcome(withoutPasswordAt: standing, after: refusal, memory: &memory)
      }
    } catch {
      return .refused(error.error, at: nil)
    }
    return .refused(refusal.error, at: passwordState(of: refusal, to: tried))
  }

  /// The outcome for an account that does not have the password that was typed.
  private func outcome(
    withoutPasswordAt standing: Standing,
    after refusal: RefusedCall,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> Outcome<SignInState> {
    if let prompt = standing.attempt.withoutPassword(order: { _ in 0 }).firstFactorPrompt() {
      return .refused(refusal.error, at: .factorRequired(prompt))
    }
    guard let resource = standing.resource else { return .refused(refusal.error, at: nil) }
    switch SignInAnswer(resource, identifier: standing.attempt.identifier) {
    case .browserNeeded(let attempt, let method):
      let browser = try await browserPrompt(for: attempt, method, memory: &memory)
      return .moved(to: .browserRequired(browser))
    case .stuck(let error): return .refused(error, at: nil)
    // The API has just denied that there is a password.
    case .firstFactorNeeded, .secondFactorNeeded, .newPasswordNeeded, .complete:
      return .refused(refusal.error, at: nil)
    }
  }

  /// Asks for the password again, in the client's present sign-in; nil if it has none.
  private func passwordState(of refusal: RefusedCall, to tried: Tried) -> SignInState? {
    guard refusal.contains(\.isAboutPassword),
      let attempt = refusal.client?.standing(of: tried)?.attempt,
      attempt.firstFactors.contains(where: { $0.kind == .password })
    else { return nil }
    return .passwordRequired(PasswordPrompt(attempt: attempt))
  }

  /// The present sign-in: from the refusal, or the known one, or fetched, or newly created.
  ///
  /// Source: <doc:ClerkSigningIn#Decisions>.
  private func standing(
    of tried: Tried,
    after refusal: RefusedCall,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> Standing {
    if let standing = refusal.client?.standing(of: tried) { return standing }
    if let attempt = tried.attempt { return Standing(attempt: attempt) }
    let client = try await client(purpose: .signIn, memory: &memory)
    if let standing = client?.standing(of: tried) { return standing }
    let created = try await ask(
      .createSignIn(tried.identifier),
      for: SignInResource.self,
      memory: &memory
    )
    return Standing(created.resource, identifier: tried.identifier)
  }
}

/// A sign-in after a password was refused.
private struct Standing {
  var attempt: SignInAttempt
  /// The resource on the wire, with factors that no step uses; nil if the attempt was known
  /// already.
  var resource: SignInResource?
}

extension Standing {
  init(_ resource: SignInResource, identifier: Identifier) {
    self.init(attempt: SignInAttempt(resource, identifier: identifier), resource: resource)
  }
}

/// A correct password that must not be used any more.
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

  /// The order of the other factors: to replace a leaked password comes first; for a compromised
  /// one, a code does.
  private func rank(_ factor: Factor) -> Int {
    switch self {
    case .compromised: factor.resetsPassword ? 1 : 0
    case .leaked: factor.resetsPassword ? 0 : 1
    }
  }
}

extension Reason {
  fileprivate var isAboutPassword: Bool {
    [.passwordIncorrect, .passwordOrIdentifierIncorrect, .lockoutNear].contains(self)
  }
}

extension ClientResource {
  /// The client's sign-in, if it is the one that was tried and waits for its first factor.
  ///
  /// After an unknown identifier, the client may still have an older sign-in, which does not count.
  fileprivate func standing(of tried: ClerkProvider.Tried) -> Standing? {
    guard let signIn, signIn.status.known == .needsFirstFactor else { return nil }
    if let known = tried.attempt, known.continuation.token != signIn.id { return nil }
    if let identifier = signIn.identifier,
      identifier.lowercased() != tried.identifier.text.lowercased()
    {
      return nil
    }
    return Standing(signIn, identifier: tried.identifier)
  }
}
