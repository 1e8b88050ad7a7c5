public import AuthFlow
public import HTTPExchange
public import HTTPTypes

/// The way to one auth API: forms out, JSON back; each request says who calls.
public struct APIConnection: Sendable {
  public let transport: any HTTPTransport
  public let clock: WallClock
  private let ownFields: HTTPFields

  /// - Parameters:
  ///   - transport: The way to the API; its base URL and time limits are the transport's.
  ///   - clock: The time of day that answers are measured by.
  ///   - additionalHeaderFields: Sent with every request, such as the name of a world.
  ///   - userAgent: The product that calls, as in `User-Agent`.
  public init(
    transport: any HTTPTransport,
    clock: WallClock,
    additionalHeaderFields: HTTPFields = [:],
    userAgent: String = "Vestibule"
  ) {
    self.transport = transport
    self.clock = clock
    ownFields = [.accept: "application/json", .userAgent: userAgent] + additionalHeaderFields
  }

  /// A request as this API gets it.
  ///
  /// - Parameters:
  ///   - method: Its method.
  ///   - target: Path and query, escaped.
  ///   - form: The body; nil where there is none.
  ///   - headerFields: What this API or this call has besides.
  /// - Returns: The request, which has not been sent.
  public func request(
    _ method: HTTPRequest.Method,
    _ target: String,
    form: Form? = nil,
    headerFields: HTTPFields = [:]
  ) -> Request {
    var fields = ownFields
    if form != nil { fields[.contentType] = "application/x-www-form-urlencoded" }
    fields.append(contentsOf: headerFields)
    return Request(
      method: method,
      target: target,
      headerFields: fields,
      body: form?.encoded ?? []
    )
  }

  public func send(_ request: Request) async throws(TransportError) -> Response {
    try await transport.send(request)
  }
}
