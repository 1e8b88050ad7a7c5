/// The addresses of the front end to which links from outside lead; opaque to the flows.
public struct LinkAddresses: Hashable, Sendable {
  /// The paths of the pages, which follow the origin.
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

  /// The scheme, host and port with which the addresses begin.
  public var origin: String
  private let paths: Paths

  public init(origin: String, paths: Paths) {
    self.origin = origin
    self.paths = paths
  }

  // Computed when one is sent, since most requests send none.
  public var signIn: String { origin + paths.signIn }
  public var signUp: String { origin + paths.signUp }
  /// Where a browser comes back to from an identity provider's page.
  public var browserReturn: String { origin + paths.browserReturn }
}
