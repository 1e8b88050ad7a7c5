internal import Foundation
internal import HTTPExchange
internal import HTTPTypes

/// The ids by which a request can be found again, and its time.
///
/// Source: Microsoft, native authentication API reference.
struct EntraTrace: Sendable, Hashable {
  /// The emulator's own; also the header `x-ms-request-id`.
  var traceID: String
  /// The caller's `client-request-id` as sent, or a new one if that is not a GUID.
  var correlationID: String
  /// `2031-04-02 09:15:07Z`, by the world's clock.
  var timestamp: String

  init(_ request: Request, random: RandomSource, at date: Date) {
    traceID = random.guid()
    let sent = request.headerFields[.clientRequestID].flatMap { GUID.isWritten($0) ? $0 : nil }
    correlationID = sent ?? random.guid()
    timestamp = Self.text(of: date)
  }

  static func text(of date: Date) -> String {
    let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space)
    return date.formatted(style)
  }
}

// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  static let clientRequestID = Self("client-request-id")!
  static let requestID = Self("x-ms-request-id")!
}
