/// An emailed invitation, whose holder may sign up with the address that it was sent to.
///
/// It is a secret: it is never printed, and is removed from the page's address at once.
public struct Invitation: Hashable, Sendable, Redacted {
  /// Its parameter's name in the address of the invitation's link.
  public let parameter: String
  public let ticket: String

  @_spi(Provider) public init(parameter: String, ticket: String) {
    self.parameter = parameter
    self.ticket = ticket
  }

  public static let redaction = "<invitation>"
}
