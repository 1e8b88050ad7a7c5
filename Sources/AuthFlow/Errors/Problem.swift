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
  /// The session that is in the way, by the auth API's name for it; nil where it names none.
  public var sessionID: String?

  public init(
    _ reason: Reason,
    at field: Field? = nil,
    code: String,
    message: String? = nil,
    suggestion: String? = nil,
    detail: ErrorDetail? = nil,
    sessionID: String? = nil
  ) {
    self.reason = reason
    self.field = field
    self.code = code
    self.message = message
    self.suggestion = suggestion
    self.detail = detail
    self.sessionID = sessionID
  }
}
