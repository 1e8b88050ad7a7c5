public import Foundation

/// Why something was refused, whichever auth API refused it.
///
/// Pages has a sentence for each, in a switch without `default`: a new reason does not compile
/// until someone has found the words.
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
  /// It is wrong, or its time or its tries are over: the auth API does not tell which.
  case codeNotAccepted
  case codeLength(digits: Int)
  case codeExpired
  case codeTriesExhausted
  case codeNotSent
  case resendTooSoon(until: Date?)
  /// The attempt has had all the codes that it may have.
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
  /// Until then, or until support unlocks it.
  case locked(until: Date?)
  /// For a time that the auth API does not tell.
  case lockedForNow
  case lockoutNear
  case banned
  case tooManyRequests(until: Date?)
  case methodUnavailable
  /// The account has a password, and nothing by which a new one could be set.
  case passwordResetUnavailable
  /// No message is sent to that contact, whoever asks.
  case contactBlocked
  case noUsableMethod
  /// What the auth API asks for next is nothing that the pages have.
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
  /// There may be no more of what was asked for.
  case quotaExceeded
  /// Something else is being done with it at the same moment.
  case busy
  /// Not for this person, or not in this instance: the auth API's own words are shown.
  case forbidden

  // Where the attempt stands.
  case alreadySignedIn
  case attemptEnded
  /// The auth API does not know this browser any more.
  case browserUnknown
  case signInAgain
  /// The session cannot go on before the person has proved more than last time.
  case extraVerificationRequired
  /// The session cannot go on before the person has approved new permissions.
  case consentRequired
  case cancelled

  // The way to the auth API.
  case offline
  /// Nobody is there.
  case serviceUnreachable
  /// They hung up before they answered: what was asked may have been carried out.
  case serviceAnswerLost
  /// It says itself that it cannot answer for now.
  case serviceUnavailable
  case serviceTimedOut
  case serviceAnsweredNonsense

  /// A code that nobody here has heard of: the auth API's own words are shown.
  case unrecognised

  /// What usually helps.
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
    // There, and not here: nothing has to be begun anew.
    case .linkOtherBrowser: .correctInput
    case .offline, .serviceUnreachable, .serviceAnswerLost, .serviceUnavailable,
      .serviceTimedOut, .serviceAnsweredNonsense, .busy, .unrecognised:
      .tryAgain
    }
  }
}
