internal import CMicroHTTPD
public import HTTPExchange
internal import Locking

/// Hosts one `HTTPHandler` on a socket, with limits, deadlines and a graceful stop.
///
/// A body is collected, within limits, before the handler is called. The handler runs on its
/// connection's thread, one of the server's own, which it must not block: while it waits, the
/// connection is suspended and others have their turn; it continues on that thread, or in the pool once
/// its client has gone. Long computations belong on a queue of their own: even `@concurrent` functions
/// run on that thread. Whatever the server refuses by itself it answers through the function passed to
/// it, so that these answers are complete pages too.
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
  ///   - handler: Answers the requests.
  ///   - refusing: Returns the complete page for a refusal of the server's own; gets the request as far
  ///     as it could be understood. Called on any thread; it must not wait.
  ///   - log: Takes one line at a time, without a line break, from any thread.
  /// - Throws: `StartError`, with what the library logged.
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

  /// A certificate to show to new connections.
  public struct NewCertificate: Sendable {
    let credentials: TLSCredentials

    /// - Throws: `StartError` if certificate and key cannot be used or do not belong together.
    public init(_ tls: TLS) throws(StartError) { credentials = try TLSCredentials(tls) }
  }

  /// Shows another certificate to new connections; open ones keep theirs.
  ///
  /// Has no effect on a server over plain http.
  public func replaceCertificate(by certificate: NewCertificate) {
    service.daemon.replaceCertificate(by: certificate.credentials)
  }

  /// Stops gracefully.
  ///
  /// New connections are refused, and new requests on kept ones are answered with 503. Running requests
  /// may answer within `grace`; after that they are answered with 503 and cancelled. Returns when
  /// everything has ended; every further call, concurrent or later, waits for the same end.
  public func stop(grace: Duration) async {
    await ended(within: grace).value
  }

  /// Ends the grace of a stop, also of one that has not begun: what still runs is answered with 503 and
  /// cancelled.
  public func hurry() { service.hurry() }

  private func ended(within grace: Duration) -> Task<Void, Never> {
    stopping.withLock { stopping in
      if let stopping { return stopping }
      // A task of its own, so that cancelling the caller does not cut the grace short.
      let task = Task { [service] in await service.stop(grace: grace) }
      stopping = task
      return task
    }
  }

  /// A server that is released without `stop` ends too, without grace.
  deinit { _ = ended(within: .zero) }
}

extension MicroHTTPServer {
  /// The number of requests that a stop waits for: running ones, and those whose body is still to come.
  package var expectedAnswerCount: Int { service.daemon.requestsInFlight.unfinishedCount }

  /// The number of requests that have begun and are not wholly answered, or whose handler has not ended.
  package var liveExchangeCount: Int { service.daemon.exchangeGauge.value }

  /// Whether nothing has a deadline, so that the server sleeps until a connection arrives.
  package var isResting: Bool { service.daemon.sweeper.isResting }

  /// The number of open connections.
  package var connectionCount: Int { service.daemon.connections.count }
}
