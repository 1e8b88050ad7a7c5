public import HTTPTypes

/// What a handler answers.
///
/// The host adds `Date` and says where the body ends.
public struct Response: Sendable, Hashable {
  /// What follows the head.
  public enum Content: Sendable, Hashable {
    case whole([UInt8])
    /// Too much to be held at once.
    case pieces(BodyPieces)
  }

  public var status: HTTPResponse.Status
  public var headerFields: HTTPFields
  public var content: Content
  /// How the answer is to fail on its way; only an emulator that rehearses failures sets it.
  public var deliveryFailure: DeliveryFailure?

  public init(
    status: HTTPResponse.Status,
    headerFields: HTTPFields = [:],
    body: [UInt8] = []
  ) {
    self.init(status: status, headerFields: headerFields, content: .whole(body))
  }

  public init(status: HTTPResponse.Status, headerFields: HTTPFields = [:], content: Content) {
    self.status = status
    self.headerFields = headerFields
    self.content = content
  }

  /// The body where it is whole; nothing where it comes in pieces.
  public var body: [UInt8] {
    get {
      switch content {
      case .whole(let bytes): bytes
      case .pieces: []
      }
    }
    set { content = .whole(newValue) }
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
