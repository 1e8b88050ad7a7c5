/// An invitation that was mailed: whoever holds it may sign up with the address it went to.
///
/// It is a secret, so it is never printed and leaves the address of the page at once.
public struct Invitation: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// What the address of the invitation's link calls it.
  public let parameter: String
  public let ticket: String

  @_spi(Provider) public init(parameter: String, ticket: String) {
    self.parameter = parameter
    self.ticket = ticket
  }

  public var description: String { "<invitation>" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
