/// Makes accounts.
public protocol SignUpProvider: AuthProvider {
  /// What the API would refuse of these details whatever else they were, as far as that is known here.
  ///
  /// Told beside what is missing, since the API is asked only once nothing is: so that a person has
  /// all that is wrong at once (P-signup).
  func foreseenProblems(with details: SignUpDetails) -> [Problem]

  /// Begins a new attempt; has the first code sent where a contact is to be verified.
  func beginSignUp(
    _ details: SignUpDetails,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState>

  func submit(
    _ details: SignUpDetails,
    for prompt: MissingDetailsPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState>

  func submit(
    _ code: VerificationCode,
    for prompt: ContactPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState>

  func resend(_ prompt: ContactPrompt, memory: inout ProviderMemory) async -> Outcome<SignUpState>
}

/// Verifies new addresses by links, too.
public protocol ContactLinkProvider: AuthProvider {
  func check(
    _ prompt: ContactLinkPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState>

  func follow(
    _ link: FollowedLink,
    for prompt: ContactLinkPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState>

  func resend(
    _ prompt: ContactLinkPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState>

  /// Has the email address verified another way.
  func verify(
    _ attempt: SignUpAttempt,
    by proof: ContactProof,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState>
}

/// Lets in who was invited.
public protocol InvitationProvider: AuthProvider {
  /// Reads an invitation from the address that one led to; nil where there is none.
  func readInvitation(_ parameters: [String: String]) -> Invitation?

  /// Begins a sign-up with the address that was invited, which needs no proof any more.
  ///
  /// Whoever has an account with that address already is signed in by it instead, where the auth API
  /// does so.
  func accept(
    _ invitation: Invitation,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState>
}

/// Keeps a list of those who wait for an account.
public protocol WaitingListProvider: AuthProvider {
  /// Puts an address on the list of those who wait for an account.
  ///
  /// - Throws: `AuthError` where the list takes nobody, or the address is no good.
  func joinWaitingList(_ address: String, memory: inout ProviderMemory) async throws(AuthError)
}
