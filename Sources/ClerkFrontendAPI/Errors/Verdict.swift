internal import AuthFlow
internal import Foundation

/// What a code of the API means to us.
struct Verdict: Hashable, Sendable {
  /// Where the problem belongs.
  enum Place: Hashable, Sendable {
    /// At the parameter the API names, else there (<doc:ClerkErrorCodes#Where-an-error-stands>).
    case field(Field?)
    /// In the banner, unless the API names a field that the page has.
    case banner
  }

  var reason: Reason
  var place: Place

  static func field(_ reason: Reason, at field: Field? = nil) -> Verdict {
    Verdict(reason: reason, place: .field(field))
  }

  static func banner(_ reason: Reason) -> Verdict {
    Verdict(reason: reason, place: .banner)
  }
}

/// What else decides about the meaning of a code.
struct Circumstances: Sendable {
  var purpose: Call.Purpose
  /// The parameter that the API names.
  var parameter: String?
  /// How much is allowed, where the API's sentence names a number; it tells it nowhere else.
  var limit: Int?
  /// Until when the account is locked; nil where it does not open by itself.
  var lockedUntil: Date?
  /// When to come back, as the answer's `Retry-After` says.
  var retryAt: Date?
  /// The rules of the instance, where they are known already.
  var passwordRules: PasswordRules?
  var now: Date

  /// How long to wait for another code where the API does not say
  /// (<doc:ClerkTransport#Limits-and-lifetimes>).
  static let resendWait: TimeInterval = 30
}
