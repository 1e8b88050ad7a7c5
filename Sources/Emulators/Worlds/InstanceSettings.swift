public import Foundation

/// How the emulated instance is set up: the switches that the real service has in its dashboard.
///
/// The JSON keys are these names in snake case; every key may be left out.
/// Source: README, "Worlds and backstage".
public struct InstanceSettings: Sendable, Hashable {
  public enum SignUpMode: String, Sendable, Codable, CaseIterable {
    case `public`, restricted, waitlist
  }

  public enum ClientTrust: String, Sendable, Codable, CaseIterable {
    case off
    case needsClientTrust = "needs_client_trust"
    case needsSecondFactor = "needs_second_factor"
  }

  /// Whether a contact exists at all, and what sign-up asks.
  public enum Attribute: String, Sendable, Codable, CaseIterable {
    case off
    /// Who has one may sign in with it; sign-up does not ask for it.
    case signIn = "sign_in"
    case optional, required
  }

  public enum Names: String, Sendable, Codable, CaseIterable {
    case off, optional, required
  }

  public enum CharacterClass: String, Sendable, Codable, CaseIterable {
    case upper, lower, number, special
  }

  public var signUpMode = SignUpMode.public
  public var identifierFirst = false
  public var enumerationProtection = false
  public var clientTrust = ClientTrust.off
  public var mfaRequired = false
  public var organizationsRequired = false
  public var organizationCreation = true
  /// What the environment says of `force_organization_selection`, which Clerk's own description
  /// does not list: nil leaves it out, false lets a session go on without an organization.
  public var forceOrganizationSelection: Bool?
  public var emailLink = false
  public var legalConsent = false
  /// What there is to read before one accepts; nil for no such document.
  public var termsURL: String? = "https://example.com/terms"
  public var privacyPolicyURL: String? = "https://example.com/privacy"
  public var username = Attribute.signIn
  public var phone = Attribute.signIn
  public var names = Names.off
  /// Characters.
  public var passwordMinLength = 8
  public var passwordRequire: [CharacterClass] = []
  public var leakedPasswordCheck = true
  public var codeLifetimeSeconds = 600
  /// Tries per code.
  public var codeAttempts = 5
  public var resendCooldownSeconds = 30
  /// Failures until an account is locked; zero never locks.
  public var lockoutAttempts = 10
  /// Nil locks until someone unlocks.
  public var lockoutSeconds: Int? = 3600
  public var sessionSeconds = 604_800
  public var rateLimits = false
  public var testMode = true
  public var entraScopesGranted: [String]?
  public var entraResetPolls = 1
  public var entraRequiredAttributes: [JSON] = []
  public var entraChallengeTypes: [String]?

  public init() {}

  /// Whether a session may choose to go on without an organization.
  var allowsPersonalAccounts: Bool { forceOrganizationSelection == false }

  /// Reads the settings from a JSON object.
  ///
  /// - Throws: `DocumentError` naming the key that is unknown or has a value it cannot have.
  public init(json: Data) throws(DocumentError) {
    self = try decodeDocument(Self.self, from: json)
  }

  /// These settings with the keys of a JSON object changed.
  ///
  /// - Throws: `DocumentError` naming the key that is unknown or has a value it cannot have.
  public func merging(_ changes: JSON) throws(DocumentError) -> Self {
    guard case .object(let members) = changes else {
      throw DocumentError("the settings are not an object")
    }
    var merged = json
    for member in members { merged[member.name] = member.value }
    return try Self(json: Data(merged.encoded))
  }

  /// Every key with its value; null stands for no limit: for ever, or all of them.
  public var json: JSON {
    [
      "sign_up_mode": .string(signUpMode.rawValue),
      "identifier_first": .bool(identifierFirst),
      "enumeration_protection": .bool(enumerationProtection),
      "client_trust": .string(clientTrust.rawValue),
      "mfa_required": .bool(mfaRequired),
      "organizations_required": .bool(organizationsRequired),
      "organization_creation": .bool(organizationCreation),
      "force_organization_selection": forceOrganizationSelection.map(JSON.bool) ?? .null,
      "email_link": .bool(emailLink),
      "legal_consent": .bool(legalConsent),
      "terms_url": .optional(termsURL),
      "privacy_policy_url": .optional(privacyPolicyURL),
      "username": .string(username.rawValue),
      "phone": .string(phone.rawValue),
      "names": .string(names.rawValue),
      "password_min_length": .integer(Int64(passwordMinLength)),
      "password_require": .strings(passwordRequire.map(\.rawValue)),
      "leaked_password_check": .bool(leakedPasswordCheck),
      "code_lifetime_seconds": .integer(Int64(codeLifetimeSeconds)),
      "code_attempts": .integer(Int64(codeAttempts)),
      "resend_cooldown_seconds": .integer(Int64(resendCooldownSeconds)),
      "lockout_attempts": .integer(Int64(lockoutAttempts)),
      "lockout_seconds": lockoutSeconds.map { .integer(Int64($0)) } ?? .null,
      "session_seconds": .integer(Int64(sessionSeconds)),
      "rate_limits": .bool(rateLimits),
      "test_mode": .bool(testMode),
      "entra_scopes_granted": entraScopesGranted.map(JSON.strings) ?? .null,
      "entra_reset_polls": .integer(Int64(entraResetPolls)),
      "entra_required_attributes": .array(entraRequiredAttributes),
      "entra_challenge_types": entraChallengeTypes.map(JSON.strings) ?? .null,
    ]
  }
}

extension InstanceSettings.SignUpMode: NamedValue {}
extension InstanceSettings.ClientTrust: NamedValue {}
extension InstanceSettings.Attribute: NamedValue {}
extension InstanceSettings.Names: NamedValue {}
extension InstanceSettings.CharacterClass: NamedValue {}

extension InstanceSettings: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case signUpMode = "sign_up_mode"
    case identifierFirst = "identifier_first"
    case enumerationProtection = "enumeration_protection"
    case clientTrust = "client_trust"
    case mfaRequired = "mfa_required"
    case organizationsRequired = "organizations_required"
    case organizationCreation = "organization_creation"
    case forceOrganizationSelection = "force_organization_selection"
    case emailLink = "email_link"
    case legalConsent = "legal_consent"
    case termsURL = "terms_url"
    case privacyPolicyURL = "privacy_policy_url"
    case username, phone, names
    case passwordMinLength = "password_min_length"
    case passwordRequire = "password_require"
    case leakedPasswordCheck = "leaked_password_check"
    case codeLifetimeSeconds = "code_lifetime_seconds"
    case codeAttempts = "code_attempts"
    case resendCooldownSeconds = "resend_cooldown_seconds"
    case lockoutAttempts = "lockout_attempts"
    case lockoutSeconds = "lockout_seconds"
    case sessionSeconds = "session_seconds"
    case rateLimits = "rate_limits"
    case testMode = "test_mode"
    case entraScopesGranted = "entra_scopes_granted"
    case entraResetPolls = "entra_reset_polls"
    case entraRequiredAttributes = "entra_required_attributes"
    case entraChallengeTypes = "entra_challenge_types"
  }

  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: Key.self)
    let container = try decoder.container(keyedBy: Key.self)
    self.init()
    signUpMode = try container.decode(.signUpMode, default: signUpMode)
    identifierFirst = try container.decode(.identifierFirst, default: identifierFirst)
    enumerationProtection = try container.decode(
      .enumerationProtection,
      default: enumerationProtection
    )
    clientTrust = try container.decode(.clientTrust, default: clientTrust)
    mfaRequired = try container.decode(.mfaRequired, default: mfaRequired)
    organizationsRequired = try container.decode(
      .organizationsRequired,
      default: organizationsRequired
    )
    organizationCreation = try container.decode(
      .organizationCreation,
      default: organizationCreation
    )
    forceOrganizationSelection = try container.decodeIfPresent(
      Bool.self,
      forKey: .forceOrganizationSelection
    )
    emailLink = try container.decode(.emailLink, default: emailLink)
    legalConsent = try container.decode(.legalConsent, default: legalConsent)
    termsURL = try Self.address(.termsURL, default: termsURL, in: container)
    privacyPolicyURL = try Self.address(
      .privacyPolicyURL,
      default: privacyPolicyURL,
      in: container
    )
    username = try container.decode(.username, default: username)
    phone = try container.decode(.phone, default: phone)
    names = try container.decode(.names, default: names)
    passwordRequire = try container.decode(.passwordRequire, default: passwordRequire)
    leakedPasswordCheck = try container.decode(.leakedPasswordCheck, default: leakedPasswordCheck)
    rateLimits = try container.decode(.rateLimits, default: rateLimits)
    testMode = try container.decode(.testMode, default: testMode)
    try decodeNumbers(from: container)
    entraScopesGranted = try container.decodeIfPresent([String].self, forKey: .entraScopesGranted)
    entraRequiredAttributes = try container.decode(
      .entraRequiredAttributes,
      default: entraRequiredAttributes
    )
    if entraRequiredAttributes.contains(where: { EntraAttributes.Rule($0) == nil }) {
      throw container.refusal(
        .entraRequiredAttributes,
        "not a list of {name, type, required, options}"
      )
    }
    entraChallengeTypes = try container.decodeIfPresent([String].self, forKey: .entraChallengeTypes)
    let unknown = entraChallengeTypes?.first { ChallengeType(rawValue: $0) == nil }
    if let unknown {
      throw container.refusal(.entraChallengeTypes, "'\(unknown)' is not a challenge type")
    }
  }

  private static func address(
    _ key: Key,
    default value: String?,
    in container: KeyedDecodingContainer<Key>
  ) throws -> String? {
    guard container.contains(key) else { return value }
    guard let text = try container.decodeIfPresent(String.self, forKey: key) else { return nil }
    let isWeb = ["http://", "https://"].contains(where: text.lowercased().hasPrefix)
    guard isWeb, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw container.refusal(key, "not an http or https URL")
    }
    return text
  }

  private mutating func decodeNumbers(from container: KeyedDecodingContainer<Key>) throws {
    func number(_ key: Key, default value: Int, within range: ClosedRange<Int>) throws -> Int {
      let number = try container.decode(key, default: value)
      guard range.contains(number) else {
        throw container.refusal(key, "not within \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }
    let tenYears = 315_360_000
    passwordMinLength = try number(.passwordMinLength, default: passwordMinLength, within: 1...72)
    codeLifetimeSeconds = try number(
      .codeLifetimeSeconds,
      default: codeLifetimeSeconds,
      within: 1...tenYears
    )
    codeAttempts = try number(.codeAttempts, default: codeAttempts, within: 1...1000)
    resendCooldownSeconds = try number(
      .resendCooldownSeconds,
      default: resendCooldownSeconds,
      within: 0...tenYears
    )
    lockoutAttempts = try number(.lockoutAttempts, default: lockoutAttempts, within: 0...1_000_000)
    sessionSeconds = try number(.sessionSeconds, default: sessionSeconds, within: 1...tenYears)
    entraResetPolls = try number(.entraResetPolls, default: entraResetPolls, within: 0...1000)
    if container.contains(.lockoutSeconds) {
      let isNull = try container.decodeNil(forKey: .lockoutSeconds)
      lockoutSeconds = isNull ? nil : try number(.lockoutSeconds, default: 0, within: 1...tenYears)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    try json.encode(to: encoder)
  }
}
