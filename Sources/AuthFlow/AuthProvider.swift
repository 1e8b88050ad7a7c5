/// An auth API, in the words of the flows.
///
/// An implementation speaks one wire protocol and knows nothing of pages. It makes the prompts, so
/// that a step can only be taken from where the auth API said it is due. Every call takes the
/// browser's memory `inout` and keeps it up to date on success *and* on refusal. Every call ends:
/// an implementation bounds the time it waits.
public protocol AuthProvider: SessionTaskProvider {
  /// What the instance asks for. May answer from a recent copy.
  ///
  /// - Throws: `AuthError` when the auth API cannot be reached or answers nonsense.
  func describeInstance() async throws(AuthError) -> InstanceDescription

  /// What `describeInstance` answered last, however long ago; never asks.
  var lastKnownInstance: InstanceDescription? { get }

  // MARK: Sign-in

  /// Begins a new attempt, with the password where one was typed.
  ///
  /// Without a password it moves to `passwordRequired` where the account has one, else to
  /// `factorChoiceRequired`. A compromised or leaked password moves to `factorChoiceRequired` with
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

  /// Registers a contact as a strong method; has a code sent to it unless it is proven already.
  func enrol(
    _ enrolment: Enrolment,
    for prompt: EnrolmentPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState>

  /// Goes on with the permissions that were granted, and never asks for the others by itself.
  func acceptGranted(
    _ prompt: PermissionsPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState>

  /// How this browser was signed in the last time; nil where nothing is known of it.
  func lastUsedMethod(in memory: ProviderMemory) -> Factor.Kind?

  /// Reads the address that a link of a message led to; nil where it is none.
  ///
  /// Nothing is asked: whoever only looks at a link does nothing by it.
  func readLink(_ parameters: [String: String]) -> FollowedLink?

  /// Asks whether the link was opened meanwhile; stays at `linkRequired` where it was not.
  func check(_ prompt: LinkPrompt, memory: inout ProviderMemory) async -> Outcome<SignInState>

  /// Redeems the link.
  func follow(
    _ link: FollowedLink,
    for prompt: LinkPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState>

  /// Sends a new link; the old one stops working.
  func resend(_ prompt: LinkPrompt, memory: inout ProviderMemory) async -> Outcome<SignInState>

  /// Reads the address by which a browser came back from a provider's page; nil where it is none.
  ///
  /// Nothing is asked, and nothing is spent.
  func readReturn(_ parameters: [String: String]) -> BrowserReturn?

  /// Holds what a browser brought back against what was asked for; asks nobody.
  ///
  /// - Returns: `browserRequired`, with what is to be checked now; or why there is nothing.
  func take(_ browserReturn: BrowserReturn, for prompt: BrowserPrompt) -> Outcome<SignInState>

  /// Asks whether the person is back from the browser; stays at `browserRequired` otherwise.
  func check(_ prompt: BrowserPrompt, memory: inout ProviderMemory) async -> Outcome<SignInState>

  // MARK: Sign-up

  /// Reads an invitation from the address that one led to; nil where there is none.
  func readInvitation(_ parameters: [String: String]) -> Invitation?

  /// Begins a sign-up with the address that was invited, which needs no proof any more.
  func accept(
    _ invitation: Invitation,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState>

  /// Puts an address on the list of those who wait for an account.
  ///
  /// - Throws: `AuthError` where the list takes nobody, or the address is no good.
  func joinWaitingList(_ address: String, memory: inout ProviderMemory) async throws(AuthError)

  /// Begins a new attempt; has the first code sent where a contact is to be verified.
  func beginSignUp(
    _ details: SignUpDetails,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState>

  func submit(
    _ details: SignUpDetails,
    for prompt: MissingDetailsPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState>

  func submit(
    _ code: VerificationCode,
    for prompt: ContactPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState>

  func resend(_ prompt: ContactPrompt, memory: inout ProviderMemory) async -> Outcome<SignUpState>

  func check(
    _ prompt: ContactLinkPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState>

  func follow(
    _ link: FollowedLink,
    for prompt: ContactLinkPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState>

  func resend(
    _ prompt: ContactLinkPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState>

  /// Has the e-mail address verified another way.
  func verify(
    _ attempt: SignUpAttempt,
    by proof: ContactProof,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState>

  // MARK: Password reset

  /// Begins a reset and has the code sent, by the channel that was typed where there is one.
  func beginPasswordReset(
    identifier: Identifier,
    memory: inout ProviderMemory
  ) async -> Outcome<PasswordResetState>

  func submitResetCode(
    _ code: VerificationCode,
    for prompt: CodePrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<PasswordResetState>

  func resendResetCode(
    _ prompt: CodePrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<PasswordResetState>

  /// Sets the password; the attempt goes on as `continuing`, complete or with a second factor.
  func submit(
    newPassword: Password,
    signOutOfOtherSessions: Bool,
    for prompt: NewPasswordPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<PasswordResetState>

  /// Asks, once, whether the new password holds.
  func checkPasswordReset(
    _ prompt: ResetWaitPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<PasswordResetState>

  // MARK: Sessions

  /// The session as the auth API sees it now.
  ///
  /// - Throws: `AuthError` with `.signInAgain` when it is over, or what stands in the way.
  func currentSession(
    _ session: Session,
    memory: inout ProviderMemory
  ) async throws(AuthError) -> Session

  /// Gets new tokens without asking the person.
  ///
  /// - Parameters:
  ///   - session: Who is in.
  ///   - scopes: What the token is to be good for; empty means what it is good for now.
  ///   - memory: What the provider remembers of this browser.
  /// - Returns: `complete`, `permissionsRequired`, or a refusal.
  func renewAccess(
    of session: Session,
    scopes: [String],
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState>

  /// The session that the auth API has for this browser, whether or not the visit knows of it.
  ///
  /// An answer that got lost leaves one behind; nil where nobody is signed in.
  ///
  /// - Throws: `AuthError` when the auth API cannot be asked.
  func standingSession(memory: inout ProviderMemory) async throws(AuthError) -> Session?

  /// Meets the task `resetPassword`; answers the session with the tasks that are left.
  func changePassword(
    of session: Session,
    to newPassword: Password,
    signOutOfOtherSessions: Bool,
    memory: inout ProviderMemory
  ) async -> Outcome<Session>

  /// Ends every session of this browser.
  ///
  /// - Throws: `AuthError` when the auth API cannot be told; a session that is over is no error.
  func signOut(memory: inout ProviderMemory) async throws(AuthError)
}

extension AuthProvider {
  /// Nil for a provider that remembers nothing.
  public var lastKnownInstance: InstanceDescription? { nil }
}

// An auth API without links in its messages, or without sessions of its own, needs none of these.
extension AuthProvider {
  private func unavailable<State>() -> Outcome<State> {
    .refused(AuthError(Problem(.methodUnavailable, code: "email_link")), at: nil)
  }

  public func lastUsedMethod(in memory: ProviderMemory) -> Factor.Kind? { nil }

  public func readLink(_ parameters: [String: String]) -> FollowedLink? { nil }

  public func check(
    _ prompt: LinkPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> { unavailable() }

  public func follow(
    _ link: FollowedLink,
    for prompt: LinkPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> { unavailable() }

  public func resend(
    _ prompt: LinkPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> { unavailable() }

  public func readReturn(_ parameters: [String: String]) -> BrowserReturn? { nil }

  public func take(
    _ browserReturn: BrowserReturn,
    for prompt: BrowserPrompt
  ) -> Outcome<SignInState> { .moved(to: .browserRequired(prompt)) }

  public func check(
    _ prompt: BrowserPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> { unavailable() }

  public func readInvitation(_ parameters: [String: String]) -> Invitation? { nil }

  public func accept(
    _ invitation: Invitation,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> { unavailable() }

  public func joinWaitingList(
    _ address: String,
    memory: inout ProviderMemory
  ) async throws(AuthError) {
    throw AuthError(Problem(.signUpClosed, code: "waitlist_not_accepting_entries"))
  }

  public func check(
    _ prompt: ContactLinkPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> { unavailable() }

  public func follow(
    _ link: FollowedLink,
    for prompt: ContactLinkPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> { unavailable() }

  public func resend(
    _ prompt: ContactLinkPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> { unavailable() }

  public func verify(
    _ attempt: SignUpAttempt,
    by proof: ContactProof,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> { unavailable() }

  public func standingSession(
    memory: inout ProviderMemory
  ) async throws(AuthError) -> Session? { nil }
}
