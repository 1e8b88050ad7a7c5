public import HTTPExchange

/// Signs a browser in as an account of its world, by the steps that a person would take.
public struct SignInShortcut: Sendable {
  /// What came of it.
  public enum Outcome: Sendable {
    /// Where the flow goes on, with the cookies of a visit that begins there.
    case goesOn(location: String, cookies: [String])
    /// The page refused, in its own words.
    case refused(String)
  }

  let begin: @Sendable (Request, _ identifier: String, _ password: String?) async -> Outcome

  public init(
    begin: @escaping @Sendable (Request, _ identifier: String, _ password: String?) async -> Outcome
  ) {
    self.begin = begin
  }
}
