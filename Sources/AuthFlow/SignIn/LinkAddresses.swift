/// Where links from outside lead: addresses of the front end, opaque to the flows.
public struct LinkAddresses: Hashable, Sendable {
  /// Where the pages lie below what the addresses begin with.
  public struct Paths: Hashable, Sendable {
    public var signIn: String
    public var signUp: String
    public var browserReturn: String

    public init(signIn: String, signUp: String, browserReturn: String) {
      self.signIn = signIn
      self.signUp = signUp
      self.browserReturn = browserReturn
    }
  }

  /// What the addresses begin with.
  public var origin: String
  private let paths: Paths

  public init(origin: String, paths: Paths) {
    self.origin = origin
    self.paths = paths
  }

  // Put together where one is sent, which most requests have nothing of.
  public var signIn: String { origin + paths.signIn }
  public var signUp: String { origin + paths.signUp }
  /// Where a browser comes back to from an identity provider's page.
  public var browserReturn: String { origin + paths.browserReturn }
}
