public import Foundation

/// The code that a page asks for, as far as the page itself knows.
public enum SoughtCode: Hashable, Sendable {
  /// A code that was sent to an address or number, whole or masked as the page shows it, and when
  /// it expires, if that is known.
  case sent(to: String?, worksUntil: Date? = nil)
  /// The current code of an authenticator app, by the identifier of its owner.
  case authenticator(of: String)
}
