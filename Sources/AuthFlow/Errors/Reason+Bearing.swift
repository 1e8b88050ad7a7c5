extension Reason {
  /// What a refusal means for the attempt in which it occurred.
  private enum Bearing {
    /// The attempt goes on with another input.
    case stands
    /// The attempt is over, so that its page leads nowhere.
    case ended
    /// The refusal says nothing about the input: the same may be accepted a moment later.
    case unheard
    /// The same, because the auth API or the connection to it fails.
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

  /// Whether the auth API or the connection to it fails.
  public var isOfTheService: Bool {
    switch bearing {
    case .serviceFailed: true
    case .stands, .ended, .unheard: false
    }
  }

  /// Whether it says nothing about the input: the same may be accepted a moment later.
  public var isOfTheMoment: Bool {
    switch bearing {
    case .unheard, .serviceFailed: true
    case .stands, .ended: false
    }
  }

  /// Whether it ends the attempt.
  var endsAttempt: Bool {
    switch bearing {
    case .ended: true
    case .stands, .unheard, .serviceFailed: false
    }
  }
}
