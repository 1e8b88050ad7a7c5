internal import Backstage
internal import Foundation
internal import HTTPClientTransport
internal import HTTPExchange
public import Logging
internal import MicroHTTPServer

/// A Vestibule that serves: the rooms connected, the sockets open.
public final class RunningVestibule: Sendable {
  /// A port that answers, and what is behind it.
  public struct Listener: Sendable, Hashable {
    public enum Kind: String, Sendable {
      case pages
      case emulatedClerk = "emulated clerk"
      case emulatedEntra = "emulated entra"
    }

    public var kind: Kind
    /// `http://127.0.0.1:8080/`.
    public var address: String
    public var port: Int
  }

  public let listeners: [Listener]
  private let servers: [MicroHTTPServer]
  private let house: House

  private init(listeners: [Listener], servers: [MicroHTTPServer], house: House) {
    self.listeners = listeners
    self.servers = servers
    self.house = house
  }

  /// The port of the pages, or of the emulator where no pages are served.
  public func port(of kind: Listener.Kind) -> Int? {
    listeners.first { $0.kind == kind }?.port
  }

  /// Stops gracefully: running requests may answer within `grace`, new ones are refused.
  public func stop(grace: Duration = .seconds(10)) async {
    house.isStopping.raise()
    await withTaskGroup(of: Void.self) { group in
      for server in servers { group.addTask { await server.stop(grace: grace) } }
    }
    await house.transport?.shutdown()
  }

  /// Connects the rooms and opens the sockets.
  ///
  /// - Throws: `StartFailure`, with one clear line.
  public static func start(
    _ configuration: Configuration,
    logger: Logger
  ) throws(StartFailure) -> RunningVestibule {
    try configuration.refuseExposure()
    // Sockets first: a taken port is the commonest failure, and the cheapest to find.
    let pagesSocket = try configuration.pages.map { address throws(StartFailure) in
      try listen(on: address)
    }
    let emulatorSocket = try configuration.emulator.map { address throws(StartFailure) in
      try listen(on: address)
    }
    let house = try House(
      configuration,
      pagesPort: pagesSocket?.port,
      emulatorPort: emulatorSocket?.port,
      logger: logger
    )
    let connectionLimit = connectionLimit(
      listenerCount: [pagesSocket, emulatorSocket].compactMap(\.self).count,
      logger: logger
    )
    var servers: [MicroHTTPServer] = []
    var listeners: [Listener] = []
    if let pagesSocket, let address = configuration.pages, let pages = house.pages {
      servers.append(
        try serve(
          pages,
          on: pagesSocket,
          tls: configuration.tls,
          connectionLimit: connectionLimit,
          refusing: pages.refuse,
          logger: logger
        )
      )
      listeners.append(
        Listener(
          kind: .pages,
          address: configuration.address(of: address, port: pagesSocket.port),
          port: pagesSocket.port
        )
      )
    }
    if let emulatorSocket, let address = configuration.emulator, let emulator = house.emulator {
      servers.append(
        try serve(
          emulator,
          on: emulatorSocket,
          tls: configuration.tls,
          connectionLimit: connectionLimit,
          refusing: emulator.refuse,
          logger: logger
        )
      )
      listeners.append(
        Listener(
          kind: emulator.kind,
          address: configuration.address(of: address, port: emulatorSocket.port),
          port: emulatorSocket.port
        )
      )
    }
    return RunningVestibule(listeners: listeners, servers: servers, house: house)
  }

  private static func listen(
    on address: Configuration.Address
  ) throws(StartFailure) -> ListeningSocket {
    do {
      return try ListeningSocket(host: address.host, port: address.port)
    } catch {
      switch error {
      case .notAnAddress, .notAPort: throw StartFailure(.configuration, "\(error)")
      case .addressInUse, .addressNotAvailable, .notPermitted, .other:
        throw StartFailure(.unavailable, "\(error)")
      }
    }
  }

  private static func serve(
    _ handler: any HTTPHandler,
    on socket: ListeningSocket,
    tls: Configuration.TLSFiles?,
    connectionLimit: Int,
    refusing: @escaping @Sendable (MicroHTTPServer.Refusal, Request?) -> Response,
    logger: Logger
  ) throws(StartFailure) -> MicroHTTPServer {
    var options = MicroHTTPServer.Options()
    options.handlerDeadline = { request in
      .seconds(15) + BackstageAPI.waitingTime(of: request)
    }
    options.connectionLimit = connectionLimit
    options.tls = try tls?.read(logger: logger)
    options.exceptionalBodyLimitBytes = BackstageAPI.bodyLimitBytes(of:)
    do {
      return try MicroHTTPServer(
        listeningOn: socket,
        options: options,
        handler: handler,
        refusing: refusing,
        log: { line in logger.debug("server", metadata: ["text": "\(line)"]) }
      )
    } catch {
      guard let tls else { throw StartFailure(.unavailable, "\(error)") }
      // The library tells what is wrong with a certificate no better than this.
      throw StartFailure(
        .configuration,
        "No HTTPS with \(tls.certificate) and \(tls.key): \(error)"
      )
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

extension Configuration.TLSFiles {
  fileprivate func read(logger: Logger) throws(StartFailure) -> MicroHTTPServer.TLS {
    let texts = try texts()
    if let mode = SealingKeys.mode(of: key), mode & 0o077 != 0 {
      logger.warning("the TLS key is open to others: chmod 600", metadata: ["file": "\(key)"])
    }
    return texts
  }

  /// Whether the files are there and of the right kind; what is in them the server finds out.
  func checkReadable() throws(StartFailure) { _ = try texts() }

  private func texts() throws(StartFailure) -> MicroHTTPServer.TLS {
    let texts = try [certificate, key].map { path throws(StartFailure) in
      guard let data = FileManager.default.contents(atPath: path) else {
        throw StartFailure(.configuration, "The TLS file cannot be read: \(path)")
      }
      return String(decoding: data, as: UTF8.self)
    }
    guard texts[0].contains("-----BEGIN CERTIFICATE-----") else {
      throw StartFailure(.configuration, "The TLS certificate is no PEM file: \(certificate)")
    }
    guard texts[1].contains("PRIVATE KEY-----") else {
      throw StartFailure(.configuration, "The TLS key is no PEM file: \(key)")
    }
    return MicroHTTPServer.TLS(certificate: texts[0], key: texts[1])
  }
}
