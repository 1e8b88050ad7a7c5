public import Foundation

/// The codes of the problems that the flows find themselves.
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
  /// Clerk's, which is not asked where what its instance says is known.
  case signUpRestrictedWaitlist = "sign_up_restricted_waitlist"
  /// Clerk's, which is not asked for what is too long for any field.
  case tooLong = "form_param_max_length_exceeded"
  case linkExpired = "link_expired"
  case linkUsed = "link_used"
  case linkOtherBrowser = "link_other_browser"
  case linkFailed = "link_failed"
  /// Clerk's, which is not asked before the time.
  case resendTooSoon = "verification_code_too_many_requests"
}

extension Problem {
  /// What the flows find themselves.
  public init(_ reason: Reason, at field: Field? = nil, code: OwnCode) {
    self.init(reason, at: field, code: code.rawValue)
  }
}

extension CodePrompt {
  /// A backup code has a form of its own.
  func refusal(of typed: VerificationCode) -> AuthError? {
    factor.kind == .backupCode ? nil : code.refusal(of: typed)
  }

  /// Whether the code that was sent still works, so that none has to be sent again.
  func isGood(at now: Date) -> Bool {
    guard factor.sendsMessage, let expiresAt = code.expiresAt else { return !factor.sendsMessage }
    return !code.isVoid && now < expiresAt
  }
}

extension ExpectedCode {
  /// Refuses a code that has not its digits.
  func refusal(of typed: VerificationCode) -> AuthError? {
    typed.hasDigits(length) ? nil : codeLengthError(length)
  }
}

func codeLengthError(_ digits: Int) -> AuthError {
  AuthError(Problem(.codeLength(digits: digits), at: .code, code: OwnCode.codeLength))
}

/// Until when no other code may be asked for; nil where one may be now (N4).
///
/// A wait of more than a quarter of an hour is for the auth API to tell: a clock that was moved back
/// would make one where there is none (S34).
public func resendWait(until: Date?, at now: Date) -> Date? {
  guard let until, now < until, until <= now.addingTimeInterval(900) else { return nil }
  return until
}

/// Refuses to ask for another code before its time: nothing is sent.
func resendRefusal(until: Date?, at now: Date) -> AuthError? {
  guard let until = resendWait(until: until, at: now) else { return nil }
  return AuthError(Problem(.resendTooSoon(until: until), code: OwnCode.resendTooSoon))
}

extension Outcome {
  /// Whether the auth API has sent no code that the one at hand could be: one is to be sent instead.
  var tellsThatNoCodeWasSent: Bool {
    guard case .refused(let error, _) = self else { return false }
    return error.contains { $0 == .codeNotSent }
  }

  /// Whether the code at hand is void, so that only another one leads on.
  var asksForNewCode: Bool {
    guard case .refused(let error, at: nil) = self else { return false }
    return error.advice == .requestNewCode
  }
}

extension AuthError {
  /// The same, and that the attempt is over with it, where it does not say so itself.
  public var endingAttempt: AuthError {
    guard !endsAttempt else { return self }
    var error = self
    error.problems.append(Problem(.attemptEnded, code: OwnCode.attemptEnded))
    error.advice = .startOver
    return error
  }

  /// Whether the attempt is over, so that staying on its page leads nowhere.
  public var endsAttempt: Bool { contains(where: \.endsAttempt) }
}
