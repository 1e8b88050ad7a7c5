public import HTTPTypes

/// What a handler answers.
///
/// The body is complete; the host adds `Date` and `Content-Length`.
public struct Response: Sendable, Hashable {
  public var status: HTTPResponse.Status
  public var headerFields: HTTPFields
  public var body: [UInt8]

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

/// A function from a request to a response.
///
/// The site is one, backstage is one, each emulator is one.
/// A server *hosts* a handler and an `HTTPTransport` *reaches* one, by socket or by call. A handler
/// that is cancelled should return soon; its answer is then not sent.
public protocol HTTPHandler: Sendable {
  func respond(to request: Request) async -> Response
}
