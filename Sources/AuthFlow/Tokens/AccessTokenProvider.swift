/// Provides access tokens for other services, as far as permissions are granted.
public protocol AccessTokenProvider: AuthProvider {
  /// Asks a signed-in person to decide about declined permissions; nil where there is nothing to
  /// decide.
  ///
  /// Permissions may be withdrawn at any renewal.
  func permissionsPrompt(of session: Session) -> PermissionsPrompt?

  /// Continues with the permissions that were granted, and does not ask for the others again.
  func acceptGranted(
    _ prompt: PermissionsPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState>

  /// Gets new tokens without asking the person.
  ///
  /// - Parameters:
  ///   - session: The session of the person.
  ///   - scopes: What the token is to permit; empty for what the session asks for.
  ///   - claims: Additional claims to request: a JSON object as text; nil for none.
  ///   - memory: What the provider remembers about this browser.
  /// - Returns: `complete`, `permissionsRequired`, or a refusal.
  func renewAccess(
    of session: Session,
    scopes: [String],
    claims: String?,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState>
}
