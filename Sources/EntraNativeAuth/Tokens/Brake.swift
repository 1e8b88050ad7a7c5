internal import AuthFlow
internal import Crypto
internal import Foundation

/// A refusal of the token service that is repeated without asking again, for as long as it holds.
///
/// What the service refused in its own words it would refuse again; what it braked it wants to be
/// left alone with. A fault of the service is not repeated: a person who presses the button wants to
/// know whether it is over.
///
/// Source: <doc:EntraTokenRenewal#Throttling>, on MSAL's throttling of silent requests.
struct Brake: Codable, Hashable, Sendable {
  /// Which request it is about; nil where it is about every one.
  var request: String?
  var until: Date
  var error: AuthError

  /// How long a refusal is repeated, in seconds.
  static let afterRefusal: TimeInterval = 120
  /// How long a 429 brakes that does not say, and the longest that one is believed, in seconds.
  static let afterTooManyRequests: TimeInterval = 60
  static let longest: TimeInterval = 3_600

  /// The brake that an error of the service is; nil for one that it is none.
  ///
  /// - Parameters:
  ///   - failure: What became of the renewal.
  ///   - error: What was made of it.
  ///   - request: Which renewal it was.
  ///   - now: The time.
  init?(_ failure: Failure, told error: AuthError, by request: String, at now: Date) {
    switch failure {
    case .browserRequired: return nil
    case .refused:
      self.init(request: request, until: now.addingTimeInterval(Self.afterRefusal), error: error)
    case .failed:
      guard case .tooManyRequests(let named)? = error.problems.first?.reason else { return nil }
      let until = min(
        named ?? now.addingTimeInterval(Self.afterTooManyRequests),
        now.addingTimeInterval(Self.longest)
      )
      self.init(request: nil, until: until, error: error.waiting(until: until))
    }
  }

  private init(request: String?, until: Date, error: AuthError) {
    self.request = request
    self.until = until
    self.error = error
  }

  /// What a request is refused with while the brake holds; nil where it does not.
  func refusal(of request: String, at now: Date) -> AuthError? {
    guard now < until, self.request == nil || self.request == request else { return nil }
    var error = error
    error.diagnosis = [error.diagnosis, "MSALThrottlingCacheHit"].compactMap(\.self)
      .joined(separator: ";")
    return error
  }

  /// Names a renewal by all that it asks with.
  static func name(of refreshToken: String, _ scopes: [String], _ claims: String?) -> String {
    let asked = [refreshToken, claims ?? ""] + scopes.map { $0.lowercased() }.sorted()
    let digest = SHA256.hash(data: Data(asked.joined(separator: "\n").utf8))
    return Data(digest.prefix(12)).base64EncodedString()
  }
}

extension AuthError {
  /// The same brake, with its end.
  fileprivate func waiting(until: Date) -> AuthError {
    AuthError(
      Problem(.tooManyRequests(until: until), code: problems.first?.code ?? ""),
      traceID: traceID,
      diagnosis: diagnosis
    )
  }
}
