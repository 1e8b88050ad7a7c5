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
    var servers: [MicroHTTPServer] = []
    var listeners: [Listener] = []
    if let pagesSocket, let address = configuration.pages, let pages = house.pages {
      servers.append(
        try serve(
          pages,
          on: pagesSocket,
          tls: configuration.tls,
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
          tls: nil,
          refusing: EmulatorListener.refuse,
          logger: logger
        )
      )
      listeners.append(
        Listener(
          kind: .emulatedClerk,
          address: "http://\(address.written(port: emulatorSocket.port))/",
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
    refusing: @escaping @Sendable (MicroHTTPServer.Refusal, Request?) -> Response,
    logger: Logger
  ) throws(StartFailure) -> MicroHTTPServer {
    var options = MicroHTTPServer.Options()
    options.handlerDeadline = { request in
      .seconds(15) + BackstageAPI.waitingTime(of: request)
    }
    options.tls = try tls?.read()
    do {
      return try MicroHTTPServer(
        listeningOn: socket,
        options: options,
        handler: handler,
        refusing: refusing,
        log: { line in logger.debug("server", metadata: ["text": "\(line)"]) }
      )
    } catch {
      throw StartFailure(.unavailable, "The server does not start: \(error)")
    }
  }
}

extension Configuration.TLSFiles {
  fileprivate func read() throws(StartFailure) -> MicroHTTPServer.TLS {
    let texts = try [certificate, key].map { path throws(StartFailure) in
      guard let data = FileManager.default.contents(atPath: path) else {
        throw StartFailure(.configuration, "The TLS file cannot be read: \(path)")
      }
      return String(decoding: data, as: UTF8.self)
    }
    return MicroHTTPServer.TLS(certificate: texts[0], key: texts[1])
  }
}
