public import AuthFlow
public import HTTPExchange
internal import HTTPTypes
internal import Localization
public import Pages

/// The surroundings of one world's pages: a reference, since every step of an answer gets all of
/// it.
public final class WorldContext: Sendable {
  public let provider: any AuthProvider
  public let clock: WallClock
  /// Set where the auth API is emulated: every page says so (S24).
  public let emulation: PageFrame.Emulation?
  /// The latest news of an emulated world, for the bar above its pages.
  public let news: News?

  /// Returns what is new in a world, with the code that a page asks for.
  public typealias News = @Sendable (SoughtCode?) async -> PageFrame.Emulation.News

  /// Whether a browser is recorded, judged by its request and the ids of its visit.
  public let isRecorded: (@Sendable (Request, [String]) -> Bool)?

  /// Called with what a browser sees of each answer, and returns where the world's story is then;
  /// nil in worlds without a story.
  public let story: (@Sendable (SeenStep) -> PageFrame.Emulation.ToldStory?)?

  /// Called with each request and what is shown for it; nil where no walk is recorded.
  public let record: (@Sendable (SeenRequest) async -> Void)?

  /// Called with a report of every page that is sent; nil where nobody watches.
  public let watch: (@Sendable (PageReport) -> Void)?

  /// The world's life at the beginning of the request: a form that comes again is not answered as in
  /// an earlier one, and our own limits count in each for itself.
  public let life: WorldLife

  public init(
    provider: any AuthProvider,
    clock: WallClock,
    emulation: PageFrame.Emulation?,
    news: News? = nil,
    isRecorded: (@Sendable (Request, [String]) -> Bool)? = nil,
    story: (@Sendable (SeenStep) -> PageFrame.Emulation.ToldStory?)? = nil,
    record: (@Sendable (SeenRequest) async -> Void)? = nil,
    watch: (@Sendable (PageReport) -> Void)? = nil,
    life: WorldLife = .only
  ) {
    self.provider = provider
    self.clock = clock
    self.emulation = emulation
    self.news = news
    self.isRecorded = isRecorded
    self.story = story
    self.record = record
    self.watch = watch
    self.life = life
  }
}

extension WorldContext {
  /// The provider, calling in the reader's language, and for the browser where a form may create a
  /// session.
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

/// An emulated world from its beginning, or a reset, to the next.
public struct WorldLife: Sendable, Hashable {
  /// Unique among the lives of all worlds.
  public var number: Int
  /// How far the world's clock was moved forward in all, besides the time that has passed.
  public var skipped: Duration

  public init(number: Int, skipped: Duration) {
    self.number = number
    self.skipped = skipped
  }

  /// That of a real auth API, where no clock and no name of a world may get around our limits (S34).
  public static let only = WorldLife(number: 0, skipped: .zero)
}

/// Finds the context of a world.
public protocol WorldDirectory: Sendable {
  /// Whether requests may name worlds; if not, there is one world, whatever they name.
  var hasWorlds: Bool { get }

  /// The context of a world, which is created when it is named for the first time.
  ///
  /// - Parameters:
  ///   - world: Its name.
  ///   - links: Where the links in its messages lead.
  /// - Returns: The context of the world.
  /// - Throws: `WorldUnavailable` when the world cannot be opened.
  func open(
    _ world: WorldName,
    links: LinkAddresses
  ) async throws(WorldUnavailable) -> WorldContext

  /// The same for a world that exists already; creates nothing, and does not wait.
  func opened(_ world: WorldName, links: LinkAddresses) -> WorldContext?

  /// A world as it is now; nil where that is not known without a call, or where a story or a
  /// recording follows each request.
  func known(_ world: WorldName) -> KnownWorld?
}

extension WorldDirectory {
  public func known(_ world: WorldName) -> KnownWorld? { nil }
}

/// A world about which nothing has to be asked.
public struct KnownWorld: Sendable {
  public var edition: WorldEdition
  public var clock: WallClock
  /// The same as in its context.
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

/// What determines the pages of a world for unknown visitors: it differs between any two worlds,
/// and before and after any change.
public struct WorldEdition: Sendable, Hashable {
  /// The revision of the settings.
  public var settings: Int
  /// The revision of the messages.
  public var messages: Int

  public init(settings: Int, messages: Int) {
    self.settings = settings
    self.messages = messages
  }
}

/// A world cannot be opened now.
public struct WorldUnavailable: Error, Sendable {
  /// The reason, for the operator.
  public var reason: String

  public init(reason: String) { self.reason = reason }
}
