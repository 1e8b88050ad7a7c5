/// Has sessions for which a second factor must be set up.
public protocol SetUpSecondFactorTaskProvider: AuthProvider {
  /// Has a new secret created; an earlier one that was never proven stops working.
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

  /// Has a code sent to the number; a number that is verified already becomes the second factor at
  /// once.
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

  /// Continues once the person has saved the backup codes; returns the session with its remaining
  /// tasks.
  func finishSecondFactorSetup(
    of session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<Session>
}
