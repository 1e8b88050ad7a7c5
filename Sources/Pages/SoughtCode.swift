/// Which code a page asks for, as far as the page itself knows.
public enum SoughtCode: Hashable, Sendable {
  /// One that was sent; where to, as the page shows it: whole, or masked.
  case sent(to: String?)
  /// What the authenticator app of somebody shows; by which identifier they are called.
  case authenticator(of: String)
}
