extension Reason {
  /// What a refusal means for the attempt in which it came.
  private enum Bearing {
    /// It stands, and goes on by another input.
    case stands
    /// It is over, so that staying on its page leads nowhere.
    case ended
    /// Nothing is said of what was sent: the same may be taken a moment later.
    case unheard
    /// The same, since the auth API fails, or the way to it.
    case serviceFailed
  }

  private var bearing: Bearing {
    switch self {
    case .missing, .formatInvalid, .valueInvalid, .tooLong, .identifierNotFound, .identifierTaken,
      .usernameLengthInvalid, .usernameCharacterInvalid, .usernameNeedsLetter, .termsNotAccepted,
      .noneChosen, .organizationSlugTaken, .notAMember,
      .passwordIncorrect, .passwordOrIdentifierIncorrect, .currentPasswordIncorrect,
      .passwordCompromised, .passwordLeaked, .passwordTooShort, .passwordTooLong,
      .passwordTooManyBytes, .passwordNeedsUppercase, .passwordNeedsLowercase,
      .passwordNeedsNumber, .passwordNeedsSpecialCharacter, .passwordTooWeak, .passwordBreached,
      .passwordBanned, .passwordReused, .passwordMatchesIdentifier, .passwordInvalid,
      .codeIncorrect, .codeNotAccepted, .codeLength, .codeExpired, .codeTriesExhausted,
      .codeNotSent, .resendTooSoon, .codeSendsExhausted, .deliveryFailed, .countryNotSupported,
      .messageQuotaUsed,
      .linkExpired, .linkUsed, .linkOtherBrowser, .linkFailed,
      .lockoutNear, .methodUnavailable, .passwordResetUnavailable, .contactBlocked, .signUpClosed,
      .signUpWaitlist, .identifierNotAllowed, .judgedSuspicious, .botCheckFailed,
      .botCheckRequired, .quotaExceeded, .forbidden,
      .unrecognised:
      .stands
    case .passwordResetRequired, .locked, .lockedForNow, .banned, .noUsableMethod,
      .stepUnsupported, .protectionPolicyRequired, .deviceRequirementUnmet, .alreadySignedIn,
      .attemptEnded, .browserUnknown, .signInAgain, .extraVerificationRequired, .consentRequired,
      .cancelled:
      .ended
    case .busy, .tooManyRequests: .unheard
    case .offline, .serviceUnreachable, .serviceAnswerLost, .serviceUnavailable,
      .serviceTimedOut, .serviceAnsweredNonsense:
      .serviceFailed
    }
  }

  /// Whether it is the auth API that fails, or the way to it.
  public var isOfTheService: Bool {
    switch bearing {
    case .serviceFailed: true
    case .stands, .ended, .unheard: false
    }
  }

  /// Whether it says nothing of what was sent: the same may be taken a moment later.
  public var isOfTheMoment: Bool {
    switch bearing {
    case .unheard, .serviceFailed: true
    case .stands, .ended: false
    }
  }

  /// Whether the attempt is over with it.
  var endsAttempt: Bool {
    switch bearing {
    case .ended: true
    case .stands, .unheard, .serviceFailed: false
    }
  }
}
