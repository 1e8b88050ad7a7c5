/// One thing that is wrong.
public struct Problem: Hashable, Codable, Sendable {
  public var reason: Reason
  /// The field it belongs to, whether or not the page at hand has it.
  public var field: Field?
  /// The auth API's own code where there is one, else ours.
  public var code: String
  /// The auth API's own words, shown where we have none of our own: data, never markup.
  public var message: String?
  /// How a password gets harder to guess, in the auth API's own words; shown behind the sentence.
  public var suggestion: String?
  /// All that the auth API said of it, for support; nil where nobody but us said anything.
  public var detail: ErrorDetail?
  /// Which session is in the way; nil where the auth API means whichever this browser has.
  public var sessionInTheWay: SessionInTheWay?

  public init(
    _ reason: Reason,
    at field: Field? = nil,
    code: String,
    message: String? = nil,
    suggestion: String? = nil,
    detail: ErrorDetail? = nil,
    sessionInTheWay: SessionInTheWay? = nil
  ) {
    self.reason = reason
    self.field = field
    self.code = code
    self.message = message
    self.suggestion = suggestion
    self.detail = detail
    self.sessionInTheWay = sessionInTheWay
  }
}

/// A certain session that is in the way of a sign-in: no other may be taken for it, which could be somebody else's.
public enum SessionInTheWay: Hashable, Codable, Sendable {
  /// By the auth API's name for it.
  case named(String)
  /// The auth API keeps to itself which.
  case unnamed
}
