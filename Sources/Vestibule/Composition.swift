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
  /// The figures; nil where nothing is counted.
  let metrics: Endpoint?
  let meter: Meter?
  let transport: HTTPClientTransport?
  let isStopping = Flag()

  var endpoints: [Endpoint] { [main] + [further, metrics].compactMap(\.self) }

  /// What answers first of all.
  public var handler: any HTTPHandler { main.handler }

  /// Connects the rooms.
  ///
  /// - Parameters:
  ///   - configuration: What was asked for, at the ports where it is, or would be, served.
  ///   - logger: Where the events go.
  /// - Throws: `StartFailure`, with one clear line.
  public init(_ configuration: Configuration, logger: Logger) throws(StartFailure) {
    let meter: Meter?
    if let address = configuration.metrics {
      let counting = Meter()
      metrics = try configuration.metricsEndpoint(at: address, telling: counting)
      meter = counting
    } else {
      metrics = nil
      meter = nil
    }
    self.meter = meter
    switch configuration.service {
    case .emulatorOnly(let api, let address):
      let emulation = try configuration.startEmulation(of: api, at: address, logger: logger)
      meter?.watch(emulation.worlds)
      main = try configuration.emulatorEndpoint(of: emulation, at: address, meter: meter)
      further = nil
      transport = nil
    case .pages(let address, .emulated(let api, let ownAddress)):
      let emulation = try configuration.startEmulation(of: api, at: ownAddress, logger: logger)
      meter?.watch(emulation.worlds)
      main = try configuration.pagesEndpoint(
        at: address,
        over: EmulatedWorldDirectory(emulation, meter: meter),
        emulation: emulation,
        isStopping: isStopping,
        meter: meter,
        logger: logger
      )
      further = try ownAddress.map { address throws(StartFailure) in
        try configuration.emulatorEndpoint(of: emulation, at: address, meter: meter)
      }
      transport = nil
    case .pages(let address, .remote(let api)):
      let socket = configuration.socket(to: api)
      main = try configuration.pagesEndpoint(
        at: address,
        over: RemoteWorldDirectory(
          provider: api.provider(meter?.measuring(socket) ?? socket)
        ),
        emulation: nil,
        isStopping: isStopping,
        meter: meter,
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
