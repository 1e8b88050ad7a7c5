public import AuthFlow
public import HTTPExchange
public import Pages

/// What the pages of one world stand in front of.
public struct Front: Sendable {
  public var provider: any AuthProvider
  public var clock: WallClock
  /// Set where the auth API is emulated: every page says so (S24).
  public var emulation: PageFrame.Emulation?

  public init(provider: any AuthProvider, clock: WallClock, emulation: PageFrame.Emulation?) {
    self.provider = provider
    self.clock = clock
    self.emulation = emulation
  }
}

/// Finds the front of a world.
public protocol FrontDirectory: Sendable {
  /// Whether requests may name worlds at all; where not, there is one front, whatever they name.
  var hasWorlds: Bool { get }

  /// The front of a world, whose messages lead to those addresses.
  ///
  /// - Throws: `FrontUnavailable` when the world cannot be opened.
  func front(of world: WorldName, links: LinkAddresses) throws(FrontUnavailable) -> Front
}

/// A world cannot be opened now; the reason has been logged where it is known.
public struct FrontUnavailable: Error, Sendable {
  public init() {}
}
