@_spi(Provider) import AuthFlow
import Foundation
import Localization

extension PageExample {
  static var signInExamples: [PageExample] {
    let fresh = SignInPage(instance: instance(), identifier: nil, hasAttempt: false)
    let typed = SignInPage(instance: instance(), identifier: "ada@example.com", hasAttempt: true)
    let all: [Identifier.Kind] = [.emailAddress, .phoneNumber, .username]
    return [
      PageExample("sign-in/fresh", fresh),
      PageExample("sign-in/prefilled", typed),
      PageExample(
        "sign-in/languages",
        typed,
        languageMenu: LanguageMenu(
          ["en", "ar", "de", "es", "fr", "ja", "pt"].compactMap { LanguageTag($0) }
        )
      ),
      PageExample(
        "sign-in/identifier-first",
        SignInPage(
          instance: instance(all, form: .identifierFirst),
          identifier: nil,
          hasAttempt: false
        )
      ),
      PageExample(
        "sign-in/phone-only",
        SignInPage(
          instance: instance([.phoneNumber], signUp: .closed(.restricted)),
          identifier: nil,
          hasAttempt: false
        ),
        isEmulated: false
      ),
      PageExample(
        "sign-in/waiting-list",
        SignInPage(
          instance: instance(signUp: .closed(.waitlist)),
          identifier: nil,
          hasAttempt: false
        )
      ),
      PageExample(
        "sign-in/empty",
        fresh,
        error: AuthError(
          Problem(.missing, at: .identifier, code: OwnCode.required),
          [Problem(.missing, at: .password, code: OwnCode.required)]
        )
      ),
      PageExample(
        "sign-in/bad-address",
        SignInPage(instance: instance(), identifier: "ada@", hasAttempt: false),
        error: error(.formatInvalid, at: .identifier, "form_param_format_invalid")
      ),
      PageExample(
        "sign-in/unknown-account",
        typed,
        error: error(.identifierNotFound, at: .identifier, "form_identifier_not_found")
      ),
      PageExample(
        "sign-in/wrong-password",
        typed,
        error: error(.passwordIncorrect, at: .password, "form_password_incorrect")
      ),
      PageExample("sign-in/too-many-requests", typed, error: rateLimited),
      PageExample(
        "sign-in/field-and-general",
        typed,
        error: AuthError(
          Problem(
            .passwordIncorrect,
            at: .password,
            code: "form_password_incorrect",
            detail: said("form_password_incorrect", "Password is incorrect.")
          ),
          [
            Problem(
              .lockoutNear,
              code: "account_lockout_warning",
              message: "2 attempts are left before the account is locked."
            ),
            Problem(.missing, at: .phoneNumber, code: "form_param_nil"),
            Problem(
              .unrecognised,
              code: "strange_new_code",
              message: "Harbour & Sons' account needs a passkey.",
              detail: said("strange_new_code", "Harbour & Sons' account needs a passkey.")
            ),
          ],
          traceID: "b1946ac92492d234"
        )
      ),
      PageExample("sign-in/offline", typed, error: offline),
      PageExample("sign-in/attempt-ended", typed, refusal: .attemptEnded),
      PageExample("sign-in/form-out-of-date", typed, refusal: .formTokenInvalid),
      PageExample("sign-in/without-cookie", typed, refusal: .formTokenInvalid, lacksCookie: true),
      PageExample("sign-in/signed-out", fresh, notices: [.signedOut]),
      PageExample("sign-in/sign-in-again", fresh, notices: [.signInAgain]),
      PageExample(
        "sign-in/invitation",
        InvitationPage(
          invitation: Invitation(parameter: "__clerk_ticket", ticket: "example"),
          openedAt: .signIn
        )
      ),
    ] + passwordExamples + factorExamples
  }

  private static var passwordExamples: [PageExample] {
    let page = PasswordPage(identifier: "ada@example.com", offersOtherMethods: true)
    return [
      PageExample("sign-in-password/fresh", page),
      PageExample(
        "sign-in-password/only-method",
        PasswordPage(identifier: "ada@example.com", offersOtherMethods: false)
      ),
      PageExample(
        "sign-in-password/wrong",
        page,
        error: error(.passwordIncorrect, at: .password, "form_password_incorrect")
      ),
      PageExample("sign-in-password/too-many-requests", page, error: rateLimited),
    ]
  }

  private static var factorExamples: [PageExample] {
    func choice(
      _ stage: FactorStage,
      _ factors: [Factor],
      concern: AuthError? = nil
    ) -> FactorChoicePage? {
      attempt().flatMap {
        FactorPrompt(attempt: $0, stage: stage, factors: factors, concern: concern)
      }.map {
        FactorChoicePage(
          prompt: $0,
          flow: .signIn,
          back: stage == .firstFactor ? .signIn : .secondFactor,
          lastUsed: concern == nil ? email.kind : nil
        )
      }
    }
    let leaked = error(.passwordLeaked, at: .password, "form_password_pwned")
    let unsent = error(.deliveryFailed, at: .phoneNumber, "could_not_send")
    return [
      choice(.firstFactor, [password, email, phone, resetByEmail]).map {
        PageExample("sign-in-methods/fresh", $0)
      },
      choice(.firstFactor, [resetByEmail, email], concern: leaked).map {
        PageExample("sign-in-methods/leaked-password", $0)
      },
      choice(.firstFactor, [email, email]).map {
        PageExample("sign-in-methods/two-of-a-kind", $0, error: rateLimited)
      },
      choice(.secondFactor, [app, phone, backup]).map {
        PageExample("sign-in-second-factor-methods/fresh", $0)
      },
      choice(.secondFactor, [app, backup], concern: unsent).map {
        PageExample("sign-in-second-factor-methods/not-sent", $0)
      },
    ].compactMap(\.self)
  }
}
