/// One thing that is wrong.
public struct Problem: Hashable, Codable, Sendable {
  public var reason: Reason
  /// The field it belongs to, whether or not the current page has it.
  public var field: Field?
  /// The auth API's own code where there is one, else ours.
  public var code: String
  /// The auth API's own words, shown where the pages have none: data, never markup.
  public var message: String?
  /// How to make a password harder to guess, in the auth API's own words; shown after the message.
  public var suggestion: String?
  /// What the auth API said about it, for support; nil where no call was involved.
  public var detail: ErrorDetail?
  /// The session that is in the way; nil where the auth API means whichever one this browser has.
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

/// A particular session that is in the way of a sign-in.
///
/// No other session may be taken for it: that could be somebody else's.
public enum SessionInTheWay: Hashable, Codable, Sendable {
  /// The auth API's identifier of the session.
  case named(String)
  /// The auth API does not say which one.
  case unnamed
}
