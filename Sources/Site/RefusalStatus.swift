internal import AuthFlow

extension AuthError {
  /// The status of a page with those fields that shows this error (R3, R3b).
  ///
  /// The gravest problem decides: a failing auth API comes before a wait, that before a
  /// prohibition, and that before what can be corrected. A problem at a field can be corrected.
  func status(on fields: [Field] = []) -> Int {
    let statuses = problems.map { problem in
      let isAtField = problem.field.map(fields.contains) ?? false
      return isAtField && problem.reason.status == 403 ? 422 : problem.reason.status
    }
    return [504, 503, 502, 429, 403].first(where: statuses.contains) ?? 422
  }

  /// The status of the page that a link leads to: a link that is spent is gone for good.
  var linkLandingStatus: Int {
    contains { $0 == .linkExpired || $0 == .linkUsed } ? 410 : status()
  }
}

extension Reason {
  /// The status of a refusal for this reason, unless it is shown at a field.
  var status: Int {
    switch self {
    case .offline, .serviceUnreachable, .serviceAnswerLost, .serviceUnavailable: 503
    case .serviceTimedOut: 504
    case .serviceAnsweredNonsense: 502
    case .tooManyRequests, .resendTooSoon, .codeSendsExhausted: 429
    case .locked, .lockedForNow, .banned, .signUpClosed, .signUpWaitlist, .identifierNotAllowed,
      .judgedSuspicious, .botCheckRequired, .quotaExceeded, .forbidden, .countryNotSupported,
      .notAMember, .noUsableMethod, .stepUnsupported, .protectionPolicyRequired,
      .deviceRequirementUnmet, .linkOtherBrowser:
      403
    case .missing, .formatInvalid, .valueInvalid, .tooLong, .identifierNotFound, .identifierTaken,
      .usernameLengthInvalid, .usernameCharacterInvalid, .usernameNeedsLetter, .termsNotAccepted,
      .noneChosen, .organizationSlugTaken, .passwordIncorrect, .passwordOrIdentifierIncorrect,
      .currentPasswordIncorrect, .passwordCompromised, .passwordLeaked, .passwordResetRequired,
      .passwordTooShort, .passwordTooLong, .passwordTooManyBytes, .passwordNeedsUppercase,
      .passwordNeedsLowercase, .passwordNeedsNumber, .passwordNeedsSpecialCharacter,
      .passwordTooWeak, .passwordBreached, .passwordBanned, .passwordReused,
      .passwordMatchesIdentifier, .passwordInvalid, .codeIncorrect, .codeNotAccepted, .codeLength,
      .codeExpired, .codeTriesExhausted, .codeNotSent, .deliveryFailed, .messageQuotaUsed,
      .contactBlocked, .linkExpired, .linkUsed, .linkFailed, .lockoutNear,
      .extraVerificationRequired, .consentRequired, .methodUnavailable, .passwordResetUnavailable,
      .botCheckFailed, .busy,
      .alreadySignedIn, .attemptEnded, .browserUnknown, .signInAgain, .cancelled, .unrecognised:
      422
    }
  }
}
