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
  /// The API's own words.
  var message: String?
  /// Until when the account is locked; nil where it does not open by itself.
  var lockedUntil: Date?
  /// When to come back, as the answer's `Retry-After` says.
  var retryAt: Date?
  /// The rules of the instance, where they are known already.
  var passwordRules: PasswordRules?
  /// Whether it happened at the page of a provider, of which a verification tells.
  var isOfProvidersPage = false
  var now: Date

  /// How much is allowed: the one number in the API's words, which tells it nowhere else; nil where there is
  /// none, or more than one.
  var limit: Int? {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let numbers = (message ?? "").utf8.split { !digits.contains($0) }
    return numbers.count == 1 ? Int(Substring(numbers[0])) : nil
  }

  /// How long to wait for another code where the API does not say
  /// (<doc:ClerkTransport#Limits-and-lifetimes>).
  static let resendWait: TimeInterval = 30
}
