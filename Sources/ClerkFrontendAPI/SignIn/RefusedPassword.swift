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
  /// account does not have leads to those it has, be it to a provider's page alone, or to that there is
  /// none; everything else stays with the password.
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

  /// What the account has in place of the password that was typed.
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
    // That it has a password after all is what the API has just denied.
    case .firstFactorNeeded, .secondFactorNeeded, .newPasswordNeeded, .complete:
      return .refused(refusal.error, at: nil)
    }
  }

  /// Asks for the password again, at the sign-in that stands on the client.
  private func passwordState(of refusal: RefusedCall, to tried: Tried) -> SignInState? {
    guard refusal.contains(\.isAboutPassword),
      let attempt = refusal.client?.standing(of: tried)?.attempt,
      attempt.firstFactors.contains(where: { $0.kind == .password })
    else { return nil }
    return .passwordRequired(PasswordPrompt(attempt: attempt))
  }

  /// The sign-in as it stands: told along, else known, else asked for, else begun anew.
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
  /// As the wire has it, with what no step is made of; nil where it was known already.
  var resource: SignInResource?
}

extension Standing {
  init(_ resource: SignInResource, identifier: Identifier) {
    self.init(attempt: SignInAttempt(resource, identifier: identifier), resource: resource)
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
    [.passwordIncorrect, .passwordOrIdentifierIncorrect, .lockoutNear].contains(self)
  }
}

extension ClientResource {
  /// The client's sign-in where it is the one that was tried, and waits for its first factor.
  ///
  /// After an unknown identifier an older sign-in may still stand there: that one is not meant.
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
