/// Signs people in by emailed links.
public protocol EmailLinkProvider: AuthProvider {
  /// Reads a link from the parameters of an address; nil where they are not from a link.
  ///
  /// Makes no call: merely looking at a link has no effect.
  func readLink(_ parameters: [String: String]) -> FollowedLink?

  /// Asks whether the link was opened meanwhile; stays at `linkRequired` where it was not.
  func check(_ prompt: LinkPrompt, memory: inout ProviderMemory) async -> Outcome<SignInState>

  /// Redeems the link.
  func follow(
    _ link: FollowedLink,
    for prompt: LinkPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState>

  /// Sends a new link; the old one stops working.
  func resend(_ prompt: LinkPrompt, memory: inout ProviderMemory) async -> Outcome<SignInState>
}

/// Continues a sign-in at the page of an identity provider, in the browser.
public protocol BrowserSignInProvider: AuthProvider {
  /// Reads a return from a provider's page from the parameters of an address; nil where they are
  /// not from one.
  ///
  /// Makes no call, and uses nothing up.
  func readReturn(_ parameters: [String: String]) -> BrowserReturn?

  /// Matches what a browser brought back with what was asked for; makes no call.
  ///
  /// - Returns: `browserRequired`, with the prompt to check next; unchanged where that return was
  ///   not asked for. Or a refusal, where the provider's page reports one.
  func receive(_ browserReturn: BrowserReturn, for prompt: BrowserPrompt) -> Outcome<SignInState>

  /// Asks whether the person has finished in the browser; stays at `browserRequired` if not.
  func check(_ prompt: BrowserPrompt, memory: inout ProviderMemory) async -> Outcome<SignInState>
}

/// Has a strong method registered before a sign-in goes on.
public protocol EnrolmentProvider: AuthProvider {
  /// Registers a contact as a strong method; has a code sent to it unless it is proven already.
  func enrol(
    _ enrolment: Enrolment,
    for prompt: EnrolmentPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState>
}

/// Remembers how a browser was signed in.
public protocol MethodMemoryProvider: AuthProvider {
  /// How this browser was last signed in; nil where that is not known.
  func lastUsedMethod(in memory: ProviderMemory) -> Factor.Kind?
}
