@_spi(Provider) import AuthFlow
import Crypto
import Foundation
import HTTPExchange
import HTTPTypes
import Localization
import Locking
import Pages
import Testing
import TestSupport

@testable import Site

/// A site in front of a scripted provider, with clocks that a test moves.
struct TestSite: Sendable {
  let site: Site
  let provider: ScriptedProvider
  let clock: MovableClock
  let machine: MovableClock
  let uptime: Uptime
  let log: LogRecorder
  /// The events of flows that were counted.
  let events: Locked<[Site.Event]>
  /// The requests that were turned away, as they were counted.
  let turnedAway: Locked<[Site.TurnedAway]>
  /// The world's edition; nil, as at first, if it is not known.
  let edition = Locked<WorldEdition?>(nil)
  /// The life of the world.
  let life = Locked(WorldLife(number: 1, skipped: .zero))

  /// The host that requests ask for unless they say otherwise.
  static let host = "localhost:8080"
  static let key = SymmetricKey(data: Data(repeating: 7, count: 32))

  init(
    _ provider: ScriptedProvider = ScriptedProvider(),
    publicOrigin: String = "http://localhost:8080",
    redirectOrigins: [String] = [],
    hasThrottle: Bool = false,
    trustedProxies: [IPAddress] = [],
    keys: [SymmetricKey] = [key],
    language: LanguageTag? = nil,
    emulation: PageFrame.Emulation? = nil,
    news: WorldContext.News? = nil,
    hasWorlds: Bool = true,
    isDown: Bool = false,
    notReady: String? = nil,
    memory: Site.Memory? = nil
  ) throws {
    let clock = MovableClock()
    let machine = MovableClock()
    let uptime = Uptime()
    let log = LogRecorder()
    let events = Locked<[Site.Event]>([])
    let turnedAway = Locked<[Site.TurnedAway]>([])
    let random = Counter()
    let life = self.life
    self.provider = provider
    self.clock = clock
    self.machine = machine
    self.uptime = uptime
    self.log = log
    self.events = events
    self.turnedAway = turnedAway
    site = Site(
      Site.Configuration(
        publicOrigin: publicOrigin,
        hosts: HostPolicy(
          port: 8080,
          authorities: [String(publicOrigin.split(separator: "/").last ?? "")],
          admitsWorlds: true
        ),
        redirectOrigins: redirectOrigins,
        hasThrottle: hasThrottle,
        trustedProxies: trustedProxies,
        language: language
      ),
      keys: try #require(KeyRing(keys)),
      worlds: Directory(
        hasWorlds: hasWorlds,
        isDown: isDown,
        edition: edition,
        clock: clock.wallClock
      ) {
        WorldContext(
          provider: provider,
          clock: clock.wallClock,
          emulation: emulation,
          news: news,
          life: life.withLock(\.self)
        )
      },
      renderer: try PageRenderer(),
      files: try StaticFiles(),
      environment: Site.Environment(
        machineNow: { machine.wallClock.now },
        monotonicNow: { uptime.now },
        random: random.bytes,
        logger: log.logger,
        notReady: { notReady },
        turnedAway: { reason, _ in turnedAway.withLock { $0.append(reason) } },
        happened: { event in events.withLock { $0.append(event) } }
      ),
      memory: memory
    )
  }

  /// A browser that has never been here.
  func visitor(world: String? = nil) -> Visitor { Visitor(site: self, world: world) }

  /// A browser that stands where the visit says.
  func visitor(_ change: (inout Visit) throws -> Void) throws -> Visitor {
    var visit = Visit(
      id: "visit-1",
      world: "main",
      machineNow: machine.wallClock.now,
      worldNow: clock.wallClock.now
    )
    try change(&visit)
    let visitor = visitor()
    try visitor.take(visit)
    return visitor
  }

  private struct Directory: WorldDirectory {
    var hasWorlds: Bool
    var isDown: Bool
    let edition: Locked<WorldEdition?>
    var clock: WallClock
    /// The context of the world, whichever is named.
    let context: @Sendable () -> WorldContext

    func open(
      _ world: WorldName,
      links: LinkAddresses
    ) async throws(WorldUnavailable) -> WorldContext {
      guard let context = opened(world, links: links) else {
        throw WorldUnavailable(reason: "it is not there")
      }
      return context
    }

    func opened(_ world: WorldName, links: LinkAddresses) -> WorldContext? {
      isDown ? nil : context()
    }

    func known(_ world: WorldName) -> KnownWorld? {
      edition.withLock(\.self).map { KnownWorld(edition: $0, clock: clock) }
    }
  }

  /// Bytes that never repeat.
  private final class Counter: Sendable {
    private let count = Locked(UInt64(0))

    @Sendable func bytes(_ number: Int) -> [UInt8] {
      let value = count.withLock { count in
        count += 1
        return count
      }
      return (0..<number).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0 % 8))) }
    }
  }
}

/// A monotonic clock that a test moves.
final class Uptime: Sendable {
  private let moment = Locked(ContinuousClock.now)

  var now: ContinuousClock.Instant { moment.withLock(\.self) }

  func move(by duration: Duration) { moment.withLock { $0 += duration } }
}

extension Visit {
  /// Puts a sign-in, a password reset or a sign-up where a test wants it.
  mutating func signIn(at state: SignInState) { state.enter(&self) }
  mutating func resetPassword(at step: PasswordResetStep) {
    PasswordResetState.step(step).enter(&self)
  }
  mutating func signUp(at state: SignUpState) { state.enter(&self) }
}
