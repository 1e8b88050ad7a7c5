/// An invitation that was mailed: whoever holds it may sign up with the address it went to.
///
/// It is a secret, so it is never printed and leaves the address of the page at once.
public struct Invitation: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  @_spi(Provider) public let ticket: String

  @_spi(Provider) public init(ticket: String) { self.ticket = ticket }

  public var description: String { "<invitation>" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
