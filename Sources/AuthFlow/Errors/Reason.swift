public import Foundation

/// Why something was refused, by any auth API.
///
/// Pages has a sentence for each reason, in a switch without `default`: a new reason does not
/// compile until it has one.
public enum Reason: Hashable, Codable, Sendable {
  // What was typed.
  case missing
  case formatInvalid
  case valueInvalid
  case tooLong(limit: Int?)
  case identifierNotFound
  case identifierTaken
  case usernameLengthInvalid
  case usernameCharacterInvalid
  case usernameNeedsLetter
  case termsNotAccepted
  case noneChosen
  case organizationSlugTaken
  case notAMember

  // Passwords.
  case passwordIncorrect
  case passwordOrIdentifierIncorrect
  case currentPasswordIncorrect
  case passwordCompromised
  case passwordLeaked
  case passwordResetRequired
  case passwordTooShort(minimum: Int?)
  case passwordTooLong(maximum: Int?)
  case passwordTooManyBytes
  case passwordNeedsUppercase
  case passwordNeedsLowercase
  case passwordNeedsNumber
  case passwordNeedsSpecialCharacter
  case passwordTooWeak
  case passwordBreached
  case passwordBanned
  case passwordReused
  case passwordMatchesIdentifier
  case passwordInvalid

  // Codes.
  case codeIncorrect
  /// It is wrong, expired or out of tries: the auth API does not say which.
  case codeNotAccepted
  case codeLength(digits: Int)
  case codeExpired
  case codeTriesExhausted
  case codeNotSent
  case resendTooSoon(until: Date?)
  /// No more codes are sent for this attempt.
  case codeSendsExhausted
  case deliveryFailed
  /// No messages are sent to that country.
  case countryNotSupported
  /// The instance has sent as many messages as it may for now.
  case messageQuotaUsed

  // Links.
  case linkExpired
  case linkUsed
  case linkOtherBrowser
  case linkFailed

  // The account and the instance.
  /// Until that time; nil where it is unknown, or where only support can unlock the account.
  case locked(until: Date?)
  /// For a time that the auth API does not say.
  case lockedForNow
  case lockoutNear
  case banned
  case tooManyRequests(until: Date?)
  case methodUnavailable
  /// The account has a password, but no way to set a new one.
  case passwordResetUnavailable
  /// No message is sent to that contact, whoever asks.
  case contactBlocked
  case noUsableMethod
  /// The auth API asks for a step that the pages do not have.
  case stepUnsupported
  /// Only an app that the organisation manages may sign in.
  case protectionPolicyRequired
  /// The device does not meet what the organisation asks of it.
  case deviceRequirementUnmet
  case signUpClosed
  case signUpWaitlist
  /// That address, number or name may not have an account here.
  case identifierNotAllowed
  /// The auth API takes this for an attack.
  case judgedSuspicious
  /// An answer to a bot check is missing or wrong.
  case botCheckFailed
  /// A check of the browser or the device comes first, whatever is sent.
  case botCheckRequired
  /// A limit on what was asked for has been reached.
  case quotaExceeded
  /// Something else is being done with the same object at this moment.
  case busy
  /// Not for this person, or not in this instance: the auth API's own words are shown.
  case forbidden

  // The state of the attempt.
  case alreadySignedIn
  case attemptEnded
  /// The auth API does not know this browser any more.
  case browserUnknown
  case signInAgain
  /// The session cannot go on until the person has proved more than last time.
  case extraVerificationRequired
  /// The session cannot go on until the person has approved new permissions.
  case consentRequired
  case cancelled

  // The way to the auth API.
  case offline
  /// No connection could be made.
  case serviceUnreachable
  /// The connection was lost before a whole answer: the request may have been carried out.
  case serviceAnswerLost
  /// The auth API itself says that it is unavailable for now.
  case serviceUnavailable
  case serviceTimedOut
  case serviceAnsweredNonsense

  /// A code that the provider does not know: the auth API's own words are shown.
  case unrecognised

  /// The advice that usually helps.
  public var usualAdvice: RetryAdvice {
    switch self {
    case .missing, .formatInvalid, .valueInvalid, .tooLong, .identifierNotFound, .identifierTaken,
      .usernameLengthInvalid, .usernameCharacterInvalid, .usernameNeedsLetter, .termsNotAccepted,
      .noneChosen, .organizationSlugTaken, .notAMember, .passwordIncorrect,
      .passwordOrIdentifierIncorrect, .currentPasswordIncorrect,
      .passwordTooShort, .passwordTooLong, .passwordTooManyBytes, .passwordNeedsUppercase,
      .passwordNeedsLowercase, .passwordNeedsNumber, .passwordNeedsSpecialCharacter,
      .passwordTooWeak, .passwordBreached, .passwordBanned, .passwordReused,
      .passwordMatchesIdentifier, .passwordInvalid, .codeIncorrect, .codeNotAccepted, .codeLength,
      .lockoutNear, .countryNotSupported:
      .correctInput
    case .codeExpired, .codeTriesExhausted, .codeNotSent, .linkExpired, .linkFailed:
      .requestNewCode
    case .resendTooSoon(let until), .locked(let until), .tooManyRequests(let until):
      .wait(until: until)
    case .lockedForNow: .wait(until: nil)
    case .passwordCompromised, .methodUnavailable, .contactBlocked, .deliveryFailed,
      .messageQuotaUsed:
      .chooseAnotherMethod
    case .passwordLeaked, .passwordResetRequired: .resetPassword
    case .banned, .passwordResetUnavailable, .noUsableMethod, .stepUnsupported,
      .protectionPolicyRequired, .deviceRequirementUnmet, .signUpClosed, .signUpWaitlist,
      .identifierNotAllowed, .judgedSuspicious, .botCheckFailed, .botCheckRequired, .quotaExceeded,
      .forbidden:
      .contactSupport
    case .alreadySignedIn, .attemptEnded, .browserUnknown, .cancelled, .linkUsed,
      .codeSendsExhausted:
      .startOver
    case .signInAgain, .extraVerificationRequired, .consentRequired: .interactiveSignIn
    // The link works in the other browser: nothing has to be begun anew.
    case .linkOtherBrowser: .correctInput
    case .offline, .serviceUnreachable, .serviceAnswerLost, .serviceUnavailable,
      .serviceTimedOut, .serviceAnsweredNonsense, .busy, .unrecognised:
      .tryAgain
    }
  }
}
