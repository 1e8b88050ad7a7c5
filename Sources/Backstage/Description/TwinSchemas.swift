internal import AuthFlow
internal import Emulators
internal import ErrorCodes
internal import Pages

/// The parts of a page's twin, and the facts of each page.
enum TwinSchemas {
  static var parts: [(name: String, schema: Schema)] {
    [
      ("PageError", error), ("FieldError", fieldError), ("ErrorCode", code),
      ("ErrorDetail", detail),
      ("PageNotice", .object(["code": .choice(of: Notice.self), "message": .text])),
      ("PageLink", link),
      ("Choice", .object(["value": .text, "label": .text])),
    ]
  }

  private static let link = Schema.object(["name": .text, "href": .text])

  /// The known codes, or any text: an auth API may use others.
  private static var code: Schema {
    let known = EmulatedAPI.allCases.flatMap(KnownError.all).map(\.code)
    let own = SiteRefusal.allCases.map(\.rawValue) + OwnCode.allCases.map(\.rawValue)
    return .oneOf([.choice(Set(own + known).sorted()), .text])
  }

  private static let error = Schema.object(
    ["code": .named("ErrorCode"), "message": .text, "reference": .text, "until": .time.orNull],
    optional: ["detail": .named("ErrorDetail")]
  )

  private static let fieldError = Schema.object(
    ["code": .named("ErrorCode"), "message": .text],
    optional: ["detail": .named("ErrorDetail")]
  )

  /// The details that an auth API gives besides, under its own names.
  private static let detail = Schema.object(
    ["kind": .choice(["api", "client"])],
    optional: [
      "code": .text.orNull, "message": .text.orNull, "long_message": .text.orNull,
      "parameter": .text.orNull, "meta": ["type": ["object", "null"]], "trace_id": .text.orNull,
      "error": .text.orNull, "suberror": .text.orNull,
      "error_codes": .list(of: .integer).orNull, "correlation_id": .text.orNull,
      "msal": .object(["domain": .text, "code": .integer, "internal_code": .integer.orNull])
        .orNull,
    ],
    isOpen: true
  )

  static func field(named name: Schema) -> Schema {
    .object(
      [
        "name": name, "label": .text.orNull,
        "type": .choice(
          [
            FormField.Kind.text, .email, .tel, .password, .checkbox, .radio, .select, .hidden,
          ].map(\.rawValue)
        ),
        "required": .flag, "value": .text.orNull, "errors": .list(of: .named("FieldError")),
      ],
      optional: [
        "hint": .text, "autocomplete": .text, "inputmode": .text, "checked": .flag,
        "links": .list(of: .named("PageLink")), "options": .list(of: .named("Choice")),
      ]
    )
  }

  // MARK: - Facts

  private static let linkFacts: [(name: String, schema: Schema)] = [
    ("sent_to", .text.orNull), ("expires_at", .time.orNull),
  ]
  private static let codeFacts = linkFacts + [(name: "code_length", schema: Schema.count)]

  /// The schema of the facts of the page at an address.
  static func facts(on address: Address) -> Schema {
    switch address.page {
    case .account: account
    case .code, .secondFactor, .device, .resetCode, .verifyContact:
      .object(codeFacts, optional: [])
    case .enrolment: .oneOf([.object(codeFacts, optional: []), .object([:])])
    case .link, .signUpLink: .oneOf([.object(linkFacts, optional: []), .object([:])])
    case .methods, .secondFactorMethods: .object([:], optional: ["last_used": .text])
    case .permissions: .object(["granted": .texts, "declined": .texts])
    case .browser:
      .object(["provider": .text.orNull, "reason": .text.orNull, "href": .text.orNull])
    case .locked: .object(["until": .time.orNull])
    case .chooseOrganizationTask: .oneOf([organizations, .object([:])])
    case .setUpSecondFactorTask: secondFactors
    case .signOut, .signIn, .password, .backupCode, .blocked, .signUp, .missingDetails,
      .forgotPassword, .newPassword, .resetWaiting, .resetPasswordTask, .accountToken,
      .accountSessions, .restartSignIn, .resendCode, .resendLink, .resendSecondFactor,
      .resendDevice, .resendEnrolment, .restartSignUp, .resendContactCode, .resendSignUpLink,
      .restartPasswordReset, .resendResetCode, .resendSetUpCode:
      .object([:])
    }
  }

  private static let organization = Schema.object([
    "id": .text, "name": .text, "slug": .text.orNull,
  ])

  private static let account = Schema.object(
    [
      "user": .object([
        "id": .text, "identifier": .text, "first_name": .text.orNull, "last_name": .text.orNull,
      ]),
      "session": .object([
        "id": .text, "status": .choice(["active", "pending"]), "expires_at": .time.orNull,
      ]),
      "organization": organization.orNull, "tasks": .texts,
      "factors": .list(of: .choice(of: Factor.Kind.self)),
    ],
    optional: [
      "scopes": .texts, "token_expires_at": .time.orNull,
      "sessions": .list(
        of: .object([
          "id": .text, "current": .flag, "browser": .text.orNull, "system": .text.orNull,
          "ip_address": .text.orNull, "last_active_at": .time.orNull,
        ])
      ),
    ]
  )

  private static let organizations = Schema.object([
    "organizations": .list(
      of: .object([
        "id": .text, "name": .text, "slug": .text.orNull, "role": .text.orNull,
      ])
    ),
    "invitations": .list(of: .object(["id": .text, "name": .text])),
    "suggestions": .list(
      of: .object(["id": .text, "name": .text, "status": .choice(["requested", "offered"])])
    ),
    "may_create": .flag, "personal_account": .flag,
  ])

  private static let secondFactors = Schema.oneOf([
    .object(["methods": .list(of: .choice(of: SecondFactorMethod.self))]),
    .object(["secret": .text, "uri": .text, "code_length": .count]),
    .object([:]),
    .object(codeFacts, optional: []),
    .object(["backup_codes": .texts]),
  ])
}
