import AuthFlow
import Foundation

/// The phrase for each reason on one page, in words that say what to do (E4).
struct ReasonWords: Sendable {
  let setting: Setting
  /// Whether a flow begins at the page.
  var isAtStart = false
  /// Whether our own wording takes precedence over the auth API's.
  var usesOwnWords = true
  /// Whether the page is in the language of the auth APIs' own sentences.
  var readsEnglish = true
  /// Whether the catalogue has words for a code of an auth API.
  var hasWords: @Sendable (_ code: String) -> Bool = { _ in false }

  /// The sentence for a problem.
  ///
  /// Our own wording is preferred. The auth API's sentence is used only if the reason is unknown,
  /// if that sentence has a number or name that ours lacks, or if our own wording is turned off.
  /// Words for the very code take precedence over both, since somebody wrote them for it.
  func words(for problem: Problem) -> Phrase {
    if hasWords(problem.code) { return .message(.code(problem.code)) }
    return usesOwnWords && !isOfUnnamedField(problem)
      ? ownWords(for: problem) : apiWords(of: problem, else: ownWords(for: problem))
  }

  /// Whether only the auth API can name the wrong value, because no page has a name for its field.
  private func isOfUnnamedField(_ problem: Problem) -> Bool {
    guard let field = problem.field, !Words.isNamed(field, in: setting) else { return false }
    if case .tooLong = problem.reason { return true }
    return [.missing, .noneChosen, .formatInvalid, .valueInvalid].contains(problem.reason)
  }

  private func ownWords(for problem: Problem) -> Phrase {
    let field = problem.field
    switch problem.reason {
    case .missing, .noneChosen:
      return field.map { Words.demand(for: $0, in: setting) } ?? .field(.missingNoField)
    case .formatInvalid: return format(of: field)
    case .valueInvalid:
      return .outcome(.reasonValueInvalid, ["field": .phrase(name(of: field))])
    case .tooLong(let limit?):
      return .outcome(
        .reasonTooLong,
        ["label": .phrase(label(of: field)), "limit": .count(limit)]
      )
    case .tooLong(nil):
      return fullerWords(
        of: problem,
        than: .outcome(.reasonTooLongUnknown, ["label": .phrase(label(of: field))])
      )
    case .identifierNotFound:
      return .outcome(.reasonIdentifierNotFound, ["kind": .choice(typedKind)])
    case .identifierTaken:
      return taken(field).map { .outcome(.reasonIdentifierTaken, ["kind": .choice($0)]) }
        ?? .outcome(.reasonIdentifierTakenUnknown)
    case .usernameLengthInvalid:
      return fullerWords(of: problem, than: .outcome(.reasonUsernameLengthInvalid))
    case .usernameCharacterInvalid: return .outcome(.reasonUsernameCharacterInvalid)
    case .usernameNeedsLetter: return .outcome(.reasonUsernameNeedsLetter)
    case .organizationSlugTaken: return .outcome(.reasonOrganizationSlugTaken)
    case .notAMember: return .outcome(.reasonNotAMember)
    case .termsNotAccepted: return .outcome(.reasonTermsNotAccepted)

    case .passwordIncorrect:
      return .outcome(
        setting.offersOtherMethods ? .reasonPasswordIncorrectOtherMethods : .reasonPasswordIncorrect
      )
    case .passwordOrIdentifierIncorrect:
      return .outcome(.reasonPasswordOrIdentifierIncorrect, ["kind": .choice(typedKind)])
    case .currentPasswordIncorrect: return .outcome(.reasonCurrentPasswordIncorrect)
    case .passwordCompromised: return .outcome(.reasonPasswordCompromised)
    case .passwordLeaked: return .outcome(.reasonPasswordLeaked)
    case .passwordResetRequired: return .outcome(.reasonPasswordResetRequired)
    case .passwordTooShort(let minimum?):
      return .outcome(.reasonPasswordTooShort, ["minimum": .count(minimum)])
    case .passwordTooShort(nil):
      return fullerWords(of: problem, than: .outcome(.reasonPasswordTooShortUnknown))
    case .passwordTooLong(let maximum?):
      return .outcome(.reasonPasswordTooLong, ["maximum": .count(maximum)])
    case .passwordTooLong(nil):
      return fullerWords(of: problem, than: .outcome(.reasonPasswordTooLongUnknown))
    case .passwordTooManyBytes: return .outcome(.reasonPasswordTooManyBytes)
    case .passwordNeedsUppercase: return .outcome(.reasonPasswordNeedsUppercase)
    case .passwordNeedsLowercase: return .outcome(.reasonPasswordNeedsLowercase)
    case .passwordNeedsNumber: return .outcome(.reasonPasswordNeedsNumber)
    case .passwordNeedsSpecialCharacter: return .outcome(.reasonPasswordNeedsSpecialCharacter)
    case .passwordTooWeak:
      return problem.suggestion.map { suggestion in
        .outcome(
          .reasonPasswordTooWeakSuggestion,
          ["suggestion": .phrase(.english(Self.cut(suggestion)))]
        )
      } ?? .outcome(.reasonPasswordTooWeak)
    case .passwordBreached: return .outcome(.reasonPasswordBreached)
    case .passwordBanned: return .outcome(.reasonPasswordBanned)
    case .passwordReused: return .outcome(.reasonPasswordReused)
    case .passwordMatchesIdentifier: return .outcome(.reasonPasswordMatchesIdentifier)
    case .passwordInvalid: return apiWords(of: problem, else: .outcome(.reasonPasswordInvalid))

    case .codeIncorrect:
      return .outcome(
        setting.asksForBackupCode ? .reasonCodeIncorrectBackup : .reasonCodeIncorrect
      )
    case .codeNotAccepted: return .outcome(.reasonCodeNotAccepted)
    case .codeLength(let digits):
      return .outcome(.reasonCodeLength, ["digits": .count(digits)])
    case .codeExpired: return .outcome(.reasonCodeExpired)
    case .codeTriesExhausted:
      return .outcome(
        setting.offersOtherMethods
          ? .reasonCodeTriesExhaustedOtherMethods : .reasonCodeTriesExhausted
      )
    case .codeNotSent: return .outcome(.reasonCodeNotSent)
    case .resendTooSoon(let until?):
      return .outcome(
        setting.sendsLink ? .reasonResendTooSoonLink : .reasonResendTooSoon,
        ["from": .moment(until, .from)]
      )
    case .resendTooSoon(nil):
      return .outcome(
        setting.sendsLink ? .reasonResendTooSoonUnknownLink : .reasonResendTooSoonUnknown
      )
    case .codeSendsExhausted: return .outcome(.reasonCodeSendsExhausted)
    case .deliveryFailed:
      return .outcome(
        setting.offersOtherMethods ? .reasonDeliveryFailedOtherMethods : .reasonDeliveryFailed
      )
    case .countryNotSupported: return .outcome(.reasonCountryNotSupported)
    case .messageQuotaUsed:
      return .outcome(
        setting.offersOtherMethods ? .reasonMessageQuotaUsedOtherMethods : .reasonMessageQuotaUsed
      )

    case .linkExpired: return .outcome(.reasonLinkExpired)
    case .linkUsed: return .outcome(.reasonLinkUsed)
    case .linkOtherBrowser: return .outcome(.reasonLinkOtherBrowser)
    case .linkFailed: return .outcome(.reasonLinkFailed)

    case .locked(let until?): return .outcome(.reasonLocked, ["from": .moment(until, .from)])
    case .locked(nil): return .outcome(.reasonLockedForGood)
    case .lockedForNow: return .outcome(.reasonLockedForNow)
    case .lockoutNear: return fullerWords(of: problem, than: .outcome(.reasonLockoutNear))
    case .banned: return .outcome(.reasonBanned)
    case .tooManyRequests(let until?):
      return .outcome(.reasonTooManyRequests, ["from": .moment(until, .from)])
    case .tooManyRequests(nil): return .outcome(.reasonTooManyRequestsUnknown)
    case .methodUnavailable:
      if setting.resetsPassword { return .outcome(.reasonMethodUnavailableReset) }
      return .outcome(
        setting.offersOtherMethods
          ? .reasonMethodUnavailableOtherMethods : .reasonMethodUnavailable
      )
    case .passwordResetUnavailable: return .outcome(.reasonPasswordResetUnavailable)
    case .contactBlocked:
      return .outcome(
        setting.offersOtherMethods ? .reasonContactBlockedOtherMethods : .reasonContactBlocked,
        ["kind": .choice(blockedKind)]
      )
    case .protectionPolicyRequired: return .outcome(.reasonProtectionPolicyRequired)
    case .deviceRequirementUnmet: return .outcome(.reasonDeviceRequirementUnmet)
    case .noUsableMethod: return .outcome(.reasonNoUsableMethod)
    case .stepUnsupported: return .outcome(.reasonStepUnsupported)
    case .signUpClosed: return .outcome(.reasonSignUpClosed)
    case .signUpWaitlist: return .outcome(.reasonSignUpWaitlist)
    case .identifierNotAllowed:
      return .outcome(.reasonIdentifierNotAllowed, ["kind": .choice(taken(field) ?? "address")])
    case .judgedSuspicious: return .outcome(.reasonJudgedSuspicious)
    case .botCheckFailed, .botCheckRequired: return .outcome(.reasonBotCheck)
    case .quotaExceeded: return fullerWords(of: problem, than: .outcome(.reasonQuotaExceeded))
    case .busy: return .outcome(.reasonBusy)
    case .forbidden: return apiWords(of: problem, else: .outcome(.reasonForbidden))

    case .alreadySignedIn: return alreadySignedIn
    case .attemptEnded: return .outcome(.reasonAttemptEnded)
    case .browserUnknown: return .outcome(.reasonBrowserUnknown)
    case .extraVerificationRequired: return .outcome(.reasonExtraVerificationRequired)
    case .consentRequired: return .outcome(.reasonConsentRequired)
    case .signInAgain: return .outcome(.reasonSignInAgain)
    case .cancelled: return .outcome(.reasonCancelled)

    case .offline, .serviceUnreachable: return .outcome(.reasonServiceUnreachable)
    case .serviceAnswerLost, .serviceUnavailable, .serviceTimedOut, .serviceAnsweredNonsense:
      return .outcome(.reasonServiceFailed)
    case .unrecognised: return apiWords(of: problem, else: .outcome(.reasonUnrecognised))
    }
  }

  /// The heading of a banner.
  func heading(for advice: RetryAdvice) -> Phrase {
    switch advice {
    case .correctInput: .outcome(.adviceCorrectInput)
    case .requestNewCode:
      .outcome(setting.sendsLink ? .adviceRequestNewLink : .adviceRequestNewCode)
    case .wait: .outcome(.adviceWait)
    case .chooseAnotherMethod:
      .outcome(
        setting.offersOtherMethods || setting.resetsPassword
          ? .adviceChooseAnotherMethod : .adviceTryAgain
      )
    case .resetPassword: .outcome(.adviceResetPassword)
    case .startOver: .outcome(.adviceStartOver)
    case .interactiveSignIn: .outcome(.adviceInteractiveSignIn)
    case .contactSupport: .outcome(.adviceContactSupport)
    case .tryAgain: .outcome(.adviceTryAgain)
    }
  }

  /// What may help, where the sentence itself does not say.
  func nextStep(for reason: Reason) -> Phrase? {
    switch reason.usualAdvice {
    case .tryAgain where reason != .offline && reason != .serviceUnreachable:
      .outcome(.nextStepKeepsHappening)
    case .wait(until: nil) where reason == .locked(until: nil) || reason == .lockedForNow:
      .outcome(.nextStepTellSupport)
    case .correctInput, .requestNewCode, .wait, .chooseAnotherMethod, .resetPassword, .startOver,
      .interactiveSignIn, .contactSupport, .tryAgain:
      nil
    }
  }

  /// The link of a message.
  func link(for problem: Problem) -> Link? {
    if problem.reason == .identifierNotFound, setting.offersSignUp {
      return .signUp(words: .common(.actionCreateAccount), carrying: setting.typed)
    }
    if problem.reason == .identifierTaken {
      return Link(
        "sign-in",
        href: takenValue(at: problem.field).map { Address.signIn.adding("identifier", $0) }
          ?? Address.signIn.path,
        words: .common(.actionSignInInstead)
      )
    }
    if problem.reason == .methodUnavailable, setting.resetsPassword {
      return Link(
        "methods",
        href: setting.identifier.map { Address.signIn.adding("identifier", $0) }
          ?? Address.signIn.path,
        words: .common(.actionChooseAnotherMethod)
      )
    }
    return nil
  }

  /// The end of the refusal, if known.
  static func end(of reason: Reason) -> Date? {
    guard case .wait(let until) = reason.usualAdvice else { return nil }
    return until?.roundedUpToSecond
  }

  var alreadySignedIn: Phrase {
    setting.identifier.map { .outcome(.reasonAlreadySignedInAs, ["identifier": .text($0)]) }
      ?? .outcome(.reasonAlreadySignedIn)
  }

  /// The auth API's sentence, which has a number that ours lacks, if the page is in English (WCAG
  /// 3.1.2).
  private func fullerWords(of problem: Problem, than words: @autoclosure () -> Phrase) -> Phrase {
    readsEnglish ? apiWords(of: problem, else: words()) : words()
  }

  /// A text of the auth API: data, cut at 500 characters (S17).
  private func apiWords(of problem: Problem, else words: @autoclosure () -> Phrase) -> Phrase {
    let message = problem.message ?? (usesOwnWords ? nil : problem.detail?.message)
    guard let message, !message.isEmpty else { return words() }
    let sentences = [message, problem.suggestion].compactMap(\.self).joined(separator: " ")
    return .english(Self.cut(sentences))
  }

  /// At most 500 characters.
  static func cut(_ message: String) -> String { message.cut(to: 500, marking: "…") }
}

extension ReasonWords {
  private func name(of field: Field?) -> Phrase {
    field.map { Words.name(of: $0, in: setting) } ?? .field(.fieldNameUnknown)
  }

  func label(of field: Field?) -> Phrase { .label(name(of: field)) }

  private func format(of field: Field?) -> Phrase {
    switch (field?.known, setting.contact) {
    case (.emailAddress?, _), (.contact?, .emailAddress?): .field(.formatEmailAddress)
    case (.phoneNumber?, _), (.contact?, .phoneNumber?):
      .field(.formatPhoneNumber, Words.phoneExample)
    case (.organizationSlug?, _): .field(.formatOrganizationSlug)
    case (.identifier?, _):
      switch (setting.identifierKind, setting.identifiers) {
      case (.emailAddress?, _), (_, [.emailAddress]): .field(.formatEmailAddress)
      case (.phoneNumber?, _), (_, [.phoneNumber]): .field(.formatPhoneNumber, Words.phoneExample)
      case (.username?, _), (nil, _):
        .field(.formatOther, ["field": .phrase(Words.name(of: setting.identifiers))])
      }
    case (.code?, _): Words.demand(for: .code, in: setting)
    case (.claims?, _): .field(.formatClaims)
    case (.contact?, .username?), (.contact?, nil), (.username?, _), (.password?, _),
      (.firstName?, _), (.lastName?, _), (.legalAccepted?, _), (.organization?, _),
      (.organizationName?, _), (.factor?, _), (.secondFactorMethod?, _), (.scopes?, _),
      (.streetAddress?, _), (.postalCode?, _), (.state?, _), (.city?, _), (.country?, _),
      (.jobTitle?, _), (.displayName?, _), (nil, _):
      .field(.formatOther, ["field": .phrase(name(of: field))])
    }
  }

  /// The keyword for what was typed, by which messages choose: an `address`, a `phone` number or a
  /// `username`.
  private var typedKind: String {
    switch setting.identifierKind {
    case .phoneNumber?: "phone"
    case .username? where setting.identifiers.contains(.username): "username"
    case .username?, .emailAddress?, nil: "address"
    }
  }

  /// `email` or `phone`, where it is known which was meant.
  private var blockedKind: String {
    guard let contact = setting.values[.contact] ?? setting.destination else { return "unknown" }
    return contact.utf8.contains(UInt8(ascii: "@")) ? "email" : "phone"
  }

  /// The keyword for what belongs to somebody else; nil if the auth API does not say.
  private func taken(_ field: Field?) -> String? {
    switch field?.known {
    case .emailAddress?: "address"
    case .phoneNumber?: "phone"
    case .username?: "username"
    case .identifier?: typedKind
    case .contact?: setting.contact == .phoneNumber ? "phone" : "address"
    case .password?, .code?, .firstName?, .lastName?, .legalAccepted?, .organization?,
      .organizationName?, .organizationSlug?, .factor?, .secondFactorMethod?, .scopes?, .claims?,
      .streetAddress?, .postalCode?, .state?, .city?, .country?, .jobTitle?, .displayName?, nil:
      nil
    }
  }

  /// The value typed there, so that its owner need not retype it; nil if it is not known which.
  private func takenValue(at field: Field?) -> String? {
    guard let field, taken(field) != nil else { return nil }
    return setting.values[field] ?? setting.identifier
  }
}
