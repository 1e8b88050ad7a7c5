public import AuthFlow
public import HTTPExchange
public import HTTPTypes

/// A connection to one auth API: forms go out, JSON comes back; each request names its caller.
public struct APIConnection: Sendable {
  public let transport: any HTTPTransport
  public let clock: WallClock
  private var ownFields: HTTPFields
  /// The language of the reader for whom it calls; nil if unknown.
  public private(set) var language: String?

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

  /// A request to this API.
  ///
  /// - Parameters:
  ///   - method: Its method.
  ///   - target: Path and query, escaped.
  ///   - form: The body; nil if there is none.
  ///   - headerFields: Additional fields of this API or this call.
  /// - Returns: The request, which has not been sent.
  public func request(
    _ method: HTTPRequest.Method,
    _ target: String,
    form: FormData? = nil,
    headerFields: HTTPFields = [:]
  ) -> Request {
    var fields = ownFields
    if form != nil { fields[.contentType] = "application/x-www-form-urlencoded" }
    fields[.acceptLanguage] = language
    fields.append(contentsOf: headerFields)
    return Request(
      method: method,
      target: target,
      headerFields: fields,
      body: form?.encoded ?? []
    )
  }

  /// The same connection on behalf of a browser, whose user agent comes before the product that
  /// calls (RFC 9110, section 10.1.5).
  public func calling(for userAgent: String) -> APIConnection {
    var connection = self
    let product = ownFields[.userAgent].map { " \($0)" } ?? ""
    connection.ownFields[.userAgent] = userAgent + product
    return connection
  }

  /// The same connection on behalf of a reader of that language (RFC 9110, section 12.5.4).
  public func calling(in language: String) -> APIConnection {
    var connection = self
    connection.language = language
    return connection
  }

  public func send(_ request: Request) async throws(TransportError) -> Response {
    try await transport.send(request)
  }
}
