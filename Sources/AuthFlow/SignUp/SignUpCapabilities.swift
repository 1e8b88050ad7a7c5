/// Creates accounts.
public protocol SignUpProvider: AuthProvider {
  /// The problems for which the API would refuse these details in any case, as far as they are
  /// known without a call.
  ///
  /// The API is asked only once no required field is missing. These problems are shown together
  /// with the missing fields, so that the person sees all that is wrong at once (P-signup).
  func foreseenProblems(with details: SignUpDetails) -> [Problem]

  /// Begins a new attempt; has the first code sent where a contact is to be verified.
  ///
  /// A refusal at `detailsRequired` means that the auth API has given up the attempt that was under
  /// way.
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

/// Verifies new email addresses by link, too.
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

  /// Has the email address verified the other way: by code instead of link, or the reverse.
  func verify(
    _ attempt: SignUpAttempt,
    by proof: ContactProof,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState>
}

/// Accepts invitations.
public protocol InvitationProvider: AuthProvider {
  /// Reads an invitation from the parameters of an address; nil where they hold none.
  func readInvitation(_ parameters: [String: String]) -> Invitation?

  /// Begins a sign-up with the invited address, which needs no further proof.
  ///
  /// Where that address has an account already, the person is signed in by the invitation instead,
  /// if the auth API allows it.
  func accept(
    _ invitation: Invitation,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState>
}

/// Keeps a waiting list for accounts.
public protocol WaitingListProvider: AuthProvider {
  /// Puts an address on the waiting list.
  ///
  /// - Throws: `AuthError` where the auth API refuses, such as for an invalid address, or does not
  ///   answer.
  func joinWaitingList(_ address: String, memory: inout ProviderMemory) async throws(AuthError)
}
