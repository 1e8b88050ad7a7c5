internal import Emulators
internal import HTTPClientTransport
public import HTTPExchange
internal import Locking
public import Logging

/// The rooms, connected: handlers that a server can host and that a test can call.
public struct Composition: Sendable {
  /// The pages, with backstage if the auth API is emulated; or the emulated API alone.
  let main: Endpoint
  /// The emulated API on its own port, beside the pages.
  let further: Endpoint?
  /// The metrics; nil if nothing is counted.
  let metrics: Endpoint?
  let meter: Meter?
  let transport: HTTPClientTransport?
  private let pagesRenewal: PagesRenewal?
  private let emulation: Emulation?
  let readiness = Readiness()

  var endpoints: [Endpoint] { [main] + [further, metrics].compactMap(\.self) }

  /// The handler of the main endpoint.
  public var handler: any HTTPHandler { main.handler }

  /// Connects the rooms.
  ///
  /// - Parameters:
  ///   - configuration: The configuration, with the ports at which it is, or would be, served.
  ///   - logger: Logs the events.
  /// - Throws: `StartFailure`, with one clear line.
  public init(_ configuration: Configuration, logger: Logger) throws(StartFailure) {
    let meter: Meter?
    if let address = configuration.metrics {
      let counting = Meter()
      metrics = try configuration.metricsEndpoint(
        at: address,
        telling: counting,
        logger: logger
      )
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
      main = try configuration.emulatorEndpoint(
        of: emulation,
        at: address,
        meter: meter,
        logger: logger
      )
      further = nil
      transport = nil
      pagesRenewal = nil
      self.emulation = emulation
    case .pages(let address, .emulated(let api, let ownAddress)):
      let files = configuration.startReadingPages(until: readiness, logger: logger)
      let emulation = try configuration.startEmulation(of: api, at: ownAddress, logger: logger)
      meter?.watch(emulation.worlds)
      let renewal = try Self.pages(
        configuration,
        of: files,
        in: PagesSurroundings(
          address: address,
          worlds: EmulatedWorldDirectory(emulation, meter: meter),
          emulation: emulation,
          readiness: readiness,
          meter: meter,
          logger: logger
        )
      )
      main = renewal.pages.endpoint
      further = try ownAddress.map { address throws(StartFailure) in
        try configuration.emulatorEndpoint(
          of: emulation,
          at: address,
          meter: meter,
          logger: logger
        )
      }
      transport = nil
      pagesRenewal = renewal
      self.emulation = emulation
    case .pages(let address, .remote(let api)):
      let files = configuration.startReadingPages(until: readiness, logger: logger)
      let socket = try configuration.socket(to: api) { reason in
        logger.warning("the auth API does not answer", metadata: ["reason": "\(reason)"])
      }
      let renewal = try Self.pages(
        configuration,
        of: files,
        in: PagesSurroundings(
          address: address,
          worlds: RemoteWorldDirectory(
            provider: api.provider(meter?.measuring(socket) ?? socket)
          ),
          emulation: nil,
          readiness: readiness,
          meter: meter,
          logger: logger
        )
      )
      main = renewal.pages.endpoint
      further = nil
      transport = socket
      pagesRenewal = renewal
      emulation = nil
    }
  }

  /// The pages, made from their files, and the parts that are kept when those are read again.
  private static func pages(
    _ configuration: Configuration,
    of files: Started<PageFiles>,
    in surroundings: PagesSurroundings
  ) throws(StartFailure) -> PagesRenewal {
    try PagesRenewal(
      configuration,
      of: files,
      read: { configuration throws(StartFailure) in
        try configuration.pageFiles(
          logger: surroundings.logger,
          until: { [readiness = surroundings.readiness] in readiness.isStopping }
        )
      },
      make: { configuration, keys, files throws(StartFailure) in
        try configuration.pagesEndpoint(of: files, in: surroundings, keys: keys)
      }
    )
  }

  /// Short marks of the sealing keys in force; none if there are no pages.
  var sealingKeyMarks: [String] { pagesRenewal?.keyMarks ?? [] }

  /// Tells everyone who waits for a message, now or later, that the program is stopping, and delays no more calls.
  func endWaiting() { emulation?.worlds.endWaiting() }

  /// Closes the worlds' files in an orderly way; no world may be used after this.
  ///
  /// - Parameter logger: Warns if the newest data stays in the log beside the database: a copy of the database alone
  ///   would lack it.
  func closeWorlds(logger: Logger) {
    guard let worlds = emulation?.worlds, let error = worlds.close() else { return }
    logger.warning(
      "the database's log could not be written into it",
      metadata: [
        "folder": "\(worlds.folder ?? "")", "error": "\(error)",
        "advice": "nothing is lost: keep the files -wal and -shm with the database, also in copies",
      ]
    )
  }

  /// Reads again what may change while serving: sealing keys, templates, static files, the brand.
  ///
  /// - Parameter configuration: The configuration of the start, with the brand as it is now.
  /// - Returns: A function that puts all of it in force.
  /// - Throws: `StartFailure` for the first file that cannot be used; nothing has changed then.
  func renewed(_ configuration: Configuration) throws(StartFailure) -> @Sendable () -> Void {
    let renewPages = try pagesRenewal?.renewed(configuration)
    guard let emulation else { return { renewPages?() } }
    let words = try configuration.messageWords()
    let application = EmulatedApplication(configuration.brand)
    return {
      renewPages?()
      emulation.words.replace(by: words)
      emulation.application.withLock { $0.replace(by: application) }
    }
  }
}

extension Configuration {
  /// Starts to read the pages' files, while an emulated API opens its worlds.
  fileprivate func startReadingPages(
    until readiness: Readiness,
    logger: Logger
  ) -> Started<PageFiles> {
    Started { () throws(StartFailure) in
      try pageFiles(logger: logger, until: { readiness.isStopping })
    }
  }

  /// - Parameters:
  ///   - api: The API to call.
  ///   - report: Takes the reason why a call brought no answer.
  /// - Returns: A transport that calls it.
  /// - Throws: `StartFailure` if libcurl is not installed or too old.
  func socket(
    to api: RemoteAuthAPI,
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(StartFailure) -> HTTPClientTransport {
    do {
      return try HTTPClientTransport(
        to: api.origin,
        additionalTrustRoots: trustedAuthorities,
        proxy: upstreamProxy,
        report: report
      )
    } catch {
      throw StartFailure(.unavailable, error.description)
    }
  }
}
