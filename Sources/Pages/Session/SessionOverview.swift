public import AuthFlow

/// What the account page tells of the person's sessions.
public enum SessionOverview: Sendable, Equatable {
  /// The auth API has no list of them.
  case unavailable
  /// It has one, for which a link asks: most who come here do not, and it may be long.
  case folded
  case listed([ActiveSession])
}
