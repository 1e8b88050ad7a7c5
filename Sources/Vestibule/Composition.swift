internal import Emulators
internal import HTTPClientTransport
public import HTTPExchange
public import Logging

/// The rooms, connected: handlers that a server can host and that a test can call.
public struct Composition: Sendable {
  /// The pages with backstage while the auth API is emulated, or the emulated API alone.
  let main: Endpoint
  /// The emulated API on a port of its own, beside the pages.
  let further: Endpoint?
  let transport: HTTPClientTransport?
  let isStopping = Flag()

  var endpoints: [Endpoint] { [main] + [further].compactMap(\.self) }

  /// What answers first of all.
  public var handler: any HTTPHandler { main.handler }

  /// Connects the rooms.
  ///
  /// - Parameters:
  ///   - configuration: What was asked for, at the ports where it is, or would be, served.
  ///   - logger: Where the events go.
  /// - Throws: `StartFailure`, with one clear line.
  public init(_ configuration: Configuration, logger: Logger) throws(StartFailure) {
    switch configuration.service {
    case .emulatorOnly(let api, let address):
      let emulation = try configuration.startEmulation(of: api, at: address, logger: logger)
      main = try configuration.emulatorEndpoint(of: emulation, at: address)
      further = nil
      transport = nil
    case .pages(let address, .emulated(let api, let ownAddress)):
      let emulation = try configuration.startEmulation(of: api, at: ownAddress, logger: logger)
      main = try configuration.pagesEndpoint(
        at: address,
        over: EmulatedWorldDirectory(emulation),
        emulation: emulation,
        isStopping: isStopping,
        logger: logger
      )
      further = try ownAddress.map { address throws(StartFailure) in
        try configuration.emulatorEndpoint(of: emulation, at: address)
      }
      transport = nil
    case .pages(let address, .remote(let api)):
      let socket = configuration.socket(to: api)
      main = try configuration.pagesEndpoint(
        at: address,
        over: RemoteWorldDirectory(provider: api.provider(socket)),
        emulation: nil,
        isStopping: isStopping,
        logger: logger
      )
      further = nil
      transport = socket
    }
  }
}

extension Configuration {
  func socket(to api: RemoteAuthAPI) -> HTTPClientTransport {
    HTTPClientTransport(
      to: api.origin,
      additionalTrustRoots: trustedAuthorities,
      proxy: upstreamProxy
    )
  }
}
