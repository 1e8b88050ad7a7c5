public import HTTPExchange

/// Signs a browser in as an account of its world, by the steps that a person would take.
public struct SignInShortcut: Sendable {
  /// The result of the sign-in.
  public enum Outcome: Sendable {
    /// The address where the flow continues, with the cookies of a visit that begins there.
    case goesOn(location: String, cookies: [String])
    /// The page refused; the text is its own.
    case refused(String)
  }

  let begin: @Sendable (Request, _ identifier: String, _ password: String?) async -> Outcome

  public init(
    begin: @escaping @Sendable (Request, _ identifier: String, _ password: String?) async -> Outcome
  ) {
    self.begin = begin
  }
}
