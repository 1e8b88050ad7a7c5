internal import Crypto
internal import Foundation
public import HTTPExchange
internal import HTTPTypes

/// Calls an auth API over a socket.
///
/// No redirect is followed, nothing is retried, no proxy variable is read, and TLS is always
/// verified (S26, S27). Compressed answers are neither asked for nor unpacked. Connections are kept
/// and reused; if the server offers HTTP/2, calls share one.
public final class HTTPClientTransport: HTTPTransport {
  let destination: Destination
  let calls: CallQueue
  private let report: @Sendable (String) -> Void

  /// - Parameters:
  ///   - baseURL: The API's address.
  ///   - limits: Deadlines and size limits.
  ///   - userAgent: The `User-Agent` of requests that have none.
  ///   - additionalTrustRoots: Paths of PEM files with certificates to trust besides the system's.
  ///   - proxy: The proxy to go through, unless the API is on this machine; nil connects directly.
  ///   - report: Takes the reason why a call brought no answer, worded for the person who sets things
  ///     up: it says more than a `TransportError`, such as what is wrong with a certificate.
  /// - Throws: `LibraryMissing` if libcurl is not installed or too old.
  public init(
    to baseURL: BaseURL,
    limits: Limits = Limits(),
    userAgent: String = "Vestibule",
    additionalTrustRoots: [String] = [],
    proxy: ProxyURL? = nil,
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(LibraryMissing) {
    guard let curl = CurlLibrary.opened else { throw LibraryMissing() }
    destination = Destination(
      baseURL: baseURL,
      limits: limits,
      userAgent: userAgent,
      proxy: baseURL.isLoopback ? nil : proxy,
      authorities: TrustedAuthorities(besidesTheSystems: additionalTrustRoots)
    )
    self.report = report
    calls = CallQueue(curl, limit: limits.inFlightLimit)
    EventLoop.start(to: destination, over: curl, serving: calls)
  }

  /// libcurl is not installed, or too old.
  public struct LibraryMissing: Error, CustomStringConvertible {
    public var description: String {
      "calls to an auth API need libcurl 7.87 or newer, which is not installed: apt-get install libcurl3-gnutls"
    }
  }

  deinit { calls.stop() }

  /// Ends all connections; requests that are still in flight fail, and so does every later one.
  public func shutdown() async {
    calls.stop()
    await calls.end()
  }

  /// Sends the request and returns the whole answer, whatever its status.
  ///
  /// `Host` and the fields that frame a message are the client's own; a POST for a form carries an
  /// `Idempotency-Key`.
  /// - Throws: `TransportError`; `.timedOut` also when the calling task is cancelled or its
  ///   `AnswerDeadline` has passed, `.refused` also for a target that is not a URL's path and query,
  ///   which is never sent (S26).
  public func send(_ request: Request) async throws(TransportError) -> Response {
    guard request.hasPlainTarget else { throw .refused }
    do {
      return try await answer(to: request.underItsKey, within: timeLeft)
    } catch {
      if error != .cancelled, error != .shutDown { report(words(for: error)) }
      throw TransportError(error)
    }
  }

  /// How long one request may take: its own limit, or what is left of the page's time.
  private var timeLeft: Duration {
    guard let deadline = AnswerDeadline.current else { return destination.limits.totalDeadline }
    return min(destination.limits.totalDeadline, deadline - .now)
  }

  /// The answer, or the fault in full detail.
  func answer(to request: Request, within time: Duration) async throws(Fault) -> Response {
    guard time > .zero else { throw .notAnsweredInTime }
    return try await calls.outcome(of: request, within: time).get()
  }
}

extension Request {
  /// The request with its `Idempotency-Key`: a call repeated for the same form has the same key, even
  /// from another process, and every other call of the form has a different one.
  ///
  /// Source: draft-ietf-httpapi-idempotency-key-header-07; the other methods are idempotent
  /// by RFC 9110, section 9.2.2.
  fileprivate var underItsKey: Request {
    guard method == .post, let submission = Submission.current else { return self }
    var wish: [UInt8] = []
    wish.reserveCapacity(submission.count + target.utf8.count + body.count + 1)
    wish += submission
    wish += target.utf8
    wish.append(UInt8(ascii: "\n"))
    wish += body
    let key = Base64URL.text(of: Array(SHA256.hash(data: wish).prefix(16)))
    var request = self
    request.headerFields[.idempotencyKey] = "\"\(key)\""
    return request
  }

  /// Whether the target is a path with or without a query, in valid characters and escapes.
  ///
  /// Anything else could change the host that is asked, or would be rewritten on the way.
  /// Source: RFC 3986, sections 3.3 and 3.4.
  fileprivate var hasPlainTarget: Bool {
    guard target.utf8.first == UInt8(ascii: "/") else { return false }
    var escapeDigitCount = 0
    for byte in target.utf8 {
      if escapeDigitCount > 0 {
        guard Hexadecimal.value(of: byte) != nil else { return false }
        escapeDigitCount -= 1
      } else if byte == UInt8(ascii: "%") {
        escapeDigitCount = 2
      } else {
        guard byte.standsForItself else { return false }
      }
    }
    return escapeDigitCount == 0
  }
}

extension UInt8 {
  /// Whether it may stand unescaped in a path or a query.
  fileprivate var standsForItself: Bool {
    isASCIILetterOrDigit || "-._~!$&'()*+,;=:@/?".utf8.contains(self)
  }
}
