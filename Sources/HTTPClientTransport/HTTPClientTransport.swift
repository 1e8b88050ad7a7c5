internal import AsyncHTTPClient
public import HTTPExchange
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
internal import Synchronization

/// Asks an auth API over a socket.
///
/// No redirect is followed, nothing is retried, no proxy variable is read, and TLS is always
/// verified (S26, S27). Compressed answers are neither asked for nor unpacked.
public final class HTTPClientTransport: HTTPTransport {
  let baseURL: BaseURL
  let limits: Limits
  private let userAgent: String
  let client: HTTPClient
  private let inFlightCount = Atomic(0)
  private let isShutDown = Atomic(false)

  /// - Parameters:
  ///   - baseURL: Where the API is.
  ///   - limits: How long and how much.
  ///   - userAgent: For requests that do not say; `Vestibule/1.2.3`.
  ///   - additionalTrustRoots: Paths of PEM files with certificates to trust besides the system's.
  public init(
    to baseURL: BaseURL,
    limits: Limits = Limits(),
    userAgent: String = "Vestibule",
    additionalTrustRoots: [String] = []
  ) {
    self.baseURL = baseURL
    self.limits = limits
    self.userAgent = userAgent
    client = HTTPClient(
      eventLoopGroupProvider: .singleton,
      configuration: Self.configuration(
        for: baseURL,
        limits: limits,
        additionalTrustRoots: additionalTrustRoots
      )
    )
  }

  private static func configuration(
    for baseURL: BaseURL,
    limits: Limits,
    additionalTrustRoots: [String]
  ) -> HTTPClient.Configuration {
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.minimumTLSVersion = .tlsv12
    tls.additionalTrustRoots = additionalTrustRoots.map { .file($0) }
    var configuration = HTTPClient.Configuration(
      tlsConfiguration: tls,
      redirectConfiguration: .disallow,
      decompression: .disabled
    )
    configuration.timeout.connect = TimeAmount(limits.connectDeadline)
    configuration.timeout.read = TimeAmount(limits.totalDeadline)
    configuration.httpVersion = .http1Only
    // Shorter than servers keep a connection that rests, so that a request seldom meets its end.
    configuration.connectionPool.idleTimeout = .seconds(10)
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = limits.inFlightLimit
    configuration.connectionPool.retryConnectionEstablishment = false
    if baseURL.isLocalhostName { configuration.dnsOverride = [baseURL.host: "127.0.0.1"] }
    return configuration
  }

  deinit {
    guard !isShutDown.load(ordering: .relaxed) else { return }
    // Nobody is left to tell of an error.
    Task { [client] in try? await client.shutdown() }
  }

  /// Ends all connections; requests that are still in flight fail, and so does every later one.
  public func shutdown() async {
    guard !isShutDown.exchange(true, ordering: .relaxed) else { return }
    do {
      try await client.shutdown()
    } catch {
      // Connections that could not be closed cleanly are closed nevertheless.
    }
  }

  /// Sends the request and returns the whole answer, whatever its status.
  ///
  /// `Host` and the fields that frame a message are the client's own.
  /// - Throws: `TransportError`; `.timedOut` also when the calling task is cancelled or its
  ///   `AnswerDeadline` has passed, `.refused` also for a target that is not a URL's path and query,
  ///   which is never sent (S26).
  public func send(_ request: Request) async throws(TransportError) -> Response {
    guard !isShutDown.load(ordering: .relaxed) else { throw .offline }
    guard request.hasPlainTarget else { throw .refused }
    let count = inFlightCount.wrappingAdd(1, ordering: .relaxed).newValue
    defer { inFlightCount.wrappingSubtract(1, ordering: .relaxed) }
    guard count <= limits.inFlightLimit else { throw .busy }
    let time = timeLeft
    guard time > .zero else { throw .timedOut }
    do {
      return try await answer(to: outgoing(request), within: time)
    } catch {
      throw TransportError(error)
    }
  }
}

// MARK: - One request

extension HTTPClientTransport {
  /// What one request may take: its own limit, or what those before it left of the page's.
  private var timeLeft: Duration {
    guard let deadline = AnswerDeadline.current else { return limits.totalDeadline }
    return min(limits.totalDeadline, deadline - .now)
  }

  /// The client's own deadline ends with the answer's head, so a clock runs beside the whole.
  private func answer(to request: HTTPClientRequest, within time: Duration) async throws -> Response
  {
    try await withThrowingTaskGroup(of: Response.self) { group in
      group.addTask { [client, limits] in
        let answer = try await client.execute(request, timeout: TimeAmount(time))
        return try Response(answer, body: await Self.body(of: answer, limits))
      }
      group.addTask {
        try await Task.sleep(for: time)
        throw TransportError.timedOut
      }
      defer { group.cancelAll() }
      guard let response = try await group.next() else { throw CancellationError() }
      return response
    }
  }

  /// The whole body; one that breaks off is no answer, but the service was there to begin it.
  private static func body(
    of answer: HTTPClientResponse,
    _ limits: Limits
  ) async throws(TransportError) -> ByteBuffer {
    do {
      return try await answer.body.collect(upTo: limits.answerLimitBytes)
    } catch {
      let fault = TransportError(error)
      throw fault == .connectionLost ? .malformedAnswer : fault
    }
  }

  private func outgoing(_ request: Request) -> HTTPClientRequest {
    var outgoing = HTTPClientRequest(url: "\(baseURL)\(request.target)")
    outgoing.method = HTTPMethod(rawValue: request.method.rawValue)
    for field in request.headerFields where !Self.ownFieldNames.contains(field.name) {
      outgoing.headers.add(name: field.name.rawName, value: field.value)
    }
    outgoing.headers.add(name: "Host", value: baseURL.authority)
    if request.headerFields[.userAgent] == nil {
      outgoing.headers.add(name: "User-Agent", value: userAgent)
    }
    if !request.body.isEmpty { outgoing.body = .bytes(ByteBuffer(bytes: request.body)) }
    return outgoing
  }

  private static let ownFieldNames: Set<HTTPField.Name?> = [
    HTTPField.Name("Host"), .connection, .contentLength, .transferEncoding, .acceptEncoding,
  ]
}

extension Request {
  /// Whether the target is a path and perhaps a query, in characters that stand for themselves.
  ///
  /// Anything else could change the host that is asked, or would be rewritten on the way.
  /// Source: RFC 3986, sections 3.3 and 3.4.
  fileprivate var hasPlainTarget: Bool {
    guard target.hasPrefix("/") else { return false }
    var escapeDigitCount = 0
    for byte in target.utf8 {
      let scalar = Unicode.Scalar(byte)
      if escapeDigitCount > 0 {
        guard scalar.properties.isASCIIHexDigit else { return false }
        escapeDigitCount -= 1
      } else if scalar == "%" {
        escapeDigitCount = 2
      } else {
        let isLetterOrDigit =
          scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        guard isLetterOrDigit || "-._~!$&'()*+,;=:@/?".unicodeScalars.contains(scalar) else {
          return false
        }
      }
    }
    return escapeDigitCount == 0
  }
}

extension Response {
  fileprivate init(_ answer: HTTPClientResponse, body: ByteBuffer) throws(TransportError) {
    let code = Int(answer.status.code)
    guard (200...599).contains(code) else { throw .malformedAnswer }
    var fields = HTTPFields()
    for (name, value) in answer.headers {
      guard let name = HTTPField.Name(name) else { throw .malformedAnswer }
      fields.append(HTTPField(name: name, value: value))
    }
    self.init(
      status: HTTPResponse.Status(code: code),
      headerFields: fields,
      body: Array(body.readableBytesView)
    )
  }
}

extension TimeAmount {
  fileprivate init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self = .seconds(seconds) + .nanoseconds(attoseconds / 1_000_000_000)
  }
}
