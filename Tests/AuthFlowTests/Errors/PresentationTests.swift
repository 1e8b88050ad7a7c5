@_spi(Provider) import AuthFlow
import Foundation
import Testing
import TestSupport

@Suite("Errors sorted for a page (E1 to E3)")
struct PresentationTests {
  /// One of every reason.
  static let reasons: [Reason] = [
    .missing, .formatInvalid, .valueInvalid, .tooLong(limit: 5), .tooLong(limit: nil),
    .identifierNotFound, .identifierTaken, .usernameLengthInvalid, .usernameCharacterInvalid,
    .usernameNeedsLetter, .termsNotAccepted, .noneChosen,
    .organizationSlugTaken, .notAMember, .passwordIncorrect,
    .passwordOrIdentifierIncorrect, .currentPasswordIncorrect, .passwordCompromised,
    .passwordLeaked, .passwordResetRequired, .passwordTooShort(minimum: 8),
    .passwordTooLong(maximum: nil), .passwordTooManyBytes, .passwordNeedsUppercase,
    .passwordNeedsLowercase, .passwordNeedsNumber, .passwordNeedsSpecialCharacter,
    .passwordTooWeak, .passwordBreached, .passwordReused, .passwordMatchesIdentifier,
    .passwordInvalid, .codeIncorrect, .codeLength(digits: 6), .codeExpired,
    .codeTriesExhausted, .codeNotSent, .resendTooSoon(until: Example.now), .deliveryFailed,
    .locked(until: nil), .lockoutNear, .banned, .tooManyRequests(until: Example.now),
    .methodUnavailable, .passwordResetUnavailable, .noUsableMethod, .stepUnsupported,
    .signUpClosed, .signUpWaitlist,
    .identifierNotAllowed, .judgedSuspicious, .botCheckFailed, .botCheckRequired, .quotaExceeded,
    .busy, .forbidden, .countryNotSupported, .messageQuotaUsed, .codeSendsExhausted,
    .browserUnknown, .alreadySignedIn,
    .attemptEnded, .signInAgain, .cancelled, .offline,
    .serviceUnreachable, .serviceAnswerLost, .serviceUnavailable, .serviceTimedOut,
    .serviceAnsweredNonsense, .passwordBanned, .codeNotAccepted, .linkExpired, .linkUsed,
    .linkOtherBrowser, .linkFailed,
    .lockedForNow, .contactBlocked, .protectionPolicyRequired, .deviceRequirementUnmet,
    .extraVerificationRequired, .consentRequired, .unrecognised,
  ]

  static let fields: [Field?] = [
    nil, .identifier, .password, .code, .emailAddress, .phoneNumber, .username, .firstName,
    .lastName, .legalAccepted, .organizationName, .organizationSlug, .factor,
    Field(named: "never_heard_of"),
  ]

  static let pages: [[Field]] = [
    [], [.identifier, .password], [.password], [.code],
    [.firstName, .lastName, .username, .emailAddress, .phoneNumber, .password, .legalAccepted],
  ]

  @Test("a refusal whose problems keep their reasons keeps the advice that it came with")
  func keptAdvice() {
    let error = AuthError(Problem(.busy, code: "c"), advice: .contactSupport)
    #expect(error.mapProblems { _ in }.advice == .contactSupport)
  }

  @Test("no problem is lost: it is either at its field or in the banner", arguments: reasons)
  func nothingIsLost(reason: Reason) {
    for field in Self.fields {
      let problem = Problem(reason, at: field, code: "c")
      let error = AuthError(problem, [Problem(.lockoutNear, code: "d")], traceID: "t")
      for page in Self.pages {
        let presented = error.presented(on: page)
        let isHere = field.map(page.contains) ?? false
        let atField = field.map(presented.problems(at:)) ?? []
        #expect(atField == (isHere ? [problem] : []))
        #expect(presented.generalProblems.contains(problem) == !isHere)
        #expect(presented.generalProblems.contains { $0.code == "d" })
        #expect(presented.fieldProblems.count == (isHere ? 1 : 0))
        #expect(presented.traceID == "t" && presented.advice == error.advice)
      }
    }
  }

  @Test("fields come in the page's order, and their problems in the answer's")
  func order() {
    let error = AuthError(
      Problem(.passwordNeedsNumber, at: .password, code: "b"),
      [
        Problem(.banned, code: "e"), Problem(.passwordNeedsUppercase, at: .password, code: "a"),
        Problem(.missing, at: .identifier, code: "c"), Problem(.missing, at: .code, code: "d"),
      ]
    )
    let presented = error.presented(on: [.identifier, .password])
    #expect(presented.fieldProblems.map(\.field) == [.identifier, .password])
    #expect(presented.problems(at: .password).map(\.code) == ["b", "a"])
    #expect(presented.generalProblems.map(\.code) == ["e", "d"])
  }

  @Test("a repeated problem counts once; each field that the page lacks is reported")
  func doubles() {
    let error = AuthError(
      Problem(.missing, at: .identifier, code: "c"),
      [
        Problem(.missing, at: .identifier, code: "c"), Problem(.missing, at: .password, code: "c"),
        Problem(.missing, at: .code, code: "c"), Problem(.missing, code: "c"),
        Problem(.missing, at: .code, code: "c"), Problem(.missing, at: .username, code: "c"),
        Problem(.missing, code: "c", message: "m"),
      ]
    )
    let presented = error.presented(on: [.identifier, .password])
    #expect(presented.fieldProblems.map(\.problems.count) == [1, 1])
    #expect(presented.generalProblems.map(\.field) == [.code, nil, .username, nil])
    let many = AuthError(
      error.problems[0],
      Array(repeating: error.problems, count: 5).flatMap(\.self)
    )
    #expect(many.presented(on: [.identifier, .password]) == presented)
  }

  @Test(
    "an auth API's parameter means one field (F11)",
    arguments: [
      ("emailAddress", .emailAddress), ("email", .emailAddress), ("phoneNumber", .phoneNumber),
      ("new_password", .password), ("newPassword", .password), ("oob", .code),
      ("givenName", .firstName), ("surname", .lastName), ("legalAccepted", .legalAccepted),
      ("identifier", .identifier), ("email_address", .emailAddress),
      ("city", Field(named: "city")),
    ] as [(String, Field)]
  )
  func parameters(parameter: String, field: Field) {
    #expect(Field(parameter: parameter) == field)
  }

  @Test(
    "a field is recognised by its name, wherever that comes from",
    arguments: Field.Known.allCases
  )
  func known(_ field: Field.Known) throws {
    #expect(Field(field).known == field)
    #expect(Field(parameter: field.rawValue).known == field)
    let stored = try JSONEncoder().encode([Field(field)])
    #expect(try JSONDecoder().decode([Field].self, from: stored).map(\.known) == [field])
    #expect(Field(named: "extension_favouriteColour").known == nil)
  }

  @Test("an error without problems cannot be made")
  func neverEmpty() {
    #expect(AuthError([]) == nil)
    #expect(AuthError([Problem(.missing, code: "c")])?.problems.count == 1)
  }

  @Test("the session in the way is the one that any of the problems names")
  func sessionInTheWay() {
    let named = Problem(.alreadySignedIn, code: "b", sessionInTheWay: .named("sess_2"))
    #expect(
      AuthError(Problem(.lockoutNear, code: "a"), [named]).sessionInTheWay == .named("sess_2")
    )
    #expect(Example.error(.alreadySignedIn).sessionInTheWay == nil)
  }

  @Test("waiting is advised until the time that the reason knows")
  func advice() {
    for until in [nil, Example.now] {
      for reason: Reason in [
        .locked(until: until), .tooManyRequests(until: until), .resendTooSoon(until: until),
      ] {
        #expect(Example.error(reason).advice == .wait(until: until))
      }
    }
  }

  @Test("only reasons that lead away from the page end the attempt")
  func endings() {
    let ending: [Reason] = [
      .locked(until: nil), .attemptEnded, .browserUnknown, .signInAgain, .alreadySignedIn, .banned,
      .noUsableMethod, .stepUnsupported, .protectionPolicyRequired, .deviceRequirementUnmet,
      .cancelled,
      .extraVerificationRequired, .consentRequired, .passwordResetRequired, .lockedForNow,
    ]
    for reason in Self.reasons {
      #expect(Example.error(reason).endsAttempt == ending.contains(reason))
    }
    let second = AuthError(
      Problem(.passwordIncorrect, code: "a"),
      [Problem(.locked(until: Example.now), code: "b")]
    )
    #expect(second.endsAttempt)
  }

  @Test("faults of the service and of the moment are told apart from refusals of what was sent")
  func moments() {
    let service: [Reason] = [
      .offline, .serviceUnreachable, .serviceAnswerLost, .serviceUnavailable, .serviceTimedOut,
      .serviceAnsweredNonsense,
    ]
    let moment = service + [.busy, .tooManyRequests(until: Example.now)]
    for reason in Self.reasons {
      #expect(reason.isOfTheService == service.contains(reason))
      #expect(reason.isOfTheMoment == moment.contains(reason))
    }
  }
}
