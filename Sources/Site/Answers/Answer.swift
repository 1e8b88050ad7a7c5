internal import AuthFlow
internal import HTTPTypes
internal import Pages

/// What the site decides on; turned into bytes in one place.
enum Answer: Sendable {
  /// A page as it stands: 200, or the page's own status.
  case page(any Page, status: Int = 200)
  /// The same page again, because the auth API or the flow refused.
  case refused(any Page, AuthError)
  /// The same page again, because the site refused.
  case turnedAway(any Page, Refusal, status: Int)
  /// A text to keep, named as it is saved.
  case file(name: String, text: String)
  /// 303 to that address.
  case seeOther(String)
}

extension Answer {
  static func seeOther(_ route: Route) -> Answer { .seeOther(route.path) }
}

extension AuthError {
  /// The honest status of a page that shows this error (R3).
  ///
  /// The gravest problem decides: the way to the auth API before waiting, waiting before being
  /// forbidden, that before what can be corrected.
  var status: Int {
    let statuses = problems.map(\.reason.status)
    return [504, 503, 502, 429, 410, 403].first(where: statuses.contains) ?? 422
  }
}

extension Reason {
  fileprivate var status: Int {
    switch self {
    case .offline, .serviceUnavailable: 503
    case .serviceTimedOut: 504
    case .serviceAnsweredNonsense: 502
    case .tooManyRequests, .resendTooSoon: 429
    case .linkExpired, .linkUsed: 410
    case .locked, .banned, .signUpClosed, .signUpWaitlist, .notAllowed, .noUsableMethod,
      .protectionPolicyRequired, .deviceRequirementUnmet, .linkOtherBrowser:
      403
    case .missing, .formatInvalid, .valueInvalid, .tooLong, .identifierNotFound, .identifierTaken,
      .usernameLengthInvalid, .usernameCharacterInvalid, .usernameNeedsLetter, .termsNotAccepted,
      .noneChosen, .organizationSlugTaken, .notAMember, .passwordIncorrect,
      .passwordOrIdentifierIncorrect, .currentPasswordIncorrect,
      .passwordCompromised, .passwordLeaked, .passwordResetRequired, .passwordTooShort,
      .passwordTooLong, .passwordTooManyBytes, .passwordNeedsUppercase, .passwordNeedsLowercase,
      .passwordNeedsNumber, .passwordNeedsSpecialCharacter, .passwordTooWeak, .passwordBreached,
      .passwordBanned,
      .passwordReused, .passwordMatchesIdentifier, .passwordInvalid, .passwordsDiffer,
      .codeIncorrect, .codeLength, .codeExpired, .codeTriesExhausted, .codeNotSent,
      .deliveryFailed, .contactBlocked, .linkFailed, .lockoutNear, .extraVerificationRequired,
      .consentRequired, .methodUnavailable, .botCheckRequired, .alreadySignedIn,
      .attemptEnded, .signInAgain, .cancelled, .unrecognised:
      422
    }
  }
}
