public import HTTPTypes

/// What a client asks, with its body read to the end.
///
/// A server makes one from the socket; a client makes one to be carried by an `HTTPTransport`. Both
/// mean the same bytes: nothing is decoded or normalised on the way.
public struct Request: Sendable, Hashable {
  /// What follows the head.
  public enum Content: Sendable, Hashable {
    case whole([UInt8])
    /// Too much to be held in memory: only where a handler has asked for more than usual (S4).
    case spooled(SpooledBody)

    /// How many bytes there are.
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
    content = .whole(body)
    self.peerAddress = peerAddress
  }

  /// A request of which the header fields have been read already; its body is still to come.
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

  /// What the header fields say, where somebody has read them.
  var reading: HeadReading? { keptReading.reading }

  /// The body where it is in memory; nothing where it lies in a file.
  public var body: [UInt8] {
    get {
      switch content {
      case .whole(let bytes): bytes
      case .spooled: []
      }
    }
    set { content = .whole(newValue) }
  }

  /// The raw path, still percent-encoded: matching it as it is leaves nothing to smuggle (S3).
  public var path: Substring { queryMark.map { target[..<$0] } ?? target[...] }

  /// The raw query without its `?`, or nil where the target has none.
  public var query: Substring? {
    queryMark.map { target[target.utf8.index(after: $0)...] }
  }

  /// Where the path ends and the query begins.
  private var queryMark: String.Index? {
    // Over memory: each request is asked for its path by all who may answer it.
    let mark = UInt8(ascii: "?")
    let place = target.utf8.withContiguousStorageIfAvailable { $0.firstIndex(of: mark) }
    guard let place else { return target.utf8.firstIndex(of: mark) }
    return place.map { target.utf8.index(target.startIndex, offsetBy: $0) }
  }

  /// The query's parameters, or none where it is malformed.
  public var queryParameters: FormData {
    query.flatMap { try? FormData(decoding: Array($0.utf8)) } ?? FormData()
  }
}
