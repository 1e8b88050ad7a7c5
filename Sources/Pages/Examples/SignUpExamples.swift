@_spi(Provider) import AuthFlow
import Foundation

extension PageExample {
  static var signUpExamples: [PageExample] { detailExamples + continueExamples + verifyExamples }

  private static let fullForm = SignUpForm(
    mode: .open,
    fields: [
      .init(.firstName, isRequired: false),
      .init(.lastName, isRequired: false),
      .init(.username, isRequired: true),
      .init(.emailAddress, isRequired: true),
      .init(.phoneNumber, isRequired: false),
      .init(.password, isRequired: true),
      .init(.legalAccepted, isRequired: true),
    ],
    documents: [
      LegalDocument(.terms, address: "https://example.com/terms"),
      LegalDocument(.privacyPolicy, address: "https://example.com/privacy"),
    ]
  )

  private static let department = SignUpForm.Entry(
    Field(named: "extension_department"),
    isRequired: true,
    label: "Department",
    choices: ["Research", "Sales"],
    attribute: "extension_department"
  )

  private static let country = SignUpForm.Entry(
    .country,
    isRequired: true,
    choices: ["Norway", "Sweden"],
    attribute: "country"
  )

  private static let newsletter = SignUpForm.Entry(
    Field(named: "extension_newsletter"),
    isRequired: true,
    label: "Newsletter",
    choices: SignUpForm.Entry.truthValues,
    attribute: "extension_newsletter"
  )

  private static let age = SignUpForm.Entry(
    Field(named: "extension_age"),
    isRequired: true,
    label: "Age",
    attribute: "extension_age",
    format: .natural
  )

  private static let rules = PasswordRules(
    minimumLength: 8,
    maximumLength: 72,
    required: [.upper, .number, .special]
  )

  private static var detailExamples: [PageExample] {
    func page(
      _ values: [Field: String] = [:],
      acceptsTerms: Bool = false,
      back: Address? = nil
    ) -> SignUpPage {
      SignUpPage(
        form: fullForm,
        rules: rules,
        values: values,
        acceptsTerms: acceptsTerms,
        back: back,
        changing: back.map { _ in .emailAddress }
      )
    }
    let typed: [Field: String] = [
      .firstName: "Grace", .username: "grace", .emailAddress: "grace@example.com",
      .phoneNumber: "+12015550199",
    ]
    let plain = InstanceDescription.unknown
    return [
      PageExample(
        "sign-up/fresh",
        SignUpPage(
          form: plain.signUp,
          rules: plain.passwordRules,
          values: [:],
          acceptsTerms: false
        )
      ),
      PageExample("sign-up/every-field", page()),
      PageExample("sign-up/changing", page(typed, acceptsTerms: true, back: .verifyContact)),
      PageExample("sign-up/many-errors", page(typed, acceptsTerms: true), error: manyErrors),
      PageExample(
        "sign-up/terms",
        page(typed),
        error: error(.termsNotAccepted, at: .legalAccepted, OwnCode.required)
      ),
      PageExample(
        "sign-up/choice",
        SignUpPage(
          form: SignUpForm(mode: .open, fields: [department, country, newsletter, age]),
          rules: rules,
          values: [department.field: "Research", age.field: "12.5"],
          acceptsTerms: false
        ),
        error: AuthError(
          Problem(.valueInvalid, at: department.field, code: "attribute_value_invalid"),
          [Problem(.valueInvalid, at: age.field, code: "attribute_value_invalid")],
          traceID: "b1946ac92492d234"
        )
      ),
      PageExample("sign-up/offline", page(typed), error: offline),
      PageExample("sign-up/closed", SignUpClosedPage(.restricted, error: nil)),
      PageExample(
        "sign-up/waiting-list",
        SignUpClosedPage(.waitlist, error: waitingList),
        error: waitingList
      ),
      PageExample("sign-up/joined", WaitingListPage(), notices: [.waitlistJoined]),
      PageExample(
        "sign-up/invitation",
        InvitationPage(
          invitation: Invitation(parameter: "__clerk_ticket", ticket: "example")
        )
      ),
    ]
  }

  private static let waitingList = error(.signUpWaitlist, "sign_up_restricted_waitlist")

  private static var manyErrors: AuthError {
    AuthError(
      Problem(.usernameCharacterInvalid, at: .username, code: "form_username_invalid_character"),
      [
        Problem(.identifierTaken, at: .emailAddress, code: "form_identifier_exists"),
        Problem(.formatInvalid, at: .phoneNumber, code: "form_param_format_invalid"),
        Problem(
          .passwordTooShort(minimum: 8),
          at: .password,
          code: "form_password_length_too_short"
        ),
        Problem(.passwordNeedsNumber, at: .password, code: "form_password_no_number"),
        Problem(.botCheckRequired, code: "captcha_invalid"),
      ]
    )
  }

  private static var signUpAttempt: SignUpAttempt {
    SignUpAttempt(
      continuation: Continuation("example"),
      values: [.emailAddress: "grace@example.com"],
      endsAt: later(86_400)
    )
  }

  private static var continueExamples: [PageExample] {
    func page(_ values: [Field: String] = [:]) -> MissingDetailsPage? {
      MissingDetailsPrompt(attempt: signUpAttempt, fields: [.lastName, .username, .legalAccepted])
        .map { MissingDetailsPage(prompt: $0, rules: rules, values: values) }
    }
    return [
      page().map { PageExample("sign-up-continue/fresh", $0) },
      page([.username: "grace"]).map {
        PageExample(
          "sign-up-continue/taken",
          $0,
          error: error(.identifierTaken, at: .username, "form_identifier_exists")
        )
      },
    ].compactMap(\.self)
  }

  private static var verifyExamples: [PageExample] {
    func page(_ contact: Contact, _ destination: String, expiresAt: Date = later(600))
      -> VerifyContactPage
    {
      VerifyContactPage(
        prompt: ContactPrompt(
          attempt: signUpAttempt,
          contact: contact,
          destination: destination,
          expiresAt: expiresAt,
          resendAvailableAt: later(25)
        )
      )
    }
    return [
      PageExample(
        "sign-up-verify/email",
        page(.emailAddress, "grace@example.com"),
        notices: [.codeSent]
      ),
      PageExample("sign-up-verify/phone", page(.phoneNumber, "+12015550199")),
      PageExample(
        "sign-up-verify/wrong-code",
        page(.emailAddress, "grace@example.com"),
        error: error(.codeIncorrect, at: .code, "form_code_incorrect")
      ),
    ]
  }
}
