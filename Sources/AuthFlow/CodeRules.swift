public import Foundation

/// The codes of the problems that are found without asking the auth API.
///
/// Part of the interface: tests compare them.
public enum OwnCode: String, Sendable, CaseIterable {
  case required
  case codeLength = "code_length"
  case noneChosen = "none_chosen"
  case claimsFormatInvalid = "claims_format_invalid"
  case signUpUnavailable = "sign_up_unavailable"
  case passwordResetUnavailable = "password_reset_unavailable"
  case noUsableMethod = "no_usable_method"
  case attemptEnded = "attempt_ended"
  case tooManyRequests = "too_many_requests"
  /// Clerk's code, used without a call where the instance is known to have a waiting list.
  case signUpRestrictedWaitlist = "sign_up_restricted_waitlist"
  /// Clerk's code, used without a call for a value that is too long for any field.
  case tooLong = "form_param_max_length_exceeded"
  case linkExpired = "link_expired"
  case linkUsed = "link_used"
  case linkOtherBrowser = "link_other_browser"
  case linkFailed = "link_failed"
  /// Clerk's code, used without a call before another code may be requested.
  case resendTooSoon = "verification_code_too_many_requests"
}

extension Problem {
  /// A problem that is found without asking the auth API.
  public init(_ reason: Reason, at field: Field? = nil, code: OwnCode) {
    self.init(reason, at: field, code: code.rawValue)
  }
}

extension CodePrompt {
  /// A backup code has a format of its own, which is not checked here.
  func refusal(of typed: VerificationCode) -> AuthError? {
    factor.kind == .backupCode ? nil : code.refusal(of: typed)
  }

  /// Whether the code surely still works, so that none has to be sent again.
  func isGood(at now: Date) -> Bool {
    guard let expiresAt = code.expiresAt else { return !factor.sendsMessage }
    return !code.isVoid && now < expiresAt
  }
}

extension ExpectedCode {
  /// Refuses a code that does not have the expected number of digits.
  func refusal(of typed: VerificationCode) -> AuthError? {
    typed.hasDigits(length) ? nil : codeLengthError(length)
  }
}

func codeLengthError(_ digits: Int) -> AuthError {
  AuthError(Problem(.codeLength(digits: digits), at: .code, code: OwnCode.codeLength))
}

/// The longest wait for another code, in seconds, that is enforced here.
@_spi(Provider) public let longestResendWait: TimeInterval = 900

/// The time until which no other code may be requested; nil where one may be requested now (N4).
///
/// A wait of more than 15 minutes is left to the auth API to enforce: it may come only from a clock
/// that was moved back (S34).
public func resendWait(until: Date?, at now: Date) -> Date? {
  guard let until, now < until, until <= now.addingTimeInterval(longestResendWait) else {
    return nil
  }
  return until
}

/// Refuses to request another code too early; nothing is sent.
func resendRefusal(until: Date?, at now: Date) -> AuthError? {
  guard let until = resendWait(until: until, at: now) else { return nil }
  return AuthError(Problem(.resendTooSoon(until: until), code: OwnCode.resendTooSoon))
}

extension Outcome {
  /// Whether the auth API says that it has not sent a code, so that one has to be sent.
  var tellsThatNoCodeWasSent: Bool {
    guard case .refused(let error, _) = self else { return false }
    return error.contains { $0 == .codeNotSent }
  }

  /// Whether the current code is void, so that only a new one helps.
  var asksForNewCode: Bool {
    guard case .refused(let error, at: nil) = self else { return false }
    return error.advice == .requestNewCode
  }
}

extension AuthError {
  /// The same error, with `attemptEnded` added where it does not end the attempt itself.
  public var endingAttempt: AuthError {
    guard !endsAttempt else { return self }
    var error = self
    error.problems.append(Problem(.attemptEnded, code: OwnCode.attemptEnded))
    error.advice = .startOver
    return error
  }

  /// Whether the attempt is over, so that its page leads nowhere.
  public var endsAttempt: Bool { contains(where: \.endsAttempt) }
}
