public import Foundation

extension InstanceSettings {
  /// A setting as a member of a document, and the auth APIs that read it; others ignore it.
  private struct Setting: Sendable {
    let member: DocumentMember<InstanceSettings>
    let apis: Set<EmulatedAPI>

    init<Value>(
      _ name: String,
      _ property: any WritableKeyPath<InstanceSettings, Value> & Sendable,
      _ format: ValueFormat<Value>,
      by apis: Set<EmulatedAPI>
    ) {
      member = DocumentMember(name, property, format)
      self.apis = apis
    }
  }

  private static let every = Set(EmulatedAPI.allCases)

  private static let settings: [Setting] = [
    .init("sign_up_mode", \.signUpMode, .choice, by: every),
    .init("identifier_first", \.identifierFirst, .flag, by: every),
    .init("enumeration_protection", \.enumerationProtection, .flag, by: [.clerk]),
    .init("client_trust", \.clientTrust, .choice, by: [.clerk]),
    .init("mfa_required", \.mfaRequired, .flag, by: every),
    .init("organizations_required", \.organizationsRequired, .flag, by: [.clerk]),
    .init("organization_creation", \.organizationCreation, .flag, by: [.clerk]),
    .init(
      "force_organization_selection",
      \.forceOrganizationSelection,
      .orNull(.flag),
      by: [.clerk]
    ),
    .init("email_link", \.emailLink, .flag, by: [.clerk]),
    .init("legal_consent", \.legalConsent, .flag, by: [.clerk]),
    .init("terms_url", \.termsURL, .orNull(.webAddress), by: [.clerk]),
    .init("privacy_policy_url", \.privacyPolicyURL, .orNull(.webAddress), by: [.clerk]),
    .init("username", \.username, .choice, by: [.clerk]),
    .init("phone", \.phone, .choice, by: [.clerk]),
    .init("names", \.names, .choice, by: every),
    .init("password_min_length", \.passwordMinLength, .number(1...72), by: every),
    .init("password_require", \.passwordRequire, .choices(), by: every),
    .init("leaked_password_check", \.leakedPasswordCheck, .flag, by: every),
    .init("compromised_password_code", \.compromisedPasswordCode, .flag, by: [.clerk]),
    .init("code_lifetime_seconds", \.codeLifetimeSeconds, .number(1...tenYears), by: every),
    .init("code_attempts", \.codeAttempts, .number(1...1000), by: every),
    .init("resend_cooldown_seconds", \.resendCooldownSeconds, .number(0...tenYears), by: every),
    .init("lockout_attempts", \.lockoutAttempts, .number(0...1_000_000), by: every),
    .init("lockout_seconds", \.lockoutSeconds, .orNull(.number(1...tenYears)), by: every),
    .init("session_seconds", \.sessionSeconds, .number(1...tenYears), by: every),
    .init("rate_limits", \.rateLimits, .flag, by: every),
    .init("test_mode", \.testMode, .flag, by: [.clerk]),
    .init("bot_protection", \.botProtection, .flag, by: [.clerk]),
    .init("jwt_templates", \.jwtTemplates, .texts, by: [.clerk]),
    .init("entra_scopes_granted", \.entraScopesGranted, .orNull(.texts), by: [.entra]),
    .init("entra_reset_polls", \.entraResetPolls, .number(0...1000), by: [.entra]),
    .init("entra_required_attributes", \.entraRequiredAttributes, .attributeRules, by: [.entra]),
    .init("entra_challenge_types", \.entraChallengeTypes, .orNull(.challengeTypes), by: [.entra]),
  ]

  /// The settings as members of a document; null stands for no limit: for ever, or all of them.
  private static let format = ObjectFormat<Self>(settings.map(\.member))

  /// Seconds.
  private static let tenYears = 315_360_000

  /// Every key with the values that it accepts, in the order in which they are written.
  public static var keys: [(name: String, shape: ValueShape)] {
    format.members.map { ($0.name, $0.shape) }
  }

  /// Whether an auth API reads the setting with that key.
  public static func isAsked(_ key: String, by api: EmulatedAPI) -> Bool {
    settings.contains { $0.member.name == key && $0.apis.contains(api) }
  }

  /// The shape of an object with all settings.
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

extension InstanceSettings {
  /// Reads the settings of an exported world, which may be an older version's.
  ///
  /// - Throws: `DocumentError` naming the key that is unknown or has a value it cannot have.
  init(stored json: JSON) throws(DocumentError) {
    var settings = json
    if let rules = json["entra_required_attributes"]?.array {
      settings["entra_required_attributes"] = .array(AttributeRule.withoutVoidParts(rules))
    }
    self = try Self().merging(settings)
  }
}

extension InstanceSettings.AttributeRule {
  fileprivate static let format = ObjectFormat<Self>([
    .init("name", \.name, .attributeName).required,
    .init("type", \.kind, .choice),
    .init("required", \.isRequired, .flag),
    .init(
      "options",
      \.options,
      .orNull(Options.format.values(over: Options())),
      isWritten: { $0 != nil }
    ),
  ])

  /// The rule as settings and the API's answers write it.
  var json: JSON { Self.format.json(of: self) }

  /// Rules of an older version, without what it silently ignored (unknown types, empty options,
  /// invalid patterns, further rules for the same attribute) and without rules of invalid names.
  fileprivate static func withoutVoidParts(_ rules: [JSON]) -> [JSON] {
    var known: Set<String> = []
    var kept: [JSON] = []
    for var rule in rules {
      if let name = rule["name"]?.string.map(EntraAttributes.spelled) {
        guard EntraAttributes.isName(name), known.insert(name).inserted else { continue }
        rule["name"] = .string(name)
      }
      if let type = rule["type"]?.string {
        rule["type"] = .string((Kind(rawValue: type.lowercased()) ?? .string).rawValue)
      }
      if rule["options"] != nil {
        let pattern = rule["options"]?["regex"]?.string ?? ""
        let options: JSON = pattern.isRegularExpression ? ["regex": .string(pattern)] : .null
        rule["options"] = options
      }
      kept.append(rule)
    }
    return kept
  }
}

extension InstanceSettings.AttributeRule.Options {
  fileprivate static let format = ObjectFormat<Self>([
    .init("regex", \.regex, .orNull(.pattern), isWritten: { $0 != nil })
  ])
}

extension ValueFormat<String> {
  fileprivate static let attributeName = text { text throws(DocumentError) in
    guard !text.isEmpty else { throw DocumentError("empty") }
    let spelled = EntraAttributes.spelled(text)
    guard spelled == text else { throw DocumentError("did you mean '\(spelled)'?") }
    guard EntraAttributes.isName(text) else {
      throw DocumentError("not 1 to \(EntraAttributes.maximumLength) characters without blanks")
    }
    return text
  }

  fileprivate static let pattern = text { text throws(DocumentError) in
    guard text.isRegularExpression else { throw DocumentError("not a regular expression") }
    return text
  }
}

extension String {
  fileprivate var isRegularExpression: Bool {
    // Foundation does not report what is wrong with it.
    (try? NSRegularExpression(pattern: self)) != nil
  }
}

extension ValueFormat<[InstanceSettings.AttributeRule]> {
  /// Rules, at most one per attribute: of two, it would be unclear which one counts.
  fileprivate static let attributeRules = list(
    InstanceSettings.AttributeRule.format.values(over: InstanceSettings.AttributeRule(name: "")),
    eachOnceBy: "name"
  ) { $0.name }
}
