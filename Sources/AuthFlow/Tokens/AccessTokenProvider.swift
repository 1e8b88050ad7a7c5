/// Gives tokens for other services, as far as it is permitted.
public protocol AccessTokenProvider: AuthProvider {
  /// What is to be decided of the permissions of somebody who is in; nil where nothing is.
  ///
  /// They may be withdrawn at any renewal.
  func permissionsPrompt(of session: Session) -> PermissionsPrompt?

  /// Goes on with the permissions that were granted, and never asks for the others by itself.
  func acceptGranted(
    _ prompt: PermissionsPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState>

  /// Gets new tokens without asking the person.
  ///
  /// - Parameters:
  ///   - session: Who is in.
  ///   - scopes: What the token is to be good for; empty means what the session asks for.
  ///   - claims: What the token is to say besides: a JSON object as text; nil for nothing.
  ///   - memory: What the provider remembers of this browser.
  /// - Returns: `complete`, `permissionsRequired`, or a refusal.
  func renewAccess(
    of session: Session,
    scopes: [String],
    claims: String?,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState>
}
