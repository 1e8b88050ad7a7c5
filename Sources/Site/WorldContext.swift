public import AuthFlow
public import HTTPExchange
internal import HTTPTypes
internal import Localization
public import Pages

/// What the pages of one world stand in front of: a reference, since every step of an answer is handed all of it.
public final class WorldContext: Sendable {
  public let provider: any AuthProvider
  public let clock: WallClock
  /// Set where the auth API is emulated: every page says so (S24).
  public let emulation: PageFrame.Emulation?
  /// Tells the newest of an emulated world, for the bar above its pages.
  public let news: News?

  /// What has come in a world of late, and the code that a page seeks.
  public typealias News = @Sendable (SoughtCode?) async -> PageFrame.Emulation.News

  /// Whether what a browser does is recorded, by what it sends and the ids of its visit.
  public let isRecorded: (@Sendable (Request, [String]) -> Bool)?

  /// Is told what becomes of each request of a browser, and tells where the world's story stands then;
  /// nil in the worlds that tell none.
  public let story: (@Sendable (SeenStep) -> PageFrame.Emulation.ToldStory?)?

  /// Is told what is sent to the pages and shown; nil where no walk is recorded.
  public let record: (@Sendable (SeenRequest) async -> Void)?

  /// Is told of every page that goes out; nil where nobody watches.
  public let watch: (@Sendable (PageReport) -> Void)?

  public init(
    provider: any AuthProvider,
    clock: WallClock,
    emulation: PageFrame.Emulation?,
    news: News? = nil,
    isRecorded: (@Sendable (Request, [String]) -> Bool)? = nil,
    story: (@Sendable (SeenStep) -> PageFrame.Emulation.ToldStory?)? = nil,
    record: (@Sendable (SeenRequest) async -> Void)? = nil,
    watch: (@Sendable (PageReport) -> Void)? = nil
  ) {
    self.provider = provider
    self.clock = clock
    self.emulation = emulation
    self.news = news
    self.isRecorded = isRecorded
    self.story = story
    self.record = record
    self.watch = watch
  }
}

extension WorldContext {
  /// The provider, which calls in the reader's language, and speaks for the browser where a form may
  /// leave a session behind.
  func provider(for request: Request, in language: LanguageTag) -> any AuthProvider {
    let provider = provider.calling(in: language.text)
    guard request.method == .post, let userAgent = request.headerFields.value(of: .userAgent),
      let naming = provider.callingBrowser
    else { return provider }
    return naming.calling(for: userAgent.cut(to: Self.userAgentLimit))
  }

  /// In code points; the products that matter come first or soon.
  private static let userAgentLimit = 256
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

  /// A world as it is now; nil where that is not known without asking, or where somebody follows what
  /// becomes of each request.
  func known(_ world: WorldName) -> KnownWorld?
}

extension WorldDirectory {
  public func known(_ world: WorldName) -> KnownWorld? { nil }
}

/// A world of which nothing has to be asked.
public struct KnownWorld: Sendable {
  public var edition: WorldEdition
  public var clock: WallClock
  /// As the one of its context.
  public var watch: (@Sendable (PageReport) -> Void)?

  public init(
    edition: WorldEdition,
    clock: WallClock,
    watch: (@Sendable (PageReport) -> Void)? = nil
  ) {
    self.edition = edition
    self.clock = clock
    self.watch = watch
  }
}

/// What of a world shows in a page of which nothing else is known: no two worlds, and no world before
/// and after a change, are at the same.
public struct WorldEdition: Sendable, Hashable {
  /// Which revision the settings are at.
  public var settings: Int
  /// Which revision the messages are at.
  public var messages: Int

  public init(settings: Int, messages: Int) {
    self.settings = settings
    self.messages = messages
  }
}

/// A world cannot be opened now.
public struct WorldUnavailable: Error, Sendable {
  /// Why, for who keeps the service.
  public var reason: String

  public init(reason: String) { self.reason = reason }
}
