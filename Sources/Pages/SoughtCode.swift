public import Foundation

/// Which code a page asks for, as far as the page itself knows.
public enum SoughtCode: Hashable, Sendable {
  /// One that was sent; where to, as the page shows it: whole, or masked; and until when it works,
  /// where that is known.
  case sent(to: String?, worksUntil: Date? = nil)
  /// What the authenticator app of somebody shows; by which identifier they are called.
  case authenticator(of: String)
}
