internal import HTTPExchange
internal import Locking
internal import MicroHTTPServer

/// An endpoint that gives way to another one while it is served.
///
/// A request that runs ends where it has begun: the handler that it is with stays as long as that takes.
final class RenewableEndpoint: HTTPHandler {
  private let current: Locked<Endpoint>
  private let first: Endpoint

  init(_ endpoint: Endpoint) {
    first = endpoint
    current = Locked(endpoint)
  }

  /// What a server hosts: whatever is in force when it is asked.
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
