/// Resets lost passwords.
public protocol PasswordResetProvider: AuthProvider {
  /// Whether a reset can end all other sessions of that person.
  var endsOtherSessions: Bool { get }

  /// Begins a reset and has the code sent, to the address or number that was typed where it is one.
  ///
  /// A refusal at `identifierRequired` means that the auth API has given up the reset or sign-in
  /// that was under way.
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

  /// Sets the password.
  ///
  /// The attempt moves to `continuing`, complete or with a second factor, or to `waiting` where the
  /// auth API takes longer.
  func submit(
    newPassword: Password,
    signOutOfOtherSessions: Bool,
    for prompt: NewPasswordPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<PasswordResetState>
}

/// Takes some time to apply a new password.
public protocol PasswordResetProgressProvider: AuthProvider {
  /// Asks once whether the new password has been applied.
  func checkPasswordReset(
    _ prompt: ResetWaitPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<PasswordResetState>
}
