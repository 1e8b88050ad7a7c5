/// Keeps track of a browser's session itself.
public protocol StandingSessionProvider: AuthProvider {
  /// The session that the auth API has for this browser, whether or not the visit knows about it.
  ///
  /// Such a session is left behind where the answer to the last step of a sign-in got lost.
  ///
  /// - Parameters:
  ///   - certain: The session that is meant, where the auth API means a particular one; nil for
  ///     whichever is active.
  ///   - memory: What the provider remembers about this browser.
  /// - Returns: The session; nil where the one that is meant is not active or cannot be identified,
  ///   or where nobody is signed in.
  /// - Throws: `AuthError` where the auth API refuses or does not answer.
  func standingSession(
    _ certain: SessionInTheWay?,
    memory: inout ProviderMemory
  ) async throws(AuthError) -> Session?
}

/// Has sessions that need a new password first.
public protocol ResetPasswordTaskProvider: AuthProvider {
  /// Completes the task `resetPassword`; returns the session with its remaining tasks.
  func changePassword(
    of session: Session,
    to newPassword: Password,
    signOutOfOtherSessions: Bool,
    memory: inout ProviderMemory
  ) async -> Outcome<Session>
}
