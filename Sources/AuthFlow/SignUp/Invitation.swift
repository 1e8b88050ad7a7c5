/// An invitation that was mailed: whoever holds it may sign up with the address it went to.
///
/// It is a secret, so it is never printed and leaves the address of the page at once.
public struct Invitation: Hashable, Sendable, Redacted {
  /// What the address of the invitation's link calls it.
  public let parameter: String
  public let ticket: String

  @_spi(Provider) public init(parameter: String, ticket: String) {
    self.parameter = parameter
    self.ticket = ticket
  }

  public static let redaction = "<invitation>"
}
