import AuthFlow
import Foundation
import Testing

@testable import Pages

/// The wording is part of the product: it is asserted here, and nowhere else.
@Suite("Message catalogue")
struct CatalogueTests {
  private func words(
    _ reason: Reason,
    at field: Field? = nil,
    in setting: Setting = Setting(),
    message: String? = nil
  ) -> String {
    ReasonWords(setting: setting)
      .words(for: Problem(reason, at: field, code: "any", message: message)).inEnglish
  }

  @Test(
    "an empty field is asked for by its label",
    arguments: [
      (Field.identifier, "Enter your email address"), (.password, "Enter your password"),
      (.code, "Enter the code"), (.emailAddress, "Enter your email address"),
      (.phoneNumber, "Enter your phone number"), (.username, "Enter a username"),
      (.firstName, "Enter your first name"), (.legalAccepted, "Accept the terms to continue"),
      (Field(named: "favourite_colour"), "Fill in this field"),
      // What else the auth API may ask for is typed; some of it may also be chosen from a list.
      (.streetAddress, "Enter your street address"), (.postalCode, "Enter your postal code"),
      (.city, "Enter your city"), (.state, "Tell us your state or province"),
      (.country, "Tell us your country or region"), (.jobTitle, "Enter your job title"),
      (.displayName, "Enter your display name"),
    ]
  )
  func missing(_ field: Field, _ expected: String) {
    #expect(words(.missing, at: field) == expected)
  }

  @Test(
    "the table's sentences, word for word",
    arguments: [
      (Reason.identifierNotFound, "We could not find an account with that address"),
      (.passwordIncorrect, "That password is not right. Try again, or use another method."),
      (.passwordOrIdentifierIncorrect, "That email address and password do not match"),
      (.codeIncorrect, "That code is not right. Check it and try again."),
      (
        .codeNotAccepted,
        "That code is not right, or no longer valid. Check it, or ask for a new one."
      ),
      (.codeExpired, "That code has expired. Ask for a new one."),
      (.codeTriesExhausted, "Too many tries. Ask for a new code or use another method."),
      (.codeLength(digits: 6), "Enter the 6-digit code"),
      (.banned, "This account cannot sign in. Contact support."),
      (
        .passwordLeaked,
        "Your password may have been exposed. Choose another way to sign in; you will then set a new password."
      ),
      (.passwordResetRequired, "Set a new password to continue."),
      (.passwordTooShort(minimum: 8), "Use at least 8 characters"),
      (.passwordReused, "Choose a password you have not used here"),
      (.identifierTaken, "That address already has an account"),
      (.attemptEnded, "Your attempt has ended. Start again."),
      (.signInAgain, "Sign in again to continue"), (.cancelled, "Sign-in was cancelled"),
      (
        .offline,
        "The sign-in service cannot be reached. Check the connection, then try again."
      ),
      (.serviceTimedOut, "The sign-in service did not answer properly. Try again."),
      (
        .resendTooSoon(until: Fixture.now.addingTimeInterval(24)),
        "You can ask for a new code at 14:23:24 UTC (in 24 seconds)"
      ),
      (
        .tooManyRequests(until: Fixture.now.addingTimeInterval(60)),
        "Too many attempts. Try again at 14:24 UTC (in 1 minute)"
      ),
      (.tooLong(limit: 128), "Email address must be 128 characters or fewer"),
    ]
  )
  func table(_ reason: Reason, _ expected: String) {
    let setting = Setting(offersOtherMethods: true)
    #expect(words(reason, at: .identifier, in: setting) == expected)
    let heading = ReasonWords(setting: setting).heading(for: reason.usualAdvice).inEnglish
    #expect(!expected.contains(heading), "the heading above already says it")
  }

  @Test("no two messages share a number")
  func numbers() {
    let numbers = PhraseKey.allKeys.compactMap(\.number)
    #expect(numbers.count == PhraseKey.allKeys.count && Set(numbers).count == numbers.count)
  }

  @Test("a message asks for the format of what was typed")
  func format() {
    let email = "Enter an email address like name@example.com"
    let phone = "Enter a phone number with its country code, like +44\u{A0}20\u{A0}7946\u{A0}0000"
    #expect(words(.formatInvalid, at: .emailAddress) == email)
    #expect(words(.formatInvalid, at: .phoneNumber) == phone)
    let all: [Identifier.Kind] = [.emailAddress, .phoneNumber, .username]
    func typed(_ text: String) -> String {
      words(.formatInvalid, at: .identifier, in: Setting(identifiers: all, identifier: text))
    }
    #expect(typed("ada@") == email)
    #expect(typed("+44") == phone)
    #expect(
      typed("ada")
        == "Check the email address, phone number or username: something in it is not right"
    )
    func chosen(_ kind: Identifier.Kind?) -> String {
      words(.formatInvalid, at: .contact, in: Setting(contact: kind))
    }
    #expect(chosen(.emailAddress) == email)
    #expect(chosen(.phoneNumber) == phone)
    #expect(
      chosen(nil) == "Check the email address or phone number: something in it is not right"
    )
  }

  @Test("the words fit the page: backup codes, resets, a single method")
  func settings() {
    let backup = Setting(asksForBackupCode: true)
    #expect(words(.missing, at: .code, in: backup) == "Enter a backup code")
    #expect(words(.codeIncorrect, at: .code, in: backup).contains("has been used"))
    let method = "That method cannot be used for this account."
    #expect(words(.methodUnavailable) == "\(method) Contact support.")
    #expect(
      words(.methodUnavailable, in: Setting(offersOtherMethods: true))
        == "\(method) Use another method."
    )
    #expect(
      words(.methodUnavailable, in: Setting(resetsPassword: true))
        == "This account signs in without a password. Use another method."
    )
    #expect(
      words(.passwordResetUnavailable, in: Setting(resetsPassword: true))
        == "No reset code can be sent to this account. Sign in another way, or contact support."
    )
    #expect(words(.passwordIncorrect) == "That password is not right. Try again.")
    let quota = "No message was sent: this service has used up its messages for now."
    #expect(words(.messageQuotaUsed) == "\(quota) Contact support.")
    #expect(
      words(.messageQuotaUsed, in: Setting(offersOtherMethods: true))
        == "\(quota) Choose another method, or contact support."
    )
    for (contact, name) in [("+12015550199", "number"), ("ada@example.com", "address")] {
      var setting = Setting(values: [.contact: contact])
      #expect(
        words(.contactBlocked, at: .contact, in: setting)
          == "We cannot send to that \(name) right now. Try again later, or contact support."
      )
      setting.offersOtherMethods = true
      #expect(
        words(.contactBlocked, at: .contact, in: setting)
          == "We cannot send to that \(name) right now. Choose another method."
      )
    }
  }

  @Test("a banner speaks of another method only if there is one")
  func otherMethod() {
    func heading(_ setting: Setting) -> String {
      ReasonWords(setting: setting).heading(for: .chooseAnotherMethod).inEnglish
    }
    #expect(heading(Setting()) == "That did not work")
    #expect(heading(Setting(offersOtherMethods: true)) == "Another method is needed")
    #expect(heading(Setting(resetsPassword: true)) == "Another method is needed")
  }

  @Test("the auth API's sentence is shown only if we have no words of our own (E4)")
  func foreignProse() {
    #expect(words(.unrecognised, message: "Their words.") == "Their words.")
    #expect(words(.unrecognised) == "Something went wrong")
    #expect(words(.unrecognised, message: "") == "Something went wrong")
    #expect(words(.passwordTooShort(minimum: nil), message: "Use 10.") == "Use 10.")
    #expect(words(.codeIncorrect, message: "is incorrect") != "is incorrect")
  }

  @Test("a message links to sign-up, or to sign-in with the address, if it can")
  func links() throws {
    let open = ReasonWords(
      setting: Setting(
        values: [.emailAddress: "a&b=c@example.com"],
        offersSignUp: true
      )
    )
    let unknown = Problem(.identifierNotFound, at: .identifier, code: "any")
    #expect(open.link(for: unknown)?.href == .text("/sign-up"))
    let taken = Problem(.identifierTaken, at: .emailAddress, code: "any")
    #expect(open.link(for: taken)?.href == .text("/sign-in?identifier=a%26b%3Dc%40example.com"))
    // The API does not say which typed value is taken, so neither the words nor the link do.
    let unnamed = Problem(.identifierTaken, code: "any")
    #expect(open.link(for: unnamed)?.href == .text("/sign-in"))
    #expect(open.words(for: unnamed).inEnglish == "An account with these details already exists")
    #expect(words(.identifierTaken, at: .username) == "That username already has an account")
    let closed = ReasonWords(setting: Setting())
    #expect(closed.link(for: unknown) == nil)
    #expect(closed.link(for: taken)?.href == .text("/sign-in"))
    let typed = Setting(
      identifiers: [.emailAddress],
      typed: TypedText("new+1@example.com"),
      offersSignUp: true
    )
    #expect(
      ReasonWords(setting: typed).link(for: unknown)?.href
        == .stamp(.addressCarryingTyped(.signUp, as: "email_address"))
    )
  }
}
