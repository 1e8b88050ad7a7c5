/// Where links from outside lead: addresses of the front end, opaque to the flows.
public struct LinkAddresses: Hashable, Sendable {
  /// What the addresses begin with.
  public var origin: String
  public var signIn: String
  public var signUp: String
  /// Where a browser comes back to from an identity provider's page.
  public var browserReturn: String

  public init(origin: String, signIn: String, signUp: String, browserReturn: String) {
    self.origin = origin
    self.signIn = signIn
    self.signUp = signUp
    self.browserReturn = browserReturn
  }
}
