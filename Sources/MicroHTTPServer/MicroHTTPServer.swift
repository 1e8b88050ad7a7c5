internal import CMicroHTTPD
public import HTTPExchange
internal import Locking

/// Hosts one `HTTPHandler` on a socket, with limits, deadlines and a graceful stop.
///
/// Bodies are collected within limits before the handler is asked. The handler runs on its
/// connection's thread, one of the server's own, which it must not block: where it waits, the
/// connection is suspended, others have their turn, and it goes on there later, or in the pool once its
/// client has gone. What takes long without waiting belongs on a queue of its own: also what is
/// `@concurrent` runs on that thread. What the server refuses itself it answers with the function
/// handed to it, so that these are complete pages too.
public final class MicroHTTPServer: Sendable {
  /// The version of libmicrohttpd that is in use.
  public static var libraryVersion: String { String(cString: MHD_get_version()) }

  let service: Service
  private let stopping = Locked<Task<Void, Never>?>(nil)

  /// Starts to serve.
  ///
  /// - Parameters:
  ///   - socket: Where to listen; it can be served once.
  ///   - options: Limits and deadlines.
  ///   - handler: What answers.
  ///   - refusing: The complete page for what the server refuses itself; with the request, as far as
  ///     it could be understood. Called on any thread; it must not wait.
  ///   - log: Takes one line at a time, without line break, from any thread.
  /// - Throws: `StartError`, with what the library said.
  public init(
    listeningOn socket: ListeningSocket,
    options: Options = Options(),
    handler: any HTTPHandler,
    refusing: @escaping @Sendable (Refusal, Request?) -> Response,
    log: @escaping @Sendable (String) -> Void
  ) throws(StartError) {
    service = try Service(
      listeningOn: socket,
      options: options,
      handler: handler,
      refusing: refusing,
      log: log
    )
  }

  /// The port that it serves.
  public var port: Int { service.socket.port }

  /// A certificate that new connections can be shown.
  public struct NewCertificate: Sendable {
    let credentials: TLSCredentials

    /// - Throws: `StartError` where certificate and key cannot be used, or do not belong together.
    public init(_ tls: TLS) throws(StartError) { credentials = try TLSCredentials(tls) }
  }

  /// Shows another certificate from the next connection on; those that are open stay as they are.
  ///
  /// A server over plain http has none to show, and goes on without.
  public func replaceCertificate(by certificate: NewCertificate) {
    service.daemon.replaceCertificate(by: certificate.credentials)
  }

  /// Stops gracefully.
  ///
  /// New connections are refused and new requests on kept ones answered with 503; running requests
  /// may answer within `grace`, and are answered with 503 and cancelled after it. Returns when
  /// everything has ended; every further call, at the same time or later, waits for the same end.
  public func stop(grace: Duration) async {
    await ended(within: grace).value
  }

  private func ended(within grace: Duration) -> Task<Void, Never> {
    stopping.withLock { stopping in
      if let stopping { return stopping }
      // A task of its own, so that a caller that is cancelled does not cut the grace short.
      let task = Task { [service] in await service.stop(grace: grace) }
      stopping = task
      return task
    }
  }

  /// A server that nobody holds any more ends too, without grace.
  deinit { _ = ended(within: .zero) }
}

extension MicroHTTPServer {
  /// Requests that a stop waits for: those that run, and those whose body is still to come.
  package var expectedAnswerCount: Int { service.daemon.requestsInFlight.unfinishedCount }

  /// Requests that have begun and are not wholly answered, or whose handler has not ended.
  package var liveExchangeCount: Int { service.daemon.exchangeGauge.value }

  /// Whether nobody is there whose time could run out, so that the server sleeps until somebody comes.
  package var isResting: Bool { service.daemon.sweeper.isResting }

  /// Connections that are open.
  package var connectionCount: Int { service.daemon.connections.count }
}
