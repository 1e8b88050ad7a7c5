internal import AuthFlow
internal import ClerkFrontendAPI
internal import Emulators
internal import EntraNativeAuth
internal import Foundation
internal import HTTPClientTransport
internal import HTTPExchange
internal import HTTPTypes
internal import Pages
internal import Site
internal import Synchronization

/// Whoever speaks to the auth API.
enum Spokesman: Sendable {
  case clerk(ClerkProvider)
  case entra(EntraProvider)

  /// As the pages want it that are reached at those addresses.
  ///
  /// - Parameters:
  ///   - links: Addresses of the pages.
  ///   - isEmbedded: Whether the API has browser pages of its own only among backstage's.
  /// - Returns: A provider of the same knowledge.
  func sending(_ links: LinkAddresses, isEmbedded: Bool) -> any AuthProvider {
    switch self {
    case .clerk(let provider): provider.sending(links)
    case .entra(let provider):
      provider.sending(
        links,
        browserBase: isEmbedded ? links.origin + EmulatedBrowserPages.prefix : nil
      )
    }
  }
}

/// The fronts of the embedded emulator: one for each world, made when it is first named.
final class EmulatedFronts: WorldDirectory {
  let hasWorlds = true
  private let api: EmulatedAPI
  private let worlds: Worlds
  private let tenant: NativeTenant
  private let transport: any HTTPTransport
  private let made = Mutex<[WorldName: Spokesman]>([:])
  private static let limit = 2_000

  /// - Parameters:
  ///   - emulation: The emulated side of the house.
  ///   - tenant: The one that is asked where Entra is emulated.
  init(_ emulation: Emulation, tenant: NativeTenant) {
    api = emulation.api
    worlds = emulation.worlds
    self.tenant = tenant
    let limits = HTTPClientTransport.Limits()
    transport = InProcessTransport(
      to: emulation.emulator,
      deadline: limits.totalDeadline,
      answerLimitBytes: limits.answerLimitBytes
    )
  }

  func open(
    _ name: WorldName,
    links: LinkAddresses
  ) async throws(WorldUnavailable) -> WorldContext {
    do {
      return context(of: name, try await worlds.world(name), sending: links)
    } catch {
      throw WorldUnavailable()
    }
  }

  func opened(_ name: WorldName, links: LinkAddresses) -> WorldContext? {
    worlds.opened(name).map { context(of: name, $0, sending: links) }
  }

  private func context(
    of name: WorldName,
    _ world: World,
    sending links: LinkAddresses
  ) -> WorldContext {
    let clock = WallClock { [clock = world.clock] in clock.now }
    return WorldContext(
      provider: spokesman(of: name).sending(links, isEmbedded: true),
      clock: clock,
      emulation: PageFrame.Emulation(
        api: api.pageName,
        world: name.text,
        inboxPath: "/backstage/inbox"
      )
    )
  }

  /// The provider asks the worlds for the time at each call: a world that was dropped and made anew
  /// has a clock of its own.
  private func spokesman(of name: WorldName) -> Spokesman {
    made.withLock { made in
      if let spokesman = made[name] { return spokesman }
      if made.count >= Self.limit { made = [:] }
      let spokesman = newSpokesman(for: name)
      made[name] = spokesman
      return spokesman
    }
  }

  private func newSpokesman(for name: WorldName) -> Spokesman {
    let clock = WallClock { [worlds] in worlds.opened(name)?.clock.now ?? Date() }
    return switch api {
    case .clerk:
      .clerk(
        ClerkProvider(
          transport: transport,
          clock: clock,
          additionalHeaderFields: [.vestibuleWorld: name.text],
          environmentLifetime: .zero,
          instanceRevision: { [worlds] in worlds.opened(name)?.instanceRevision }
        )
      )
    case .entra:
      .entra(
        EntraProvider(
          transport: transport,
          tenant: tenant,
          clock: clock,
          policy: { [worlds] in AppPolicy(worlds.opened(name)?.settings) },
          additionalHeaderFields: [.vestibuleWorld: name.text],
          keyRefetchInterval: 0
        )
      )
    }
  }
}

/// The one front of an auth API that is reached over a socket.
struct RemoteFront: WorldDirectory {
  let hasWorlds = false
  private let spokesman: Spokesman

  init(_ spokesman: Spokesman) { self.spokesman = spokesman }

  func open(
    _ world: WorldName,
    links: LinkAddresses
  ) async throws(WorldUnavailable) -> WorldContext { context(sending: links) }

  func opened(_ world: WorldName, links: LinkAddresses) -> WorldContext? { context(sending: links) }

  private func context(sending links: LinkAddresses) -> WorldContext {
    WorldContext(
      provider: spokesman.sending(links, isEmbedded: false),
      clock: .machine,
      emulation: nil
    )
  }
}

extension AppPolicy {
  /// An app that was set up for an emulated tenant of those settings.
  fileprivate init(_ settings: InstanceSettings?) {
    guard let settings else {
      self.init()
      return
    }
    self.init(
      asksIdentifierFirst: settings.identifierFirst,
      takesSignUps: settings.signUpMode == .public,
      usesPasswords: settings.entraChallengeTypes?.contains("password") ?? true,
      minimumPasswordLength: settings.passwordMinLength
    )
  }
}

extension WallClock {
  /// The machine's own.
  static var machine: WallClock { WallClock { Date() } }
}

extension EmulatedAPI {
  /// What pages call it.
  var pageName: String {
    switch self {
    case .clerk: "Clerk"
    case .entra: "Entra"
    }
  }
}

extension Configuration {
  /// What a sign-in asks the emulator for, unless it is told otherwise.
  private static let emulatedScopes = ["api://orders/Read", "api://orders/Write"]

  /// The emulator's tenant.
  var emulatedTenant: NativeTenant {
    NativeTenant(
      path: "/\(EntraTenant.defaultName)",
      clientID: EntraApp.demoID,
      scopes: scopes ?? Self.emulatedScopes
    )
  }

  func native(_ tenant: AuthAPI.Tenant) -> NativeTenant {
    NativeTenant(
      path: tenant.path,
      clientID: tenant.clientID,
      scopes: scopes ?? [],
      browserBase: tenant.origin.description
    )
  }

  func socket(to baseURL: BaseURL) -> HTTPClientTransport {
    HTTPClientTransport(
      to: baseURL,
      additionalTrustRoots: trustedAuthorities,
      proxy: upstreamProxy
    )
  }
}
