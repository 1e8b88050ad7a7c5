/// A function from a request to a response.
///
/// The site is one, backstage is one, each emulator is one.
/// A server *hosts* a handler and an `HTTPTransport` *reaches* one, by socket or by call. A handler
/// that is cancelled should return soon; its answer is then not sent.
public protocol HTTPHandler: Sendable {
  func respond(to request: Request) async -> Response

  /// What answers where nothing has to be waited for, on the thread that asks; the answer is what
  /// `respond(to:)` would give.
  ///
  /// - Returns: Nil where `respond(to:)` is to be asked.
  func readyAnswer(to request: Request) -> ReadyAnswer?
}

/// Gives an answer at once.
public typealias ReadyAnswer = () -> Response

extension HTTPHandler {
  public func readyAnswer(to request: Request) -> ReadyAnswer? { nil }
}
