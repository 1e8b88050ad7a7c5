/// What every auth API can do, in the terms of the flows.
///
/// An implementation speaks one wire protocol and knows nothing about pages. It creates the
/// prompts, so that a step can only be taken where the auth API has said that it is due. Every call
/// takes the browser's memory `inout`, and has to keep it up to date on success *and* on refusal.
/// Every call has to end: an implementation limits the time for which it waits.
///
/// What only some auth APIs can do is a capability, a protocol of its own. A provider conforms to
/// each capability that it has, completely, and to no other. The pages of a capability that it
/// lacks are not offered.
public protocol AuthProvider: Sendable {
  /// Describes the instance: its forms and their rules.
  ///
  /// May answer from a recent copy.
  ///
  /// - Throws: `AuthError` when the auth API cannot be reached, or when its answer makes no sense.
  func describeInstance() async throws(AuthError) -> InstanceDescription

  /// The last answer of `describeInstance`, however old; never makes a call.
  var lastKnownInstance: InstanceDescription? { get }

  /// The same provider, calling for a reader of that language (a tag of RFC 5646).
  ///
  /// The auth API writes its messages in that language if it can.
  func calling(in language: String) -> any AuthProvider

  // MARK: Sign-in

  /// Begins a new attempt, with the password if one was typed.
  ///
  /// Without a password, it moves to `passwordRequired` where the account has one. Otherwise it
  /// moves to the step that is due: `factorRequired`, `codeRequired` where the auth API has sent a
  /// code already, or `browserRequired`.
  ///
  /// A compromised or leaked password moves to `factorRequired`, with the refusal as the `concern`
  /// of its prompt. It is refused only where the account has no other factor.
  ///
  /// A password typed for an account that has none is ignored: the provider moves on without it, or
  /// answers `.refused` with `.methodUnavailable` at `factorRequired`, from where the flow goes on.
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

  /// Chooses one of the prompt's factors, and has its code or link sent.
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

  /// The session as it is at the auth API now.
  ///
  /// - Throws: `AuthError` with `.signInAgain` when the session is over; another one where the auth
  ///   API refuses or does not answer.
  func currentSession(
    _ session: Session,
    memory: inout ProviderMemory
  ) async throws(AuthError) -> Session

  /// Ends every session of this browser.
  ///
  /// - Throws: `AuthError` where the auth API refuses or does not answer. It is not an error if the
  ///   session is over already.
  func signOut(memory: inout ProviderMemory) async throws(AuthError)
}

extension AuthProvider {
  /// For auth APIs to which no language can be given.
  public func calling(in language: String) -> any AuthProvider { self }
}

/// Names the browser to the auth API, so that people recognise their sessions.
public protocol CallingBrowserProvider: AuthProvider {
  /// The same provider, calling for the browser with that `User-Agent` (RFC 9110, section 10.1.5).
  func calling(for userAgent: String) -> any AuthProvider
}
