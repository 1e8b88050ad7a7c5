public import HTTPTypes

/// A handler's answer.
///
/// The server adds `Date` and frames the body.
public struct Response: Sendable, Hashable {
  /// The body.
  public enum Content: Sendable, Hashable {
    case whole([UInt8])
    /// Too much to hold in memory at once.
    case pieces(BodyPieces)
  }

  public var status: HTTPResponse.Status
  public var headerFields: HTTPFields
  public var content: Content
  /// How the delivery is to fail; only an emulator that rehearses failures sets it.
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

  /// The body if it is whole; empty if it comes in pieces.
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

/// How an answer fails to arrive, from the client's point of view.
public enum DeliveryFailure: String, Sendable, Hashable, CaseIterable {
  /// Nobody listens. A socket that is already open can only be closed, as with `reset`.
  case refused
  /// The connection ends before an answer begins.
  case reset
  /// No answer comes before the client gives up.
  case timeout
  /// The connection ends in the middle of the answer.
  case truncated
}
