internal import Backstage
internal import ClerkFrontendAPI
internal import EntraNativeAuth
internal import Emulators
public import HTTPExchange
internal import HTTPClientTransport
public import Logging
internal import Site

/// The rooms, connected: handlers that a server can host and that a test can call.
public struct House: Sendable {
  let pages: PagesListener?
  let emulator: EmulatorListener?
  let transport: HTTPClientTransport?
  let isStopping = Flag()

  /// The pages, and backstage while the auth API is emulated.
  public var pagesHandler: (any HTTPHandler)? { pages }
  /// The emulated API and backstage's JSON, as they stand on the emulator's own port.
  public var emulatorHandler: (any HTTPHandler)? { emulator }

  /// Connects the rooms.
  ///
  /// - Parameters:
  ///   - configuration: What was asked for.
  ///   - pagesPort: The port that the pages are, or would be, served on; nil leaves them out.
  ///   - emulatorPort: The same for the emulated API.
  ///   - logger: Where the events go.
  /// - Throws: `StartFailure`, with one clear line.
  public init(
    _ configuration: Configuration,
    pagesPort: Int?,
    emulatorPort: Int?,
    logger: Logger
  ) throws(StartFailure) {
    let emulation = try configuration.startEmulation(emulatorPort: emulatorPort, logger: logger)
    var transport: HTTPClientTransport?
    if let pagesPort {
      let fronts: any WorldDirectory
      switch configuration.authAPI {
      case .emulatedClerk, .emulatedEntra:
        guard let emulation else { preconditionFailure("An emulated API has an emulation") }
        fronts = EmulatedFronts(emulation, tenant: configuration.emulatedTenant)
      case .clerk(let baseURL):
        let socket = configuration.socket(to: baseURL)
        transport = socket
        fronts = RemoteFront(.clerk(ClerkProvider(transport: socket, clock: .machine)))
      case .entra(let tenant):
        let socket = configuration.socket(to: tenant.origin)
        transport = socket
        fronts = RemoteFront(
          .entra(
            EntraProvider(
              transport: socket,
              tenant: configuration.native(tenant),
              clock: .machine
            )
          )
        )
      }
      pages = try configuration.pages(
        fronts: fronts,
        port: pagesPort,
        emulation: emulation,
        isStopping: isStopping,
        logger: logger
      )
    } else {
      pages = nil
    }
    if let emulation, let emulatorPort {
      let publicOrigin = try configuration.emulatorPublicOrigin()
      emulator = EmulatorListener(
        api: emulation.api,
        emulator: BrowserAccess(emulation.emulator, origins: configuration.browserOrigins),
        backstage: emulation.backstageAPI,
        hosts: HostPolicy(
          port: emulatorPort,
          authorities: try configuration.namedAuthorities(port: emulatorPort)
            + (publicOrigin.map { [$0.authority, $0.fullAuthority] } ?? []),
          admitsWorlds: true
        ),
        publicOrigin: publicOrigin,
        trustedProxies: configuration.trustedProxies
      )
    } else {
      emulator = nil
    }
    self.transport = transport
  }
}
