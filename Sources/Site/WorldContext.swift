public import AuthFlow
public import HTTPExchange
public import Pages

/// What the pages of one world stand in front of.
public struct WorldContext: Sendable {
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

/// Finds the context of a world.
public protocol WorldDirectory: Sendable {
  /// Whether requests may name worlds at all; where not, there is one, whatever they name.
  var hasWorlds: Bool { get }

  /// The context of a world, which is made where it is named for the first time.
  ///
  /// - Parameters:
  ///   - world: Its name.
  ///   - links: Where its messages lead.
  /// - Returns: The provider, the clock and what says that the auth API is emulated.
  /// - Throws: `WorldUnavailable` when the world cannot be opened.
  func open(
    _ world: WorldName,
    links: LinkAddresses
  ) async throws(WorldUnavailable) -> WorldContext

  /// The same, of a world that is there already; nothing is made, nobody waits.
  func opened(_ world: WorldName, links: LinkAddresses) -> WorldContext?
}

/// A world cannot be opened now; the reason has been logged where it is known.
public struct WorldUnavailable: Error, Sendable {
  public init() {}
}
