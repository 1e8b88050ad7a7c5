/// Has sessions for which an organization must be chosen.
///
/// What stands for ``AuthProvider`` stands here too: the browser's memory is `inout` and kept up to
/// date whatever the outcome, and every call ends.
public protocol ChooseOrganizationTaskProvider: AuthProvider {
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
