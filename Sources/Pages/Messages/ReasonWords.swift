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

  /// Our own words: a row for each reason, by subject.
  private func ownWords(for problem: Problem) -> Phrase {
    let field = problem.field
    return switch problem.reason {
    case .missing, .noneChosen:
      field.map { Words.demand(for: $0, in: setting) } ?? .field(.missingNoField)
    case .formatInvalid: format(of: field)
    case .valueInvalid: invalid(field)
    case .tooLong(let limit?):
      .outcome(.reasonTooLong, ["label": .phrase(label(of: field)), "limit": .count(limit)])
    case .tooLong(nil):
      fullerWords(
        of: problem,
        than: .outcome(.reasonTooLongUnknown, ["label": .phrase(label(of: field))])
      )
    case .identifierNotFound: .outcome(.reasonIdentifierNotFound, ["kind": .choice(typedKind)])
    case .identifierTaken:
      taken(field).map { .outcome(.reasonIdentifierTaken, ["kind": .choice($0)]) }
        ?? .outcome(.reasonIdentifierTakenUnknown)
    case .usernameLengthInvalid:
      fullerWords(of: problem, than: .outcome(.reasonUsernameLengthInvalid))
    case .usernameCharacterInvalid: .outcome(.reasonUsernameCharacterInvalid)
    case .usernameNeedsLetter: .outcome(.reasonUsernameNeedsLetter)
    case .organizationSlugTaken: .outcome(.reasonOrganizationSlugTaken)
    case .notAMember: .outcome(.reasonNotAMember)
    case .termsNotAccepted: .outcome(.reasonTermsNotAccepted)

    case .passwordIncorrect:
      outcome(.reasonPasswordIncorrect, withOthers: .reasonPasswordIncorrectOtherMethods)
    case .passwordOrIdentifierIncorrect:
      .outcome(.reasonPasswordOrIdentifierIncorrect, ["kind": .choice(typedKind)])
    case .currentPasswordIncorrect: .outcome(.reasonCurrentPasswordIncorrect)
    case .passwordCompromised: .outcome(.reasonPasswordCompromised)
    case .passwordLeaked: .outcome(.reasonPasswordLeaked)
    case .passwordResetRequired: .outcome(.reasonPasswordResetRequired)
    case .passwordTooShort(let minimum?):
      .outcome(.reasonPasswordTooShort, ["minimum": .count(minimum)])
    case .passwordTooShort(nil):
      fullerWords(of: problem, than: .outcome(.reasonPasswordTooShortUnknown))
    case .passwordTooLong(let maximum?):
      .outcome(.reasonPasswordTooLong, ["maximum": .count(maximum)])
    case .passwordTooLong(nil):
      fullerWords(of: problem, than: .outcome(.reasonPasswordTooLongUnknown))
    case .passwordTooManyBytes: .outcome(.reasonPasswordTooManyBytes)
    case .passwordNeedsUppercase: .outcome(.reasonPasswordNeedsUppercase)
    case .passwordNeedsLowercase: .outcome(.reasonPasswordNeedsLowercase)
    case .passwordNeedsNumber: .outcome(.reasonPasswordNeedsNumber)
    case .passwordNeedsSpecialCharacter: .outcome(.reasonPasswordNeedsSpecialCharacter)
    case .passwordTooWeak:
      problem.suggestion.map { suggestion in
        .outcome(
          .reasonPasswordTooWeakSuggestion,
          ["suggestion": .phrase(.english(Self.cut(suggestion)))]
        )
      } ?? .outcome(.reasonPasswordTooWeak)
    case .passwordBreached: .outcome(.reasonPasswordBreached)
    case .passwordBanned: .outcome(.reasonPasswordBanned)
    case .passwordReused: .outcome(.reasonPasswordReused)
    case .passwordMatchesIdentifier: .outcome(.reasonPasswordMatchesIdentifier)
    case .passwordInvalid: apiWords(of: problem, else: .outcome(.reasonPasswordInvalid))

    case .codeIncorrect:
      .outcome(setting.asksForBackupCode ? .reasonCodeIncorrectBackup : .reasonCodeIncorrect)
    case .codeNotAccepted: .outcome(.reasonCodeNotAccepted)
    case .codeLength(let digits): .outcome(.reasonCodeLength, ["digits": .count(digits)])
    case .codeExpired: .outcome(.reasonCodeExpired)
    case .codeTriesExhausted:
      outcome(.reasonCodeTriesExhausted, withOthers: .reasonCodeTriesExhaustedOtherMethods)
    case .codeNotSent: .outcome(.reasonCodeNotSent)
    case .resendTooSoon(let until?):
      .outcome(
        setting.sendsLink ? .reasonResendTooSoonLink : .reasonResendTooSoon,
        ["from": .moment(until, .from)]
      )
    case .resendTooSoon(nil):
      .outcome(setting.sendsLink ? .reasonResendTooSoonUnknownLink : .reasonResendTooSoonUnknown)
    case .codeSendsExhausted: .outcome(.reasonCodeSendsExhausted)
    case .deliveryFailed:
      outcome(.reasonDeliveryFailed, withOthers: .reasonDeliveryFailedOtherMethods)
    case .countryNotSupported: .outcome(.reasonCountryNotSupported)
    case .messageQuotaUsed:
      outcome(.reasonMessageQuotaUsed, withOthers: .reasonMessageQuotaUsedOtherMethods)

    case .linkExpired: .outcome(.reasonLinkExpired)
    case .linkUsed: .outcome(.reasonLinkUsed)
    case .linkOtherBrowser: .outcome(.reasonLinkOtherBrowser)
    case .linkFailed: .outcome(.reasonLinkFailed)

    case .locked(let until?): .outcome(.reasonLocked, ["from": .moment(until, .from)])
    case .locked(nil): .outcome(.reasonLockedForGood)
    case .lockedForNow: .outcome(.reasonLockedForNow)
    case .lockoutNear: fullerWords(of: problem, than: .outcome(.reasonLockoutNear))
    case .banned: .outcome(.reasonBanned)
    case .tooManyRequests(let until?):
      .outcome(.reasonTooManyRequests, ["from": .moment(until, .from)])
    case .tooManyRequests(nil): .outcome(.reasonTooManyRequestsUnknown)
    case .methodUnavailable:
      setting.resetsPassword
        ? .outcome(.reasonMethodUnavailableReset)
        : outcome(.reasonMethodUnavailable, withOthers: .reasonMethodUnavailableOtherMethods)
    case .passwordResetUnavailable: .outcome(.reasonPasswordResetUnavailable)
    case .contactBlocked:
      outcome(
        .reasonContactBlocked,
        withOthers: .reasonContactBlockedOtherMethods,
        ["kind": .choice(blockedKind)]
      )
    case .protectionPolicyRequired: .outcome(.reasonProtectionPolicyRequired)
    case .deviceRequirementUnmet: .outcome(.reasonDeviceRequirementUnmet)
    case .noUsableMethod: .outcome(.reasonNoUsableMethod)
    case .stepUnsupported: .outcome(.reasonStepUnsupported)
    case .signUpClosed: .outcome(.reasonSignUpClosed)
    case .signUpWaitlist: .outcome(.reasonSignUpWaitlist)
    case .identifierNotAllowed:
      .outcome(.reasonIdentifierNotAllowed, ["kind": .choice(taken(field) ?? "address")])
    case .judgedSuspicious: .outcome(.reasonJudgedSuspicious)
    case .botCheckFailed, .botCheckRequired: .outcome(.reasonBotCheck)
    case .quotaExceeded: fullerWords(of: problem, than: .outcome(.reasonQuotaExceeded))
    case .busy: .outcome(.reasonBusy)
    case .forbidden: apiWords(of: problem, else: .outcome(.reasonForbidden))

    case .alreadySignedIn: alreadySignedIn
    case .attemptEnded: .outcome(.reasonAttemptEnded)
    case .browserUnknown: .outcome(.reasonBrowserUnknown)
    case .extraVerificationRequired: .outcome(.reasonExtraVerificationRequired)
    case .consentRequired: .outcome(.reasonConsentRequired)
    case .signInAgain: .outcome(.reasonSignInAgain)
    case .cancelled: .outcome(.reasonCancelled)

    case .offline, .serviceUnreachable: .outcome(.reasonServiceUnreachable)
    case .serviceAnswerLost, .serviceUnavailable, .serviceTimedOut, .serviceAnsweredNonsense:
      .outcome(.reasonServiceFailed)
    case .unrecognised: apiWords(of: problem, else: .outcome(.reasonUnrecognised))
    }
  }

  /// The first words, or the second if the page has other methods to point to.
  private func outcome(
    _ plain: OutcomePhrase,
    withOthers others: OutcomePhrase,
    _ values: Phrase.Values = [:]
  ) -> Phrase {
    .outcome(setting.offersOtherMethods ? others : plain, values)
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

  /// Says what is wanted where that is known: a whole number, or else what the field's own hint says.
  private func invalid(_ field: Field?) -> Phrase {
    if let field, setting.wholeNumbers.contains(field), Int64(setting.values[field] ?? "") == nil {
      return .field(.formatWholeNumber, ["label": .phrase(label(of: field))])
    }
    let words: Phrase = .outcome(.reasonValueInvalid, ["field": .phrase(name(of: field))])
    return field.flatMap { setting.hints[$0] }.map { .sentences(words, $0) } ?? words
  }

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
