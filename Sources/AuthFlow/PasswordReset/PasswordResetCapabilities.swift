/// Gives a new password to who has lost theirs.
public protocol PasswordResetProvider: AuthProvider {
  /// Whether a reset can end all other sessions of that person.
  var endsOtherSessions: Bool { get }

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
}

/// Takes its time until a new password holds.
public protocol PasswordResetProgressProvider: AuthProvider {
  /// Asks, once, whether the new password holds.
  func checkPasswordReset(
    _ prompt: ResetWaitPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<PasswordResetState>
}
