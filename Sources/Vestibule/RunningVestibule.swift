internal import Foundation
internal import HTTPClientTransport
internal import HTTPExchange
internal import Locking
public import Logging
internal import MicroHTTPServer

/// A Vestibule that serves: the rooms connected, the sockets open.
public final class RunningVestibule: Sendable {
  /// An open port, and what it serves.
  public struct Listener: Sendable, Hashable {
    /// `pages`, `emulated clerk` or `metrics`.
    public var name: String
    /// `http://127.0.0.1:8080/`.
    public var address: String
    public var port: Int
    /// Whether pages or an API are served there, rather than metrics.
    public var isService: Bool { name != Endpoint.metricsName }
    /// Its name for programs, whichever API is emulated: `pages`, `emulator` or `metrics`.
    public var role: String { isService ? Endpoint.meteredName(of: name) : name }
  }

  public let listeners: [Listener]
  private let servers: [MicroHTTPServer]
  private let composition: Composition
  private let configuration: Configuration
  /// The certificate and key for new connections; nil over plain http.
  private let shownTexts: Locked<MicroHTTPServer.TLS?>
  private let logger: Logger
  /// Nil over plain http.
  private let certificateWatch: Task<Void, Never>?

  private init(
    listeners: [Listener],
    servers: [MicroHTTPServer],
    composition: Composition,
    configuration: Configuration,
    shownTexts: MicroHTTPServer.TLS?,
    logger: Logger
  ) {
    self.listeners = listeners
    self.servers = servers
    self.composition = composition
    self.configuration = configuration
    let shownTexts = Locked(shownTexts)
    self.shownTexts = shownTexts
    self.logger = logger
    certificateWatch = configuration.tls.map { files in
      let watch = CertificateWatch(
        shown: { shownTexts.withLock { $0?.certificate } },
        machineNow: { Date() },
        report: { files.warn(of: $0, logger: logger) }
      )
      return Task { await watch.run(by: ContinuousClock()) }
    }
  }

  /// Short marks of the sealing keys in their order, the sealing key's first, to compare replicas by; none if there are
  /// no pages.
  public var sealingKeyMarks: [String] { composition.sealingKeyMarks }

  /// Stops gracefully: running requests may answer within `grace`, new ones are refused, those who wait for a message
  /// are told that the program is stopping, and calls that a fault delays are carried out at once.
  ///
  /// If somebody polls `/readyz`, everything goes on, for at most `grace`, until they have been told several times to
  /// send requests elsewhere, or would ask again only after it.
  public func stop(grace: Duration = .seconds(10)) async {
    certificateWatch?.cancel()
    composition.readiness.beginStopping()
    await composition.readiness.untilHeard(atMost: grace)
    composition.endWaiting()
    await withTaskGroup(of: Void.self) { group in
      for server in servers { group.addTask { await server.stop(grace: grace) } }
    }
    await composition.transport?.shutdown()
    composition.closeWorlds(logger: logger)
  }

  /// Makes a stop wait neither for those who poll `/readyz` nor for running requests, which are answered with 503.
  ///
  /// Everything else is still ended in an orderly way.
  public func hurry() {
    composition.readiness.hurry()
    for server in servers { server.hurry() }
  }

  /// Reads the certificate, sealing keys, templates, static files and the brand again.
  ///
  /// New connections are shown the new certificate, and new requests are answered with the rest; running ones end as
  /// they began. To be called by one task at a time.
  ///
  /// - Throws: `StartFailure`, as at a start, for the first file that cannot be used; nothing has changed then.
  public func reload() throws(StartFailure) {
    let certificate: Configuration.TLSFiles.Changed?
    let renew: @Sendable () -> Void
    do throws(StartFailure) {
      certificate = try configuration.tls?.changed(
        since: shownTexts.withLock(\.self),
        logger: logger
      )
      var configuration = configuration
      if let file = configuration.brand?.folder.file {
        try configuration.readBrand(file, again: true)
      }
      renew = try composition.renewed(configuration)
    } catch {
      composition.meter?.countReload(.refused)
      throw error
    }
    if let certificate {
      for server in servers { server.replaceCertificate(by: certificate.certificate) }
      shownTexts.withLock { $0 = certificate.texts }
      composition.meter?.shown(certificate.texts)
    }
    renew()
    composition.meter?.countReload(.done)
  }

  /// Connects the rooms and opens the sockets.
  ///
  /// - Throws: `StartFailure`, with one clear line.
  public static func start(
    _ configuration: Configuration,
    logger: Logger
  ) throws(StartFailure) -> RunningVestibule {
    try configuration.refuseExposure()
    try configuration.refuseSharedPort()
    // Sockets first: a port in use is the most common failure, and the cheapest to find.
    var configuration = configuration
    let sockets = try configuration.listen()
    let composition = try Composition(configuration, logger: logger)
    try configuration.warnOfExposure(logger)
    let connectionLimit = connectionLimit(listenerCount: sockets.count, logger: logger)
    let endpoints = composition.endpoints
    // Read once for all servers: a pipe cannot be read twice.
    let tls = try configuration.tls.map { files throws(StartFailure) in
      (files: files, texts: try files.read(logger: logger))
    }
    let servers = try zip(endpoints, sockets).map { endpoint, socket throws(StartFailure) in
      try serve(
        endpoint,
        on: socket,
        tls: tls,
        connectionLimit: connectionLimit,
        meter: composition.meter,
        logger: logger
      )
    }
    if let tls { composition.meter?.shown(tls.texts) }
    for (endpoint, server) in zip(endpoints, servers) where endpoint.name != Endpoint.metricsName {
      composition.meter?.watch(
        Meter.Gauges(
          listener: endpoint.meteredName,
          openConnections: { [weak server] in server?.connectionCount ?? 0 },
          connectionLimit: connectionLimit,
          requestsInWork: { [weak server] in server?.liveExchangeCount ?? 0 }
        )
      )
    }
    let listeners = endpoints.map { endpoint in
      Listener(
        name: endpoint.name,
        address: configuration.url(of: endpoint.address, path: endpoint.path),
        port: endpoint.address.port
      )
    }
    return RunningVestibule(
      listeners: listeners,
      servers: servers,
      composition: composition,
      configuration: configuration,
      shownTexts: tls?.texts,
      logger: logger
    )
  }

  private static func serve(
    _ endpoint: Endpoint,
    on socket: ListeningSocket,
    tls: (files: Configuration.TLSFiles, texts: MicroHTTPServer.TLS)?,
    connectionLimit: Int,
    meter: Meter?,
    logger: Logger
  ) throws(StartFailure) -> MicroHTTPServer {
    var options = MicroHTTPServer.Options()
    options.handlerDeadline = { request in endpoint.deadline(for: request) }
    options.connectionLimit = connectionLimit
    if endpoint.name == Endpoint.metricsName {
      // Few ask, and one after the other.
      options.connectionLimit = min(connectionLimit, 64)
      options.threadCount = 1
    } else {
      options.reportCut = meter?.countingCuts(of: endpoint.meteredName)
    }
    options.tls = tls?.texts
    options.spooledBodyLimitBytes = endpoint.spooledBodyLimitBytes
    do {
      return try MicroHTTPServer(
        listeningOn: socket,
        options: options,
        handler: endpoint.handler,
        refusing: endpoint.refusing,
        log: { line in logger.debug("server", metadata: ["text": "\(line)"]) }
      )
    } catch {
      guard let tls else { throw StartFailure(.unavailable, "\(error)") }
      // The library has no better diagnosis of a bad certificate.
      throw tls.files.failure(error)
    }
  }

  /// As many connections as a listener is made for, or as the system has room for.
  private static func connectionLimit(listenerCount: Int, logger: Logger) -> Int {
    let wanted = MicroHTTPServer.Options().connectionLimit
    let room = FileDescriptors.make(roomFor: wanted * listenerCount) / listenerCount
    if room < wanted {
      logger.warning(
        "few connections: the limit of open files is low",
        metadata: ["connections": "\(room)", "wanted": "\(wanted)"]
      )
    }
    return room
  }
}

extension Configuration {
  /// Opens a socket for each endpoint, in their order, and stores the ports that they got.
  fileprivate mutating func listen() throws(StartFailure) -> [ListeningSocket] {
    let sockets = try listenForService()
    return sockets + [try metrics?.listen(by: "metrics-port")].compactMap(\.self)
  }

  private mutating func listenForService() throws(StartFailure) -> [ListeningSocket] {
    switch service {
    case .emulatorOnly(let api, var address):
      let socket = try address.listen(by: "port")
      service = .emulatorOnly(api, at: address)
      return [socket]
    case .pages(var address, .emulated(let api, var ownAddress?)):
      let sockets = [
        try address.listen(by: "port"), try ownAddress.listen(by: "emulator-port"),
      ]
      service = .pages(at: address, over: .emulated(api, at: ownAddress))
      return sockets
    case .pages(var address, let api):
      let socket = try address.listen(by: "port")
      service = .pages(at: address, over: api)
      return [socket]
    }
  }
}

extension Configuration.Address {
  /// Opens a socket and stores its port; if the port is in use, the failure names the option that chooses another.
  fileprivate mutating func listen(by option: String) throws(StartFailure) -> ListeningSocket {
    do {
      let socket = try ListeningSocket(host: host, port: port)
      port = socket.port
      return socket
    } catch {
      throw StartFailure(error, listeningBy: option)
    }
  }

  /// Checks whether it could be an address to listen on.
  func check() throws(StartFailure) {
    do {
      try ListeningSocket.check(host: host, port: port)
    } catch {
      throw StartFailure(error)
    }
  }

  /// Checks whether it could be listened on now, without listening.
  func checkFree(by option: String) throws(StartFailure) {
    do {
      try ListeningSocket.checkFree(host: host, port: port)
    } catch {
      throw StartFailure(error, listeningBy: option)
    }
  }
}

extension StartFailure {
  /// A failure to listen on a port; it names the option that chooses another one if that helps.
  init(_ error: ListenError, listeningBy option: String) {
    self.init(error)
    switch error {
    case .addressInUse: description += ": --\(option) chooses another (0: a free one)"
    case .notPermitted:
      description +=
        ": --\(option) chooses another, and the capability CAP_NET_BIND_SERVICE permits those below 1024"
    case .notAnAddress, .notAPort, .addressNotAvailable, .other: break
    }
  }

  fileprivate init(_ error: ListenError) {
    switch error {
    // Trying again never helps.
    case .notAnAddress, .notAPort, .notPermitted: self.init(.configuration, "\(error)")
    case .addressInUse, .addressNotAvailable, .other: self.init(.unavailable, "\(error)")
    }
  }
}
