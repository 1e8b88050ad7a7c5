internal import AuthFlow
internal import ClerkFrontendAPI
internal import Emulators
internal import Foundation
internal import HTTPClientTransport
internal import HTTPExchange
internal import HTTPTypes
internal import Pages
internal import Site
internal import Synchronization

/// The fronts of the embedded emulator: one for each world, made when it is first named.
final class EmulatedFronts: FrontDirectory {
  let hasWorlds = true
  private let worlds: Worlds
  private let transport: any HTTPTransport
  private let made = Mutex<[WorldName: ClerkProvider]>([:])
  private static let limit = 2_000

  init(worlds: Worlds, emulator: any HTTPHandler) {
    self.worlds = worlds
    let limits = HTTPClientTransport.Limits()
    transport = InProcessTransport(
      to: emulator,
      deadline: limits.totalDeadline,
      answerLimitBytes: limits.answerLimitBytes
    )
  }

  func front(of name: WorldName, links: LinkAddresses) throws(FrontUnavailable) -> Front {
    guard let world = try? worlds.world(name) else { throw FrontUnavailable() }
    let clock = WallClock { [clock = world.clock] in clock.now }
    return Front(
      provider: provider(of: name).sending(links),
      clock: clock,
      emulation: PageFrame.Emulation(
        api: "Clerk",
        world: name.text,
        inboxPath: "/backstage/inbox"
      )
    )
  }

  /// The provider asks the worlds for the time at each call: a world that was dropped and made anew
  /// has a clock of its own.
  private func provider(of name: WorldName) -> ClerkProvider {
    made.withLock { made in
      if let provider = made[name] { return provider }
      if made.count >= Self.limit { made = [:] }
      let provider = ClerkProvider(
        transport: transport,
        clock: WallClock { [worlds] in (try? worlds.world(name))?.clock.now ?? Date() },
        additionalHeaderFields: [.vestibuleWorld: name.text],
        environmentLifetime: .zero
      )
      made[name] = provider
      return provider
    }
  }
}

/// The one front of an auth API that is reached over a socket.
struct RemoteFront: FrontDirectory {
  let hasWorlds = false
  private let provider: ClerkProvider
  private let clock = WallClock { Date() }

  init(transport: any HTTPTransport) {
    provider = ClerkProvider(transport: transport, clock: clock)
  }

  func front(of world: WorldName, links: LinkAddresses) throws(FrontUnavailable) -> Front {
    Front(provider: provider.sending(links), clock: clock, emulation: nil)
  }
}
