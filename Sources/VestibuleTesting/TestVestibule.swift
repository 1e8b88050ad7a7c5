public import HTTPExchange
internal import Logging
public import Vestibule

/// A Vestibule for tests: nothing on disk, the emulated API behind it, each test in its own world.
///
///     let vestibule = try TestVestibule()
///     let ada = vestibule.session(world: "first-sign-in")
///     try await ada.open("/sign-in")
///     let page = try await ada.submit([
///       "identifier": "ada@example.com", "password": "walk-right-in-42",
///     ])
///
/// What else a test can do: <doc:VestibuleTesting>.
public final class TestVestibule: Sendable {
  /// Which auth API answers, and the emulator's settings and accounts.
  public typealias Configuration = Vestibule.Configuration

  private let composition: Composition
  private let host: String

  /// Connects the rooms without a socket: the same bytes, by call.
  ///
  /// - Parameter configuration: Which auth API answers, and the emulator's settings and accounts.
  /// - Throws: `StartFailure` when templates or static files that it names cannot be read.
  public init(_ configuration: Configuration = Configuration()) throws {
    var configuration = configuration
    configuration.dataFolder = nil
    composition = try Composition(
      configuration,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    )
    host = "localhost:\(configuration.pages?.port ?? 8080)"
  }

  /// How the pages are reached.
  public var transport: any HTTPTransport { InProcessTransport(to: composition.handler) }

  /// A browser of its own, in that world.
  public func session(world: String) -> FormSession {
    FormSession(over: transport, host: host, world: world)
  }

  /// Backstage of that world.
  public func backstage(world: String) -> TestBackstage {
    TestBackstage(over: transport, host: host, world: world)
  }
}
