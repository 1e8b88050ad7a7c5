internal import HTTPExchange
internal import Locking
internal import MicroHTTPServer

/// An endpoint that can be replaced while it is served.
///
/// A running request ends with the handler with which it began, which is kept for that long.
final class RenewableEndpoint: HTTPHandler {
  private let current: Locked<Endpoint>
  private let first: Endpoint

  init(_ endpoint: Endpoint) {
    first = endpoint
    current = Locked(endpoint)
  }

  /// The endpoint for a server, which always uses the one in force.
  var endpoint: Endpoint {
    var endpoint = first
    endpoint.handler = self
    endpoint.refusing = { [current] refusal, request in
      let refusing = current.withLock { $0.refusing }
      return refusing(refusal, request)
    }
    endpoint.spooledBodyLimitBytes = { [current] request in
      let limitBytes = current.withLock { $0.spooledBodyLimitBytes }
      return limitBytes(request)
    }
    return endpoint
  }

  func respond(to request: Request) async -> Response {
    let handler = current.withLock { $0.handler }
    return await handler.respond(to: request)
  }

  func readyAnswer(to request: Request) -> ReadyAnswer? {
    current.withLock { $0.handler }.readyAnswer(to: request)
  }

  func give(wayTo endpoint: Endpoint) { current.withLock { $0 = endpoint } }
}
