public import HTTPTypes

/// What a handler answers.
///
/// The body is complete; the host adds `Date` and `Content-Length`.
public struct Response: Sendable, Hashable {
  public var status: HTTPResponse.Status
  public var headerFields: HTTPFields
  public var body: [UInt8]
  /// How the answer is to fail on its way; only an emulator that rehearses failures sets it.
  public var deliveryFailure: DeliveryFailure?

  public init(
    status: HTTPResponse.Status,
    headerFields: HTTPFields = [:],
    body: [UInt8] = []
  ) {
    self.status = status
    self.headerFields = headerFields
    self.body = body
  }
}

/// How an answer does not arrive, as whoever asked perceives it.
public enum DeliveryFailure: String, Sendable, Hashable, CaseIterable {
  /// Nobody listens. A socket that is open already can only be closed, as with `reset`.
  case refused
  /// The connection ends before an answer begins.
  case reset
  /// No answer comes before whoever asked gives up.
  case timeout
  /// The connection ends in the middle of the answer.
  case truncated
}

/// A function from a request to a response.
///
/// The site is one, backstage is one, each emulator is one.
/// A server *hosts* a handler and an `HTTPTransport` *reaches* one, by socket or by call. A handler
/// that is cancelled should return soon; its answer is then not sent.
public protocol HTTPHandler: Sendable {
  func respond(to request: Request) async -> Response
}
