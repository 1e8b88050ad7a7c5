/// Knows the session of a browser by itself.
public protocol StandingSessionProvider: AuthProvider {
  /// The session that the auth API has for this browser, whether or not the visit knows of it.
  ///
  /// An answer that got lost leaves one behind.
  ///
  /// - Parameters:
  ///   - id: Which one, where the auth API has named it; no other is meant then, since that may be
  ///     somebody else's.
  ///   - memory: What is known of this browser.
  /// - Returns: The session; nil where that one is not on, or nobody is signed in.
  /// - Throws: `AuthError` when the auth API cannot be asked.
  func standingSession(
    named id: String?,
    memory: inout ProviderMemory
  ) async throws(AuthError) -> Session?
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
