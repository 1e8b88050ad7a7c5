public import Foundation

/// The codes of the problems that the flows find themselves.
///
/// Part of the interface: tests compare them.
public enum OwnCode {
  public static let required = "required"
  public static let codeLength = "code_length"
  public static let noneChosen = "none_chosen"
  public static let attemptEnded = "attempt_ended"
  public static let tooManyRequests = "too_many_requests"
  /// Clerk's, which is not asked where what its instance says is known.
  public static let signUpRestrictedWaitlist = "sign_up_restricted_waitlist"
  public static let linkExpired = "link_expired"
  public static let linkUsed = "link_used"
  public static let linkOtherBrowser = "link_other_browser"
  public static let linkFailed = "link_failed"
  public static let resendTooSoon = "verification_code_too_many_requests"
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
    guard !endsAttempt, let first = problems.first else { return self }
    return AuthError(
      first,
      problems.dropFirst() + [Problem(.attemptEnded, code: OwnCode.attemptEnded)],
      advice: .startOver,
      traceID: traceID,
      diagnosis: diagnosis
    )
  }

  /// Whether the attempt is over, so that staying on its page leads nowhere.
  public var endsAttempt: Bool { contains(where: \.endsAttempt) }
}
