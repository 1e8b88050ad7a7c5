internal import Foundation
internal import HTTPExchange
internal import HTTPTypes

/// When a call is made a second time, and after how long; never a third time.
///
/// MSAL's policy, but only for calls that may be repeated or that were never sent.
///
/// Source: <doc:EntraCalls#A-second-try>.
enum RetryPolicy {
  static let afterFault = Duration.milliseconds(500)
  static let whileOffline = Duration.seconds(2)
  /// The longest `Retry-After` of a 503 that is worth waiting for.
  static let longestRetryAfter = Duration.seconds(2)

  /// How long to wait before the second try; nil if there is none.
  static func delay(
    after result: Result<Response, TransportError>,
    of call: Call?,
    now: Date
  ) -> Duration? {
    let isRepeatable = call?.isRepeatable ?? true
    switch result {
    case .failure(.offline): return whileOffline
    case .failure(.refused), .failure(.tlsFailed): return afterFault
    case .failure(.connectionLost), .failure(.timedOut): return isRepeatable ? afterFault : nil
    // A malformed answer will not improve; a full queue is our own fault.
    case .failure(.malformedAnswer), .failure(.busy): return nil
    case .success(let response):
      guard isRepeatable, response.status.code >= 500 else { return nil }
      guard let date = RetryAfter.date(response.headerFields[.retryAfter], now: now) else {
        return afterFault
      }
      let asked = Duration.seconds(date.timeIntervalSince(now))
      return asked <= longestRetryAfter ? max(asked, afterFault) : nil
    }
  }
}
