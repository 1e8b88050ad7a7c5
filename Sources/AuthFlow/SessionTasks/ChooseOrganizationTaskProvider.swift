/// Has sessions for which an organization must be chosen.
///
/// As in ``AuthProvider``, the browser's memory is `inout` and kept up to date whatever the
/// outcome, and every call ends.
public protocol ChooseOrganizationTaskProvider: AuthProvider {
  /// What the person can choose from now.
  ///
  /// - Throws: `AuthError` with `.signInAgain` when the session is over; another one where the auth
  ///   API refuses or does not answer.
  func organizations(
    for session: Session,
    memory: inout ProviderMemory
  ) async throws(AuthError) -> OrganizationOptions

  /// Continues the session in that organization, or in the personal account; returns the session
  /// with its remaining tasks.
  func choose(
    _ choice: OrganizationChoice,
    for session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<Session>

  /// Creates an organization and continues the session in it; without a slug the auth API derives
  /// one.
  func createOrganization(
    named name: String,
    slug: String?,
    for session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<Session>

  /// Makes the person a member; the organization of the session still has to be chosen.
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
