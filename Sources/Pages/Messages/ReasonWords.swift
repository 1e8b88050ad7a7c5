import AuthFlow
import Foundation

/// The message catalogue: what is said for each reason, on one page at one moment.
///
/// One sentence for each reason, in words that say what to do (E4).
struct MessageCatalogue: Sendable {
  let setting: Setting
  let times: Times
  /// Whether our own wording goes before the auth API's.
  var usesOwnWords = true

  /// The sentence for a problem.
  ///
  /// Our own wording where there is one; the auth API's prose only where the reason is unknown or
  /// lacks a number that the API's sentence has, or where our own is not wanted.
  func words(for problem: Problem) -> Prose {
    usesOwnWords
      ? ownWords(for: problem) : apiWords(of: problem, else: ownWords(for: problem))
  }

  private func ownWords(for problem: Problem) -> Prose {
    let field = problem.field
    switch problem.reason {
    case .missing, .noneChosen:
      return Prose(field.map { Words.demand(for: $0, in: setting) } ?? "Something is missing here.")
    case .formatInvalid:
      return Prose(format(of: field))
    case .valueInvalid:
      return Prose("Check the \(name(of: field)): it cannot be used here.")
    case .tooLong(let limit?):
      return Prose("\(label(of: field)) must be \(Words.characters(limit)) or fewer")
    case .tooLong(nil):
      return apiWords(of: problem, else: "\(label(of: field)) is too long")
    case .identifierNotFound:
      return Prose("We could not find an account with that \(typedKind)")
    case .identifierTaken:
      return Prose("That \(taken(field)) already has an account")
    case .usernameLengthInvalid:
      return apiWords(of: problem, else: "Use a username of another length")
    case .usernameCharacterInvalid:
      return "Use only letters, numbers, dashes and underscores in the username"
    case .usernameNeedsLetter:
      return "Use at least one letter in the username"
    case .organizationSlugTaken:
      return "That short name is taken. Choose another one."
    case .notAMember:
      return "You are no longer a member of that organisation. Choose another one."
    case .termsNotAccepted:
      return "Accept the terms to continue"

    case .passwordIncorrect:
      return setting.offersOtherMethods
        ? "That password is not right. Try again, or use another method."
        : "That password is not right. Try again."
    case .passwordOrIdentifierIncorrect:
      return Prose("That \(typedKindInFull) and password do not match")
    case .currentPasswordIncorrect:
      return "Your current password is not right. Try again."
    case .passwordCompromised, .passwordLeaked:
      return """
        Your password may have been exposed. Choose another way to sign in; \
        you will then set a new password.
        """
    case .passwordResetRequired:
      return "Your password has to be changed. Set a new one to continue."
    case .passwordTooShort(let minimum?):
      return Prose("Use at least \(Words.characters(minimum))")
    case .passwordTooShort(nil):
      return apiWords(of: problem, else: "Use a longer password")
    case .passwordTooLong(let maximum?):
      return Prose("Use \(Words.characters(maximum)) or fewer")
    case .passwordTooLong(nil):
      return apiWords(of: problem, else: "Use a shorter password")
    case .passwordTooManyBytes:
      return "Use a shorter password: some of its characters count more than once"
    case .passwordNeedsUppercase: return "Use at least one upper-case letter"
    case .passwordNeedsLowercase: return "Use at least one lower-case letter"
    case .passwordNeedsNumber: return "Use at least one number"
    case .passwordNeedsSpecialCharacter: return "Use at least one special character"
    case .passwordTooWeak: return "Choose a password that is harder to guess"
    case .passwordBreached:
      return "That password has appeared in a data leak. Choose another one."
    case .passwordBanned:
      return "Choose a password without common words or names that are easy to guess"
    case .passwordReused: return "Choose a password you have not used here"
    case .passwordMatchesIdentifier:
      return "Choose a password that differs from your address or username"
    case .passwordInvalid: return apiWords(of: problem, else: "Choose another password")
    case .passwordsDiffer: return "The passwords do not match"

    case .codeIncorrect:
      return setting.asksForBackupCode
        ? "That backup code is not right, or it has been used. Check it, or use another one."
        : "That code is not right. Check it and try again."
    case .codeLength(let digits):
      return Prose("Enter the \(digits)-digit code")
    case .codeExpired: return "That code has expired. Ask for a new one."
    case .codeTriesExhausted:
      return setting.offersOtherMethods
        ? "Too many tries. Ask for a new code or use another method."
        : "Too many tries. Ask for a new code."
    case .codeNotSent: return "No code has been sent yet. Ask for one."
    case .resendTooSoon(let until?):
      return "You can ask for a new code \(times.from(until))"
    case .resendTooSoon(nil): return "Wait a moment before you ask for a new code."
    case .deliveryFailed:
      return setting.offersOtherMethods
        ? "We could not send the message. Choose another method."
        : "We could not send the message. Try again in a moment."

    case .countryNotSupported:
      return "We cannot send messages to numbers of that country. Use another one."
    case .messageQuotaUsed:
      return """
        No message was sent: this service has used up its messages for now. \
        Choose another method, or contact support.
        """

    case .linkExpired: return "That link no longer works. Ask for a new one."
    case .linkUsed: return "That link has been used. Each link works once."
    case .linkOtherBrowser:
      return """
        Open the link in the browser in which you asked for it: copy its address there. \
        Nothing was done here.
        """
    case .linkFailed: return "That link did not work. Ask for a new one."

    case .locked(let until?):
      return "This account is locked after too many tries. You can try again \(times.from(until))."
    case .locked(nil):
      return "This account is locked until support unlocks it."
    case .lockoutNear:
      return apiWords(
        of: problem,
        else: "Careful: after a few more wrong tries this account will be locked for a while."
      )
    case .banned: return "This account cannot sign in. Contact support."
    case .tooManyRequests(let until?):
      return "Too many attempts. Try again \(times.from(until))"
    case .tooManyRequests(nil): return "Too many attempts. Wait a moment, then try again."
    case .methodUnavailable:
      return setting.resetsPassword
        ? "This account signs in without a password. Use another method."
        : "That method cannot be used for this account. Use another method."
    case .contactBlocked:
      return Prose("We cannot send to that \(blockedKind) right now. Choose another method.")
    case .protectionPolicyRequired:
      return """
        Your organisation asks for a managed app, which a browser is not. \
        Contact your administrator, or sign in with a managed app.
        """
    case .deviceRequirementUnmet:
      return "Your organisation asks more of this device than it has. Contact your administrator."
    case .noUsableMethod:
      return """
        This account has no way to sign in that these pages can offer. \
        Contact support to set one up.
        """
    case .signUpClosed:
      return "New accounts are by invitation only. Contact support to be invited."
    case .signUpWaitlist:
      return "New accounts are given from a waiting list. Contact support to be put on it."
    case .identifierNotAllowed:
      return Prose("That \(taken(field)) may not be used for an account here. Contact support.")
    case .judgedSuspicious:
      return "The sign-in service took this for suspicious and refused it. Contact support."
    case .botCheckFailed, .botCheckRequired:
      return """
        The back end asks for a bot check this page cannot show. For testing, switch off bot \
        protection in the settings of the auth API.
        """
    case .quotaExceeded:
      return apiWords(of: problem, else: "There may be no more of these here. Contact support.")
    case .busy:
      return "This account is being changed at the same moment. Wait a moment, then try again."
    case .forbidden:
      return apiWords(of: problem, else: "That is not allowed here. Contact support.")

    case .alreadySignedIn:
      return Prose(alreadySignedIn)
    case .attemptEnded: return "Your attempt has ended. Start again."
    case .browserUnknown:
      return "The sign-in service does not know this browser any more. Start again."
    case .extraVerificationRequired:
      return "Extra verification is needed to continue."
    case .consentRequired:
      return "New permissions need your approval."
    case .signInAgain: return "Sign in again to continue"
    case .cancelled: return "Sign-in was cancelled"

    case .offline, .serviceUnavailable:
      return "The sign-in service cannot be reached. Check the connection, then try again."
    case .serviceTimedOut, .serviceAnsweredNonsense:
      return "The sign-in service did not answer properly. Try again."

    case .unrecognised: return apiWords(of: problem, else: "Something went wrong")
    }
  }

  /// What stands over a banner.
  func heading(for advice: RetryAdvice) -> String {
    switch advice {
    case .correctInput: "Check what you entered"
    case .requestNewCode: "You need a new code"
    case .wait: "Try again later"
    case .chooseAnotherMethod: "Choose another method"
    case .resetPassword: "Your password needs to be changed"
    case .startOver: "Start again"
    case .interactiveSignIn: "One more step is needed"
    case .contactSupport: "This cannot be done here"
    case .tryAgain: "Something went wrong"
    }
  }

  /// What may help, where the sentence itself does not say.
  func nextStep(for reason: Reason) -> Prose? {
    switch reason.usualAdvice {
    case .tryAgain where reason != .offline && reason != .serviceUnavailable:
      "If it keeps happening, tell support the reference below."
    case .wait(until: nil) where reason == .locked(until: nil):
      "Tell support the reference below."
    case .correctInput, .requestNewCode, .wait, .chooseAnotherMethod, .resetPassword, .startOver,
      .interactiveSignIn, .contactSupport, .tryAgain:
      nil
    }
  }

  /// Where a message leads besides.
  func link(for problem: Problem) -> Link? {
    if problem.reason == .identifierNotFound, setting.offersSignUp {
      return Link("sign-up", href: Address.signUp.path, words: "Create an account")
    }
    if problem.reason == .identifierTaken {
      let typed = problem.field.flatMap { setting.values[$0] } ?? setting.identifier
      return Link(
        "sign-in",
        href: typed.map { Address.signIn.adding("identifier", $0) } ?? Address.signIn.path,
        words: "Sign in instead"
      )
    }
    if problem.reason == .methodUnavailable, setting.resetsPassword {
      return Link(
        "methods",
        href: setting.identifier.map { Address.signIn.adding("identifier", $0) }
          ?? Address.signIn.path,
        words: "Choose another method"
      )
    }
    return nil
  }

  /// Until when the refusal holds, where that is known.
  static func end(of reason: Reason) -> Date? {
    guard case .wait(let until) = reason.usualAdvice else { return nil }
    return until
  }

  var alreadySignedIn: String {
    setting.identifier.map { "You are already signed in as \($0)" } ?? "You are already signed in"
  }

  /// A text of the auth API: data, cut at 500 characters (S17).
  private func apiWords(of problem: Problem, else words: @autoclosure () -> Prose) -> Prose {
    let message = problem.message ?? (usesOwnWords ? nil : problem.detail?.message)
    guard let message, !message.isEmpty else { return words() }
    return Prose(Self.cut(message))
  }

  /// At most 500 characters, counted by code point so that no pile of marks gets through.
  static func cut(_ message: String) -> String {
    guard message.utf8.count > 500 else { return message }
    let scalars = message.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: 499, limitedBy: scalars.endIndex),
      scalars.index(after: end) < scalars.endIndex
    else { return message }
    return String(scalars[..<end]) + "…"
  }
}

extension MessageCatalogue {
  private func name(of field: Field?) -> String {
    field.map { Words.name(of: $0, in: setting) } ?? "value"
  }

  func label(of field: Field?) -> String {
    let words = name(of: field)
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  private func format(of field: Field?) -> String {
    switch field {
    case .emailAddress?: Self.emailFormat
    case .phoneNumber?: Self.phoneFormat
    case .organizationSlug?: "Use only lower-case letters, numbers and dashes in the short name"
    case .identifier?:
      switch (typedIdentifierKind, setting.identifiers) {
      case (.emailAddress?, _), (_, [.emailAddress]): Self.emailFormat
      case (.phoneNumber?, _), (_, [.phoneNumber]): Self.phoneFormat
      case (.username?, _), (nil, _):
        "Check the \(Words.name(of: setting.identifiers)): something in it is not right"
      }
    case .code?: Words.demand(for: .code, in: setting)
    case .claims?: "Enter the claims as a JSON object"
    default: "Check the \(name(of: field)): something in it is not right"
    }
  }

  private static let emailFormat = "Enter an e-mail address like name@example.com"
  private static let phoneFormat =
    "Enter a phone number with its country code, like +44 20 7946 0000"

  private var typedIdentifierKind: Identifier.Kind? {
    setting.identifier.flatMap(Identifier.init(typed:))?.kind
  }

  /// `address`, `phone number` or `username`, by what was typed.
  private var typedKind: String {
    switch typedIdentifierKind {
    case .phoneNumber?: "phone number"
    case .username? where setting.identifiers.contains(.username): "username"
    case .username?, .emailAddress?, nil: "address"
    }
  }

  /// `address` or `number`, where it is known which was meant.
  private var blockedKind: String {
    guard let contact = setting.values[.contact] ?? setting.destination else {
      return "address or number"
    }
    return contact.contains("@") ? "address" : "number"
  }

  private var typedKindInFull: String {
    typedKind == "address" ? "e-mail address" : typedKind
  }

  private func taken(_ field: Field?) -> String {
    switch field {
    case .phoneNumber?: "phone number"
    case .username?: "username"
    default: "address"
    }
  }
}
