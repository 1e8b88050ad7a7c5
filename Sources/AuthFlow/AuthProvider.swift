/// An auth API, in the words of the flows: as much of it as every one has.
///
/// An implementation speaks one wire protocol and knows nothing of pages. It makes the prompts, so
/// that a step can only be taken from where the auth API said it is due. Every call takes the
/// browser's memory `inout` and keeps it up to date on success *and* on refusal. Every call ends:
/// an implementation bounds the time it waits.
///
/// What only some auth APIs have are capabilities, each a protocol of its own: a provider conforms
/// to those that it has, completely, and to no other. Without one its pages are not to be had.
public protocol AuthProvider: Sendable {
  /// What the instance asks for. May answer from a recent copy.
  ///
  /// - Throws: `AuthError` when the auth API cannot be reached or answers nonsense.
  func describeInstance() async throws(AuthError) -> InstanceDescription

  /// What `describeInstance` answered last, however long ago; never asks.
  var lastKnownInstance: InstanceDescription? { get }

  /// The same provider, calling for a reader of that language (a tag of RFC 5646), in which the
  /// auth API writes its messages if it can.
  func calling(in language: String) -> any AuthProvider

  // MARK: Sign-in

  /// Begins a new attempt, with the password where one was typed.
  ///
  /// Without a password it moves to `passwordRequired` where the account has one, else to
  /// `factorRequired`. A compromised or leaked password moves to `factorRequired` with
  /// the refusal as its `concern`; it is not refused.
  func beginSignIn(
    identifier: Identifier,
    password: Password?,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState>

  func submit(
    _ password: Password,
    for prompt: PasswordPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState>

  /// Takes one of the prompt's factors and has its code or link sent.
  func choose(
    _ factor: Factor,
    for prompt: FactorPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState>

  func submit(
    _ code: VerificationCode,
    for prompt: CodePrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState>

  /// Sends a new code; the old one stops working.
  func resend(_ prompt: CodePrompt, memory: inout ProviderMemory) async -> Outcome<SignInState>

  // MARK: Sessions

  /// The session as the auth API sees it now.
  ///
  /// - Throws: `AuthError` with `.signInAgain` when it is over, or what stands in the way.
  func currentSession(
    _ session: Session,
    memory: inout ProviderMemory
  ) async throws(AuthError) -> Session

  /// Ends every session of this browser.
  ///
  /// - Throws: `AuthError` when the auth API cannot be told; a session that is over is no error.
  func signOut(memory: inout ProviderMemory) async throws(AuthError)
}

extension AuthProvider {
  /// For auth APIs that cannot be told a language.
  public func calling(in language: String) -> any AuthProvider { self }
}

/// Lets the auth API know which browser asks, so that a person recognises their sessions.
public protocol CallingBrowserProvider: AuthProvider {
  /// The same provider, calling for the browser that names itself so (RFC 9110, section 10.1.5).
  func calling(for userAgent: String) -> any AuthProvider
}
