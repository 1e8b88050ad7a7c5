public import Foundation

extension InstanceSettings {
  /// The settings as members of a document; null stands for no limit: for ever, or all of them.
  static let format = ObjectFormat<Self>([
    .init("sign_up_mode", \.signUpMode, .choice),
    .init("identifier_first", \.identifierFirst, .flag),
    .init("enumeration_protection", \.enumerationProtection, .flag),
    .init("client_trust", \.clientTrust, .choice),
    .init("mfa_required", \.mfaRequired, .flag),
    .init("organizations_required", \.organizationsRequired, .flag),
    .init("organization_creation", \.organizationCreation, .flag),
    .init("force_organization_selection", \.forceOrganizationSelection, .orNull(.flag)),
    .init("email_link", \.emailLink, .flag),
    .init("legal_consent", \.legalConsent, .flag),
    .init("terms_url", \.termsURL, .orNull(.webAddress)),
    .init("privacy_policy_url", \.privacyPolicyURL, .orNull(.webAddress)),
    .init("username", \.username, .choice),
    .init("phone", \.phone, .choice),
    .init("names", \.names, .choice),
    .init("password_min_length", \.passwordMinLength, .number(1...72)),
    .init("password_require", \.passwordRequire, .choices()),
    .init("leaked_password_check", \.leakedPasswordCheck, .flag),
    .init("compromised_password_code", \.compromisedPasswordCode, .flag),
    .init("code_lifetime_seconds", \.codeLifetimeSeconds, .number(1...tenYears)),
    .init("code_attempts", \.codeAttempts, .number(1...1000)),
    .init("resend_cooldown_seconds", \.resendCooldownSeconds, .number(0...tenYears)),
    .init("lockout_attempts", \.lockoutAttempts, .number(0...1_000_000)),
    .init("lockout_seconds", \.lockoutSeconds, .orNull(.number(1...tenYears))),
    .init("session_seconds", \.sessionSeconds, .number(1...tenYears)),
    .init("rate_limits", \.rateLimits, .flag),
    .init("test_mode", \.testMode, .flag),
    .init("bot_protection", \.botProtection, .flag),
    .init("jwt_templates", \.jwtTemplates, .texts),
    .init("entra_scopes_granted", \.entraScopesGranted, .orNull(.texts)),
    .init("entra_reset_polls", \.entraResetPolls, .number(0...1000)),
    .init("entra_required_attributes", \.entraRequiredAttributes, .attributeRules),
    .init("entra_challenge_types", \.entraChallengeTypes, .orNull(.challengeTypes)),
  ])

  /// Seconds.
  private static let tenYears = 315_360_000

  /// Every key with what it takes, in the order in which they are told.
  public static var keys: [(name: String, shape: ValueShape)] {
    format.members.map { ($0.name, $0.shape) }
  }

  /// The same as one object.
  public static var shape: ValueShape { format.shape }

  /// Every key with its value.
  public var json: JSON { Self.format.json(of: self) }

  /// Reads the settings from a JSON object.
  ///
  /// - Throws: `DocumentError` naming the key that is unknown or has a value it cannot have.
  public init(json: Data) throws(DocumentError) {
    self = try Self().merging(JSON(writtenDocument: json))
  }

  /// These settings with the keys of a JSON object changed.
  ///
  /// - Throws: `DocumentError` naming the key that is unknown or has a value it cannot have.
  public func merging(_ changes: JSON) throws(DocumentError) -> Self {
    try Self.format.read(changes, over: self)
  }
}

extension ValueFormat<String> {
  fileprivate static let webAddress = text { text throws(DocumentError) in
    let isWeb = ["http://", "https://"].contains(where: text.lowercased().hasPrefix)
    guard isWeb, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw DocumentError("not an http or https URL")
    }
    return text
  }
}

extension ValueFormat<[String]> {
  fileprivate static let challengeTypes = list(
    .text { text throws(DocumentError) in
      guard ChallengeType(rawValue: text) != nil else {
        throw DocumentError("'\(text)' is not a challenge type")
      }
      return text
    },
    .choices(ChallengeType.allCases.map(\.rawValue))
  )
}

extension ValueFormat<[JSON]> {
  fileprivate static let attributeRules = Self(
    .list(
      .object([
        .init("name", .text, isRequired: true), .init("type", .text), .init("required", .flag),
        .init("options", .json),
      ])
    )
  ) {
    .array($0)
  } read: { json throws(DocumentError) in
    guard case .array(let rules) = json, rules.allSatisfy({ EntraAttributes.Rule($0) != nil })
    else {
      throw DocumentError("not a list of {name, type, required, options}")
    }
    return rules
  }
}
