public import HTTPTypes

/// A client's request, with its body read to the end.
///
/// A server makes one from the socket; a client makes one to send through an `HTTPTransport`. Both
/// stand for the same bytes: nothing is decoded or normalised.
public struct Request: Sendable, Hashable {
  /// The body.
  public enum Content: Sendable, Hashable {
    case whole([UInt8])
    /// Too much to hold in memory; only where a handler accepts longer bodies than usual (S4).
    case spooled(SpooledBody)

    /// The number of bytes.
    public var count: Int {
      switch self {
      case .whole(let bytes): bytes.count
      case .spooled(let file): file.count
      }
    }
  }

  public var method: HTTPRequest.Method
  /// The request target in origin form, exactly as on the wire: raw path, then `?` and raw query.
  ///
  /// Source: RFC 9112, section 3.2.1.
  public var target: String
  public var headerFields: HTTPFields { didSet { keptReading = KeptReading() } }
  private var keptReading = KeptReading()
  public var content: Content
  /// The address of the socket's other end (`127.0.0.1`, `::1`), without port; nil in process.
  public var peerAddress: String?
  /// The `scheme://host[:port]` that the client used, if a trusted proxy is in between; nil if the
  /// request itself says it.
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
    content = .whole(body)
    self.peerAddress = peerAddress
  }

  /// A request whose header fields have been read already and whose body is still to come.
  public init(
    method: HTTPRequest.Method,
    target: String,
    reading: HeadReading,
    peerAddress: String?
  ) {
    self.init(
      method: method,
      target: target,
      headerFields: reading.fields,
      peerAddress: peerAddress
    )
    keptReading.reading = reading
  }

  /// The reading of the header fields, if there is one.
  var reading: HeadReading? { keptReading.reading }

  /// The body if it is in memory; empty if it is in a file.
  public var body: [UInt8] {
    get {
      switch content {
      case .whole(let bytes): bytes
      case .spooled: []
      }
    }
    set { content = .whole(newValue) }
  }

  /// The raw path, still percent-encoded: matching it undecoded leaves no room for smuggling (S3).
  public var path: Substring { queryMark.map { target[..<$0] } ?? target[...] }

  /// The raw query without its `?`, or nil if the target has none.
  public var query: Substring? {
    queryMark.map { target[target.utf8.index(after: $0)...] }
  }

  /// Where the path ends and the query begins.
  private var queryMark: String.Index? {
    // On contiguous memory: every handler that may answer asks for the path.
    let mark = UInt8(ascii: "?")
    let place = target.utf8.withContiguousStorageIfAvailable { $0.firstIndex(of: mark) }
    guard let place else { return target.utf8.firstIndex(of: mark) }
    return place.map { target.utf8.index(target.startIndex, offsetBy: $0) }
  }

  /// The query's parameters, or none if it is malformed.
  public var queryParameters: FormData {
    query.flatMap { try? FormData(decoding: Array($0.utf8)) } ?? FormData()
  }
}
