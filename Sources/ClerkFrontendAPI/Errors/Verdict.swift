internal import AuthFlow
internal import Foundation

/// What a code of the API means to us.
struct Verdict: Hashable, Sendable {
  /// Where the problem belongs.
  enum Place: Hashable, Sendable {
    /// At the parameter that the API names, otherwise here
    /// (<doc:ClerkErrorCodes#Where-an-error-stands>).
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

/// The circumstances that the meaning of a code depends on.
struct Circumstances: Sendable {
  var purpose: Call.Purpose
  /// The parameter that the API names.
  var parameter: String?
  /// The API's own words.
  var message: String?
  /// When the account's lock ends; nil if it has no end.
  var lockedUntil: Date?
  /// When to try again, as the answer's `Retry-After` says.
  var retryAt: Date?
  /// The rules of the instance, where they are known already.
  var passwordRules: PasswordRules?
  /// Whether it happened at the page of a provider, of which a verification tells.
  var isOfProvidersPage = false
  var now: Date

  /// The limit: the only number in the API's words, which are the only place that has it; nil if
  /// they have none, or several.
  var limit: Int? {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let numbers = (message ?? "").utf8.split { !digits.contains($0) }
    return numbers.count == 1 ? Int(Substring(numbers[0])) : nil
  }

  /// How long to wait for another code where the API does not say
  /// (<doc:ClerkTransport#Limits-and-lifetimes>).
  static let resendWait: TimeInterval = 30
}
