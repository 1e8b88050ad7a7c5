/// Signs in by links that are emailed.
public protocol EmailLinkProvider: AuthProvider {
  /// Reads the address that a link of a message led to; nil where it is none.
  ///
  /// Nothing is asked: whoever only looks at a link does nothing by it.
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

/// Goes on at the page of an identity provider, in the browser.
public protocol BrowserSignInProvider: AuthProvider {
  /// Reads the address by which a browser came back from a provider's page; nil where it is none.
  ///
  /// Nothing is asked, and nothing is spent.
  func readReturn(_ parameters: [String: String]) -> BrowserReturn?

  /// Holds what a browser brought back against what was asked for; asks nobody.
  ///
  /// - Returns: `browserRequired`, with what is to be checked now; or why there is nothing.
  func receive(_ browserReturn: BrowserReturn, for prompt: BrowserPrompt) -> Outcome<SignInState>

  /// Asks whether the person is back from the browser; stays at `browserRequired` otherwise.
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
  /// How this browser was signed in the last time; nil where nothing is known of it.
  func lastUsedMethod(in memory: ProviderMemory) -> Factor.Kind?
}
