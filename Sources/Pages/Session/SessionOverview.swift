public import AuthFlow

/// What the account page tells of the person's sessions.
public enum SessionOverview: Sendable, Equatable {
  /// The auth API has no list of them.
  case unavailable
  /// A link requests the list, which most people do not need and which may be long.
  case folded
  case listed([ActiveSession])
}
