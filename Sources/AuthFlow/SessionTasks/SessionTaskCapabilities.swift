/// Knows the session of a browser by itself.
public protocol StandingSessionProvider: AuthProvider {
  /// The session that the auth API has for this browser, whether or not the visit knows of it.
  ///
  /// An answer that got lost leaves one behind.
  ///
  /// - Parameters:
  ///   - certain: Which one, where the auth API means a certain one; nil for whichever is on.
  ///   - memory: What is known of this browser.
  /// - Returns: The session; nil where that one is not on, or nobody is signed in.
  /// - Throws: `AuthError` when the auth API cannot be asked.
  func standingSession(
    _ certain: SessionInTheWay?,
    memory: inout ProviderMemory
  ) async throws(AuthError) -> Session?
}

/// Has sessions that need a new password first.
public protocol ResetPasswordTaskProvider: AuthProvider {
  /// Meets the task `resetPassword`; answers the session with the tasks that are left.
  func changePassword(
    of session: Session,
    to newPassword: Password,
    signOutOfOtherSessions: Bool,
    memory: inout ProviderMemory
  ) async -> Outcome<Session>
}
