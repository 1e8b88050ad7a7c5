internal import AuthFlow
internal import Crypto
internal import Foundation

/// A throttle: a refusal of the token service that is repeated without a call for as long as it
/// holds.
///
/// The service would repeat a refusal of its own, and after a 429 it wants no calls for a while. A
/// fault of the service is not repeated: a person who presses the button wants to know whether it
/// is over.
///
/// Source: <doc:EntraTokenRenewal#Throttling>, on MSAL's throttling of silent requests.
struct Brake: Codable, Hashable, Sendable {
  /// The request that it is about; nil for every request.
  var request: String?
  var since: Date
  var until: Date
  var error: AuthError

  /// How long a refusal is repeated, in seconds.
  static let afterRefusal: TimeInterval = 120
  /// How long a 429 without `Retry-After` throttles, in seconds; `longest` limits any other.
  static let afterTooManyRequests: TimeInterval = 60
  static let longest: TimeInterval = 3_600

  /// The brake after a failed renewal; nil if the failure must not be repeated.
  ///
  /// - Parameters:
  ///   - failure: The failure of the renewal.
  ///   - error: The error that was made of it.
  ///   - request: The name of the renewal.
  ///   - now: The time.
  init?(_ failure: Failure, told error: AuthError, by request: String, at now: Date) {
    switch failure {
    case .browserRequired: return nil
    case .refused:
      self.init(
        request: request,
        since: now,
        until: now.addingTimeInterval(Self.afterRefusal),
        error: error
      )
    case .failed:
      guard case .tooManyRequests(let named)? = error.problems.first?.reason else { return nil }
      let until = min(
        named ?? now.addingTimeInterval(Self.afterTooManyRequests),
        now.addingTimeInterval(Self.longest)
      )
      self.init(request: nil, since: now, until: until, error: error.waiting(until: until))
    }
  }

  private init(request: String?, since: Date, until: Date, error: AuthError) {
    self.request = request
    self.since = since
    self.until = until
    self.error = error
  }

  /// The refusal of a request while the brake holds; nil if it does not.
  func refusal(of request: String, at now: Date) -> AuthError? {
    guard holds(at: now), self.request == nil || self.request == request else { return nil }
    var error = error
    error.diagnosis = [error.diagnosis, "MSALThrottlingCacheHit"].compactMap(\.self)
      .joined(separator: ";")
    return error
  }

  /// Whether the brake holds: not before it began, since its end may be days away on a clock that
  /// was set back (S34).
  ///
  /// By as much as two machines' clocks may differ, it may seem to begin later.
  private func holds(at now: Date) -> Bool {
    now < until && since.timeIntervalSince(now) <= IDToken.skew
  }

  /// A name for a renewal, made from all of its parameters.
  static func name(of refreshToken: String, _ scopes: [String], _ claims: String?) -> String {
    let asked = [refreshToken, claims ?? ""] + scopes.map { $0.lowercased() }.sorted()
    let digest = SHA256.hash(data: Data(asked.joined(separator: "\n").utf8))
    return Data(digest.prefix(12)).base64EncodedString()
  }
}

extension AuthError {
  /// The same error, with the time at which the brake ends.
  fileprivate func waiting(until: Date) -> AuthError {
    AuthError(
      Problem(.tooManyRequests(until: until), code: problems.first?.code ?? ""),
      traceID: traceID,
      diagnosis: diagnosis
    )
  }
}
