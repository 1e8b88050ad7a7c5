public import Headless
public import HTTPExchange
public import Logging
public import Vestibule

/// A Vestibule for tests: nothing on disk, an emulated API behind it, each test in its own world.
///
///     let vestibule = try TestVestibule()
///     let ada = vestibule.session(world: "first-sign-in")
///     try await ada.open("/sign-in")
///     let page = try await ada.submit([
///       "identifier": "ada@example.com", "password": "walk-right-in-42",
///     ])
///
/// See <doc:VestibuleTesting> for what else a test can do.
public final class TestVestibule: Sendable {
  /// Which auth API answers, and the emulator's settings and accounts.
  public typealias Configuration = Vestibule.Configuration

  private let composition: Composition
  private let configuration: Configuration
  /// The `Host` that requests over ``transport`` have to name.
  public let host: String

  /// Connects the rooms without a socket: the same bytes, by call.
  ///
  /// - Parameters:
  ///   - configuration: Which auth API answers, and the emulator's settings and accounts.
  ///   - logger: Receives events, such as why an auth API of your own did not answer; nil writes
  ///     warnings and errors to standard error.
  /// - Throws: `StartFailure` if a setting or an account is not valid in a file either, or if
  ///   templates or static files that the configuration names cannot be read.
  public init(_ configuration: Configuration = Configuration(), logger: Logger? = nil) throws {
    var configuration = try configuration.withCheckedDocuments()
    configuration.dataFolder = nil
    composition = try Composition(configuration, logger: logger ?? Self.warnings)
    self.configuration = configuration
    host = "localhost:\((configuration.pages ?? configuration.emulator)?.port ?? 8080)"
  }

  private static var warnings: Logger {
    var logger = Logger(label: "vestibule") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .warning
    return logger
  }

  /// The transport to the pages; requests over it must name ``host``.
  public var transport: any HTTPTransport { InProcessTransport(to: composition.handler) }

  /// A new browser in that world.
  ///
  /// - Parameter world: 1 to 40 of `a-z`, `0-9` and `-`. With any other name, or without pages,
  ///   every request of the browser throws `FormSession.Failure`.
  /// - Returns: A browser without cookies.
  public func session(world: String) -> FormSession {
    FormSession(
      over: transport,
      host: host,
      world: world,
      origins: [configuration.publicURL].compactMap(\.self),
      hindrance: configuration.pages == nil
        ? "There are no pages: this Vestibule serves only the emulator" : nil
    )
  }

  /// Backstage of that world.
  ///
  /// - Parameters:
  ///   - world: As for ``session(world:)``. If the auth API is not emulated, every call throws
  ///     `TestBackstage.Failure`.
  ///   - patience: How long to wait for a message. One that a page has announced is there already.
  /// - Returns: A client for its calls.
  public func backstage(world: String, patience: Duration = .zero) -> TestBackstage {
    let hindrance: String? =
      switch configuration.authAPI {
      case .emulated: nil
      case .remote(let api): "There is no backstage with \(api): only an emulated API has one"
      }
    return TestBackstage(
      over: transport,
      host: host,
      world: world,
      patience: patience,
      hindrance: hindrance
    )
  }

  /// A player of stories in that world, which is reset to its seed each time.
  ///
  /// - Parameter world: As for ``session(world:)``.
  /// - Returns: A player with a browser of its own.
  public func player(world: String) -> StoryPlayer {
    StoryPlayer(session(world: world), backstage(world: world))
  }
}
