@_spi(Provider) import AuthFlow
import Assets
import Foundation
import Localization
import Testing
import TestSupport

@testable import Pages

@Suite("Every reason has words in every language")
struct ReasonWordsTests {
  private static let until = Fixture.now.addingTimeInterval(90)

  /// Every reason once, or with and without what may be known about it.
  static let reasons: [Reason] =
    plain + [
      .tooLong(limit: 128), .tooLong(limit: nil), .passwordTooShort(minimum: 8),
      .passwordTooShort(minimum: nil), .passwordTooLong(maximum: 72),
      .passwordTooLong(maximum: nil),
      .codeLength(digits: 6), .resendTooSoon(until: until), .resendTooSoon(until: nil),
      .locked(until: until), .locked(until: nil), .tooManyRequests(until: until),
      .tooManyRequests(until: nil),
    ]

  /// From a switch without `default`: a new reason does not compile until it is in the list.
  private static let plain: [Reason] = Array(sequence(first: .missing, next: next))

  private static func next(_ reason: Reason) -> Reason? {
    switch reason {
    case .missing: .formatInvalid
    case .formatInvalid: .valueInvalid
    case .valueInvalid: .identifierNotFound
    case .identifierNotFound: .identifierTaken
    case .identifierTaken: .usernameLengthInvalid
    case .usernameLengthInvalid: .usernameCharacterInvalid
    case .usernameCharacterInvalid: .usernameNeedsLetter
    case .usernameNeedsLetter: .termsNotAccepted
    case .termsNotAccepted: .noneChosen
    case .noneChosen: .organizationSlugTaken
    case .organizationSlugTaken: .notAMember
    case .notAMember: .passwordIncorrect
    case .passwordIncorrect: .passwordOrIdentifierIncorrect
    case .passwordOrIdentifierIncorrect: .currentPasswordIncorrect
    case .currentPasswordIncorrect: .passwordCompromised
    case .passwordCompromised: .passwordLeaked
    case .passwordLeaked: .passwordResetRequired
    case .passwordResetRequired: .passwordTooManyBytes
    case .passwordTooManyBytes: .passwordNeedsUppercase
    case .passwordNeedsUppercase: .passwordNeedsLowercase
    case .passwordNeedsLowercase: .passwordNeedsNumber
    case .passwordNeedsNumber: .passwordNeedsSpecialCharacter
    case .passwordNeedsSpecialCharacter: .passwordTooWeak
    case .passwordTooWeak: .passwordBreached
    case .passwordBreached: .passwordBanned
    case .passwordBanned: .passwordReused
    case .passwordReused: .passwordMatchesIdentifier
    case .passwordMatchesIdentifier: .passwordInvalid
    case .passwordInvalid: .codeIncorrect
    case .codeIncorrect: .codeNotAccepted
    case .codeNotAccepted: .codeExpired
    case .codeExpired: .codeTriesExhausted
    case .codeTriesExhausted: .codeNotSent
    case .codeNotSent: .deliveryFailed
    case .deliveryFailed: .countryNotSupported
    case .countryNotSupported: .messageQuotaUsed
    case .messageQuotaUsed: .codeSendsExhausted
    case .codeSendsExhausted: .linkExpired
    case .linkExpired: .linkUsed
    case .linkUsed: .linkOtherBrowser
    case .linkOtherBrowser: .linkFailed
    case .linkFailed: .lockedForNow
    case .lockedForNow: .lockoutNear
    case .lockoutNear: .banned
    case .banned: .methodUnavailable
    case .methodUnavailable: .passwordResetUnavailable
    case .passwordResetUnavailable: .contactBlocked
    case .contactBlocked: .noUsableMethod
    case .noUsableMethod: .stepUnsupported
    case .stepUnsupported: .protectionPolicyRequired
    case .protectionPolicyRequired: .deviceRequirementUnmet
    case .deviceRequirementUnmet: .signUpClosed
    case .signUpClosed: .signUpWaitlist
    case .signUpWaitlist: .identifierNotAllowed
    case .identifierNotAllowed: .judgedSuspicious
    case .judgedSuspicious: .botCheckFailed
    case .botCheckFailed: .botCheckRequired
    case .botCheckRequired: .quotaExceeded
    case .quotaExceeded: .busy
    case .busy: .forbidden
    case .forbidden: .alreadySignedIn
    case .alreadySignedIn: .attemptEnded
    case .attemptEnded: .browserUnknown
    case .browserUnknown: .signInAgain
    case .signInAgain: .extraVerificationRequired
    case .extraVerificationRequired: .consentRequired
    case .consentRequired: .cancelled
    case .cancelled: .offline
    case .offline: .serviceUnreachable
    case .serviceUnreachable: .serviceAnswerLost
    case .serviceAnswerLost: .serviceUnavailable
    case .serviceUnavailable: .serviceTimedOut
    case .serviceTimedOut: .serviceAnsweredNonsense
    case .serviceAnsweredNonsense: .unrecognised
    case .unrecognised, .tooLong, .passwordTooShort, .passwordTooLong, .codeLength,
      .resendTooSoon, .locked, .tooManyRequests:
      nil
    }
  }

  private static let settings = [
    Setting(identifiers: [.emailAddress], identifier: "ada@example.com"),
    Setting(
      identifiers: [.emailAddress, .phoneNumber, .username],
      identifier: "+12015550123",
      asksForBackupCode: true,
      offersOtherMethods: true,
      resetsPassword: true
    ),
  ]

  @Test(
    "each reason has the language's own words, in any setting and at any field",
    arguments: CompletenessTests.languages
  )
  func words(_ tag: String) throws {
    let language = try #require(LanguageTag(tag))
    let catalogues = try Fixture.catalogues.get()
    let visitor = Visitor(reference: "", now: Fixture.now, timeZone: nil) { _ in "" }
    let wording = Wording(try catalogues.catalogue(of: language), for: visitor)
    let english = Wording(catalogues.english, for: visitor)
    for reason in Self.reasons {
      for setting in Self.settings {
        for field in [nil, Field.identifier, .password, .code, .phoneNumber] {
          let problem = Problem(reason, at: field, code: "any")
          let phrase = ReasonWords(setting: setting).words(for: problem)
          let words = wording.plainText(phrase)
          #expect(words.contains { $0.isLetter }, "\(reason)")
          #expect(!words.contains("{") && !words.hasPrefix("reason."), "\(reason): \(words)")
          #expect(tag == "en" || words != english.plainText(phrase), "\(reason): \(words)")
        }
      }
    }
  }

  @Test(
    "messages call every field that pages ask for by its name, whatever is wrong with it",
    arguments: CompletenessTests.languages
  )
  func fields(_ tag: String) throws {
    let language = try #require(LanguageTag(tag))
    let catalogue = try Fixture.catalogues.get().catalogue(of: language)
    let visitor = Visitor(reference: "", now: Fixture.now, timeZone: nil) { _ in "" }
    let wording = Wording(catalogue, for: visitor)
    let unknown = Field(named: "unheard_of")
    for known in Field.Known.allCases {
      #expect(Words.isNamed(Field(known), in: Setting()), "\(known)")
      for reason in [Reason.missing, .formatInvalid, .valueInvalid, .tooLong(limit: 9)] {
        let words = [Field(known), unknown].map { field in
          let problem = Problem(reason, at: field, code: "any")
          return wording.plainText(ReasonWords(setting: Setting()).words(for: problem))
        }
        #expect(words[0].contains { $0.isLetter } && !words[0].contains("{"), "\(known)")
        #expect(words[0] != words[1], "\(known): \(words[0])")
      }
    }
  }

  @Test("every field of a page has a name: ours, or the one that the API gives it")
  func fieldsOfPages() {
    for example in PageExample.all {
      let setting = example.page.content(in: example.frame).setting
      // A checkbox that nothing can be wrong with.
      for field in example.page.fields where field != .signOutOfOtherSessions {
        #expect(Words.isNamed(field, in: setting), "\(example): \(field)")
      }
    }
  }

  @Test(
    "your words for an error code replace those for its reason, known or unknown",
    arguments: [
      (Reason.passwordIncorrect, "form_password_incorrect"), (.unrecognised, "moon_is_full"),
      (.codeIncorrect, "invalid_grant/invalid_oob_value"),
    ]
  )
  func ownWordsForACode(_ reason: Reason, _ code: String) async throws {
    try await withTemporaryFolder { folder in
      try FileManager.default.createDirectory(
        atPath: "\(folder)/messages",
        withIntermediateDirectories: true
      )
      let text = #"{"error.\#(code)": "Words for this very code."}"#
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/messages/en.json"))
      for usesOwnWords in [true, false] {
        let own = try PageRenderer(templates: folder, usesOwnWords: usesOwnWords)
        let page = SignInPage(instance: .unknown, identifier: "ada@example.com", hasAttempt: false)
        let problem = Problem(reason, at: .password, code: code, message: "Theirs.")
        let html = try HTML(own.html(page, in: Fixture.frame(error: AuthError(problem))))
        let message = try #require(html.all.first { $0["data-error-code"] == code })
        #expect(message.text.contains("Words for this very code."))
      }
    }
  }

  @Test("words for a code cannot use values, and a code cannot be empty")
  func faults() async throws {
    for text in [#"{"error.locked": "Until {from}."}"#, #"{"error.": "Nothing."}"#] {
      try await withTemporaryFolder { folder in
        try FileManager.default.createDirectory(
          atPath: "\(folder)/messages",
          withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/messages/en.json"))
        #expect(throws: TemplateFault.self) { try PageRenderer(templates: folder) }
      }
    }
  }
}
