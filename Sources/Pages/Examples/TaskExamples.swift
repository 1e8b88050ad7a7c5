@_spi(Provider) import AuthFlow
import Foundation

extension PageExample {
  /// The tasks of a session: an organization, a second factor.
  static var taskExamples: [PageExample] { organizationExamples + secondFactorExamples }

  private static let otto = OrganizationOptions(
    memberships: [
      .init(
        organization: .init(id: "org_1", name: "Harbour Books", slug: "harbour-books"),
        role: "Member"
      ),
      .init(organization: .init(id: "org_2", name: "Pine Street", slug: "pine-street")),
    ],
    mayCreate: true
  )

  private static var organizationExamples: [PageExample] {
    func page(
      _ state: String,
      _ options: OrganizationOptions?,
      step: OrganizationPage.Step = .choose,
      chosen: String? = nil,
      values: [Field: String] = [:],
      error: AuthError? = nil
    ) -> PageExample {
      PageExample(
        "tasks-choose-organization/\(state)",
        OrganizationPage(
          options: options,
          identifier: "otto@example.com",
          step: step,
          chosen: chosen,
          values: values
        ),
        error: error
      )
    }
    var many = otto
    many.invitations = [
      .init(id: "orginv_1", organizationName: "North Quay"),
      .init(id: "orginv_2", organizationName: "O'Neill & Sons"),
    ]
    many.suggestions = [
      .init(id: "orgsug_1", organizationName: "Lighthouse", isRequested: false),
      .init(id: "orgsug_2", organizationName: "Old Mill", isRequested: true),
    ]
    many.offersPersonalAccount = true
    var invited = OrganizationOptions()
    invited.invitations = [.init(id: "orginv_1", organizationName: "North Quay")]
    let typed: [Field: String] = [
      .organizationName: "Harbour Books", .organizationSlug: "harbour-books",
    ]
    var noSlugs = OrganizationOptions(mayCreate: true)
    noSlugs.hasSlugs = false
    return [
      page("fresh", otto),
      page("everything", many),
      page("only-invited", invited),
      page(
        "none-chosen",
        otto,
        error: error(.noneChosen, at: .organization, OwnCode.noneChosen)
      ),
      page(
        "not-a-member",
        otto,
        chosen: "org_2",
        error: error(.notAMember, at: .organization, "not_a_member_in_organization")
      ),
      page(
        "quota",
        otto,
        step: .create,
        values: typed,
        error: AuthError(
          Problem(
            .quotaExceeded,
            code: "organization_quota_exceeded",
            message: "You have reached your limit of organizations."
          ),
          traceID: "b1946ac92492d234"
        )
      ),
      page("create", otto, step: .create),
      page("create-first", OrganizationOptions(mayCreate: true)),
      page("create-without-slug", noSlugs),
      page(
        "name-missing",
        OrganizationOptions(mayCreate: true),
        step: .create,
        error: error(.missing, at: .organizationName, OwnCode.required)
      ),
      page(
        "slug-taken",
        otto,
        step: .create,
        values: typed,
        error: error(.organizationSlugTaken, at: .organizationSlug, "form_identifier_exists")
      ),
      page("not-allowed", OrganizationOptions()),
      page("offline", nil, error: offline),
    ]
  }

  private static var secondFactorExamples: [PageExample] {
    func page(
      _ state: String,
      _ setup: SecondFactorSetup,
      methods: [SecondFactorMethod] = SecondFactorMethod.allCases,
      phoneNumber: String? = nil,
      showsBackupCodes: Bool = true,
      error: AuthError? = nil,
      notices: [Notice] = []
    ) -> PageExample {
      PageExample(
        "tasks-setup-mfa/\(state)",
        SecondFactorSetupPage(
          setup: setup,
          methods: methods,
          identifier: "tess@example.com",
          phoneNumber: phoneNumber,
          showsBackupCodes: showsBackupCodes
        ),
        error: error,
        notices: notices
      )
    }
    let address =
      "otpauth://totp/Vestibule:tess@example.com?secret=MFRGGZDFMZTWQ2LK&issuer=Vestibule"
    let phone = SecondFactorSetup.codeRequired(
      PhonePrompt(
        phoneNumber: "+12015550199",
        reference: "idn_9",
        expiresAt: later(600),
        resendAvailableAt: later(30)
      )
    )
    let wrongCode = error(.codeIncorrect, at: .code, "form_code_incorrect")
    let steps = [
      page("method", .methodRequired),
      page("method-offline", .methodRequired, error: offline),
      page("phone-number", .phoneNumberRequired),
      page(
        "phone-number-wrong",
        .phoneNumberRequired,
        methods: [.phone],
        phoneNumber: "0123",
        error: error(.formatInvalid, at: .phoneNumber, "form_param_format_invalid")
      ),
      page("code", phone, notices: [.codeSent]),
      page("code-wrong", phone, error: wrongCode),
      page("code-only-phone", phone, methods: [.phone], notices: [.codeResent]),
      page(
        "code-expired",
        phone,
        error: error(.codeExpired, at: .code, "verification_expired")
      ),
    ]
    let app = AuthenticatorSecret(base32: "MFRGGZDFMZTWQ2LK", address: address).map { secret in
      let setup = SecondFactorSetup.authenticatorRequired(AuthenticatorPrompt(secret: secret))
      return [
        page("authenticator", setup),
        page("authenticator-wrong-code", setup, error: wrongCode),
        page("authenticator-alone", setup, methods: [.authenticator]),
      ]
    }
    let codes = BackupCodes((1...10).map { "k3v9q2x\($0 % 10)" }).map { codes in
      let setup = SecondFactorSetup.backupCodesOffered(codes)
      return [
        page("backup-codes", setup),
        page("backup-codes-offline", setup, showsBackupCodes: false, error: offline),
        page("backup-codes-withheld", setup, showsBackupCodes: false),
      ]
    }
    return steps + (app ?? []) + (codes ?? [])
  }
}
