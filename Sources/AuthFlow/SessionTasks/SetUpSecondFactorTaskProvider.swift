/// Has sessions for which a second factor must be set up.
public protocol SetUpSecondFactorTaskProvider: AuthProvider {
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
