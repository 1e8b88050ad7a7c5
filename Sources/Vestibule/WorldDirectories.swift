internal import AuthFlow
internal import Backstage
internal import Emulators
internal import HTTPClientTransport
internal import HTTPExchange
internal import Locking
internal import Pages
internal import Site

/// The worlds of the embedded emulator, each with a provider that is made when the world is first named.
final class EmulatedWorldDirectory: WorldDirectory {
  let hasWorlds = true
  private let api: EmulatedAuthAPI
  private let worlds: Worlds
  private let transport: any HTTPTransport
  private let formToken: String
  private let recordings: Recordings
  private let providers = Locked<[WorldName: Provided]>([:])
  private static let limit = 2_000

  /// The provider of a world's pages, and the walk that had last begun there when it was made.
  private struct Provided {
    var provider: LinkedProvider
    /// Of the one world of that name that the provider calls.
    var clock: WorldClock
    var beginning: Int?
  }

  /// - Parameters:
  ///   - emulation: The emulated API and its worlds.
  ///   - meter: Counts the calls; nil if nothing is counted.
  init(_ emulation: Emulation, meter: Meter?) {
    api = emulation.api
    worlds = emulation.worlds
    recordings = emulation.recordings
    formToken = BackstagePages.token(of: emulation.formSecret)
    let limits = HTTPClientTransport.Limits()
    let transport = InProcessTransport(
      to: emulation.emulator,
      deadline: limits.totalDeadline,
      answerLimitBytes: limits.answerLimitBytes
    )
    self.transport = meter?.measuring(transport) ?? transport
  }

  func open(
    _ name: WorldName,
    links: LinkAddresses
  ) async throws(WorldUnavailable) -> WorldContext {
    do {
      return context(of: name, try await worlds.world(name), sending: links)
    } catch {
      throw WorldUnavailable(reason: "\(error)")
    }
  }

  func opened(_ name: WorldName, links: LinkAddresses) -> WorldContext? {
    worlds.opened(name).map { context(of: name, $0, sending: links) }
  }

  func known(_ name: WorldName) -> KnownWorld? {
    guard let world = worlds.opened(name), let settings = world.instanceRevision,
      world.story.withLock({ $0 == nil }), recordings.recorder(of: world) == nil
    else { return nil }
    return KnownWorld(
      edition: WorldEdition(settings: settings, messages: world.outbox.revision),
      clock: world.wallClock,
      watch: world.watch
    )
  }

  private func context(
    of name: WorldName,
    _ world: World,
    sending links: LinkAddresses
  ) -> WorldContext {
    WorldContext(
      provider: provider(of: name, world)(links),
      clock: world.wallClock,
      emulation: PageFrame.Emulation(
        api: api.name,
        world: name.text,
        inboxPath: "/backstage/inbox"
      ),
      news: { await world.news(seeking: $0) },
      isRecorded: { [recordings] in recordings.isRecording($0, visit: $1, in: name) },
      story: world.story(token: formToken),
      record: recordings.recorder(of: world),
      watch: world.watch,
      life: WorldLife(number: world.life, skipped: .seconds(world.clock.skipped))
    )
  }

  private func provider(of name: WorldName, _ world: World) -> LinkedProvider {
    // A recorded walk begins with nothing known of the instance, as it will when it is walked again.
    let beginning = recordings.newestBeginning(in: name)
    return providers.withLock { providers in
      if let known = providers[name], known.clock === world.clock, known.beginning == beginning {
        return known.provider
      }
      if providers.count >= Self.limit { providers = [:] }
      let transport = WorldTransport(
        transport,
        to: name,
        whileRunning: world.clock,
        among: worlds
      )
      let named = EmulatedWorld(name: name, worlds: worlds, transport: transport)
      let provider = api.provider(named)
      providers[name] = Provided(provider: provider, clock: world.clock, beginning: beginning)
      return provider
    }
  }
}

/// Calls the emulated API in one world, and in no later one of its name: what a page has begun in a
/// world that is dropped meanwhile is not carried on in a fresh one.
private struct WorldTransport: HTTPTransport {
  private let base: any HTTPTransport
  private let name: WorldName
  /// Is that world's alone, which itself ends when it is dropped.
  private let clock: WorldClock
  private let worlds: Worlds

  init(
    _ base: any HTTPTransport,
    to name: WorldName,
    whileRunning clock: WorldClock,
    among worlds: Worlds
  ) {
    (self.base, self.name, self.clock, self.worlds) = (base, name, clock, worlds)
  }

  func send(_ request: Request) async throws(TransportError) -> Response {
    guard worlds.opened(name)?.clock === clock else { throw .refused }
    return try await base.send(request)
  }
}

extension World {
  fileprivate var wallClock: WallClock { WallClock { [clock] in clock.now } }

  /// Notes in the traces how a page was answered.
  fileprivate var watch: @Sendable (PageReport) -> Void {
    { [clock, traces] report in
      traces.note(report.visit, at: clock.now) { PageAnswer(report, took: $0) }
    }
  }
}

/// The one world of an auth API that is reached over a socket.
struct RemoteWorldDirectory: WorldDirectory {
  let hasWorlds = false
  let provider: LinkedProvider

  func open(
    _ world: WorldName,
    links: LinkAddresses
  ) async throws(WorldUnavailable) -> WorldContext { context(sending: links) }

  func opened(_ world: WorldName, links: LinkAddresses) -> WorldContext? { context(sending: links) }

  private func context(sending links: LinkAddresses) -> WorldContext {
    WorldContext(provider: provider(links), clock: .machine, emulation: nil)
  }
}
