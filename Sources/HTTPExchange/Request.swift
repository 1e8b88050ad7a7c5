public import HTTPTypes

/// What a client asks, with its body read to the end.
///
/// A server makes one from the socket; a client makes one to be carried by an `HTTPTransport`. Both
/// mean the same bytes: nothing is decoded or normalised on the way.
public struct Request: Sendable, Hashable {
  public var method: HTTPRequest.Method
  /// The request target in origin form, exactly as on the wire: raw path, then `?` and raw query.
  ///
  /// Source: RFC 9112, section 3.2.1.
  public var target: String
  public var headerFields: HTTPFields
  public var body: [UInt8]
  /// The address of the socket's other end (`127.0.0.1`, `::1`), without port; nil in process.
  public var peerAddress: String?
  /// `scheme://host[:port]` by which the client came, where a proxy stands between and is believed;
  /// nil where the request itself says it.
  public var publicOrigin: String?

  public init(
    method: HTTPRequest.Method,
    target: String,
    headerFields: HTTPFields = [:],
    body: [UInt8] = [],
    peerAddress: String? = nil
  ) {
    self.method = method
    self.target = target
    self.headerFields = headerFields
    self.body = body
    self.peerAddress = peerAddress
  }

  /// The raw path, still percent-encoded: matching it as it is leaves nothing to smuggle (S3).
  public var path: Substring {
    target.utf8.firstIndex(of: UInt8(ascii: "?")).map { target[..<$0] } ?? target[...]
  }

  /// The raw query without its `?`, or nil where the target has none.
  public var query: Substring? {
    target.utf8.firstIndex(of: UInt8(ascii: "?")).map { target[target.index(after: $0)...] }
  }

  /// The query's parameters, or none where it is malformed.
  public var queryParameters: Form {
    query.flatMap { try? Form(decoding: Array($0.utf8)) } ?? Form()
  }
}
