/// Has sessions for which an organization must be chosen.
///
/// What stands for ``AuthProvider`` stands here too: the browser's memory is `inout` and kept up to
/// date whatever the outcome, and every call ends.
public protocol OrganizationProvider: AuthProvider {
  /// What the person can choose from now.
  ///
  /// - Throws: `AuthError` with `.signInAgain` when the session is over, or what stands in the way.
  func organizations(
    for session: Session,
    memory: inout ProviderMemory
  ) async throws(AuthError) -> OrganizationOptions

  /// Goes on in that organization; answers the session with the tasks that are left.
  func choose(
    _ choice: OrganizationChoice,
    for session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<Session>

  /// Makes an organization and goes on in it; without a slug the auth API derives one.
  func createOrganization(
    named name: String,
    slug: String?,
    for session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<Session>

  /// Makes the person a member; which organization the session goes on in is still to be chosen.
  func acceptInvitation(
    _ id: String,
    for session: Session,
    memory: inout ProviderMemory
  ) async throws(AuthError)

  /// Asks the organization's administrators to let the person in.
  func requestMembership(
    suggestedBy id: String,
    for session: Session,
    memory: inout ProviderMemory
  ) async throws(AuthError)
}

/// Has sessions for which a second factor must be set up.
public protocol SecondFactorSetupProvider: AuthProvider {
  /// Has a new secret made; an earlier one that was never proven is worth nothing any more.
  func beginAuthenticatorSetup(
    for session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<SessionTaskState>

  func submit(
    _ code: VerificationCode,
    for prompt: AuthenticatorPrompt,
    of session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<SessionTaskState>

  /// Has a code sent to the number; one that is proven already becomes the second factor at once.
  func beginPhoneSetup(
    _ phoneNumber: String,
    for session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<SessionTaskState>

  func submit(
    _ code: VerificationCode,
    for prompt: PhonePrompt,
    of session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<SessionTaskState>

  /// Sends a new code; the old one stops working.
  func resend(
    _ prompt: PhonePrompt,
    of session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<SessionTaskState>

  /// Goes on once the backup codes are kept; answers the session with the tasks that are left.
  func finishSecondFactorSetup(
    of session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<Session>
}

/// Knows the session of a browser by itself.
public protocol StandingSessionProvider: AuthProvider {
  /// The session that the auth API has for this browser, whether or not the visit knows of it.
  ///
  /// An answer that got lost leaves one behind; nil where nobody is signed in.
  ///
  /// - Throws: `AuthError` when the auth API cannot be asked.
  func standingSession(memory: inout ProviderMemory) async throws(AuthError) -> Session?
}

/// Has sessions that need a new password first.
public protocol NewPasswordTaskProvider: AuthProvider {
  /// Meets the task `resetPassword`; answers the session with the tasks that are left.
  func changePassword(
    of session: Session,
    to newPassword: Password,
    signOutOfOtherSessions: Bool,
    memory: inout ProviderMemory
  ) async -> Outcome<Session>
}
