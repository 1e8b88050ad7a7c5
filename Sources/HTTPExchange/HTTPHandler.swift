/// A function from a request to a response.
///
/// The site is one, backstage is one, each emulator is one.
/// A server *hosts* a handler and an `HTTPTransport` *reaches* one, by socket or by call. A handler
/// that is cancelled should return soon; its answer is then not sent.
public protocol HTTPHandler: Sendable {
  func respond(to request: Request) async -> Response

  /// Returns a function that answers on the calling thread without waiting, with the answer that
  /// `respond(to:)` would give.
  ///
  /// - Returns: Nil if `respond(to:)` has to be called.
  func readyAnswer(to request: Request) -> ReadyAnswer?
}

/// Gives an answer at once.
public typealias ReadyAnswer = () -> Response

extension HTTPHandler {
  public func readyAnswer(to request: Request) -> ReadyAnswer? { nil }
}
