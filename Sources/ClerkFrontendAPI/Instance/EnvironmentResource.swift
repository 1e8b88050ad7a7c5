internal import AuthAPIClient
internal import Foundation

/// The settings of the instance on the wire; never wrapped in an envelope.
///
/// Source: <doc:ClerkInstanceSettings#The-environment>.
struct EnvironmentResource: Decodable, Sendable {
  struct Attribute: Decodable, Sendable {
    let isEnabled: Bool
    let isRequired: Bool
    let isUsedForFirstFactor: Bool
    let isUsedForSecondFactor: Bool
    let firstFactors: [String]
    let secondFactors: [String]

    private enum Key: String, CodingKey {
      case enabled, required
      case usedForFirstFactor = "used_for_first_factor"
      case usedForSecondFactor = "used_for_second_factor"
      case firstFactors = "first_factors"
      case secondFactors = "second_factors"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      isEnabled = container.adornment(Bool.self, at: .enabled) ?? false
      isRequired = container.adornment(Bool.self, at: .required) ?? false
      isUsedForFirstFactor = container.adornment(Bool.self, at: .usedForFirstFactor) ?? false
      isUsedForSecondFactor = container.adornment(Bool.self, at: .usedForSecondFactor) ?? false
      firstFactors = container.adornment([String].self, at: .firstFactors) ?? []
      secondFactors = container.adornment([String].self, at: .secondFactors) ?? []
    }
  }

  struct PasswordSettings: Decodable, Sendable {
    let minimumLength: Int
    let maximumLength: Int
    let requiresUppercase: Bool
    let requiresLowercase: Bool
    let requiresNumbers: Bool
    let requiresSpecialCharacter: Bool

    private enum Key: String, CodingKey {
      case minimumLength = "min_length"
      case maximumLength = "max_length"
      case requiresUppercase = "require_uppercase"
      case requiresLowercase = "require_lowercase"
      case requiresNumbers = "require_numbers"
      case requiresSpecialCharacter = "require_special_char"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      minimumLength = container.adornment(Int.self, at: .minimumLength) ?? 0
      maximumLength = container.adornment(Int.self, at: .maximumLength) ?? 0
      requiresUppercase = container.adornment(Bool.self, at: .requiresUppercase) ?? false
      requiresLowercase = container.adornment(Bool.self, at: .requiresLowercase) ?? false
      requiresNumbers = container.adornment(Bool.self, at: .requiresNumbers) ?? false
      requiresSpecialCharacter =
        container.adornment(Bool.self, at: .requiresSpecialCharacter) ?? false
    }
  }

  struct SignUpSettings: Decodable, Sendable {
    let mode: String?
    let asksForConsent: Bool

    private enum Key: String, CodingKey {
      case mode
      case asksForConsent = "legal_consent_enabled"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      mode = container.text(at: .mode)
      asksForConsent = container.adornment(Bool.self, at: .asksForConsent) ?? false
    }
  }

  struct Actions: Decodable, Sendable {
    let createsOrganizations: Bool?

    private enum Key: String, CodingKey {
      case createsOrganizations = "create_organization"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      createsOrganizations = container.adornment(Bool.self, at: .createsOrganizations)
    }
  }

  struct OrganizationSettings: Decodable, Sendable {
    let isEnabled: Bool?
    let hasNoSlugs: Bool?
    /// Sent by real instances, though no schema lists it (<doc:ClerkTransport#Decisions>).
    let forcesSelection: Bool?

    var isSelectionForced: Bool { isEnabled == true && forcesSelection == true }

    private enum Key: String, CodingKey {
      case slug
      case isEnabled = "enabled"
      case forcesSelection = "force_organization_selection"
    }

    private struct Slug: Decodable {
      let disabled: Bool?
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      isEnabled = container.adornment(Bool.self, at: .isEnabled)
      hasNoSlugs = container.adornment(Slug.self, at: .slug)?.disabled
      forcesSelection = container.adornment(Bool.self, at: .forcesSelection)
    }
  }

  struct UserSettings: Decodable, Sendable {
    /// Only the well-formed ones: the others count as switched off.
    let attributes: [String: Attribute]
    let passwordSettings: PasswordSettings?
    let signUp: SignUpSettings?
    let actions: Actions?
    let isSecondFactorRequired: Bool

    private enum Key: String, CodingKey {
      case attributes, actions, required
      case passwordSettings = "password_settings"
      case signUp = "sign_up"
      case signIn = "sign_in"
      case secondFactor = "second_factor"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      attributes = try container.decode([String: Lenient<Attribute>].self, forKey: .attributes)
        .compactMapValues(\.value)
      passwordSettings = container.adornment(PasswordSettings.self, at: .passwordSettings)
      signUp = container.adornment(SignUpSettings.self, at: .signUp)
      actions = container.adornment(Actions.self, at: .actions)
      let signIn = try? container.nestedContainer(keyedBy: Key.self, forKey: .signIn)
      let second = try? signIn?.nestedContainer(keyedBy: Key.self, forKey: .secondFactor)
      isSecondFactorRequired = second?.adornment(Bool.self, at: .required) ?? false
    }
  }

  struct DisplaySettings: Decodable, Sendable {
    let applicationName: String?
    let environmentType: String?
    let preferredStrategy: String?
    let supportAddress: String?
    let homeAddress: String?
    let termsAddress: String?
    let privacyPolicyAddress: String?

    private enum Key: String, CodingKey {
      case applicationName = "application_name"
      case environmentType = "instance_environment_type"
      case preferredStrategy = "preferred_sign_in_strategy"
      case supportAddress = "support_email"
      case homeAddress = "home_url"
      case termsAddress = "terms_url"
      case privacyPolicyAddress = "privacy_policy_url"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      applicationName = container.text(at: .applicationName)
      environmentType = container.text(at: .environmentType)
      preferredStrategy = container.text(at: .preferredStrategy)
      supportAddress = container.text(at: .supportAddress)
      homeAddress = container.text(at: .homeAddress)
      termsAddress = container.text(at: .termsAddress)
      privacyPolicyAddress = container.text(at: .privacyPolicyAddress)
    }
  }

  struct AuthSettings: Decodable, Sendable {
    /// `on`, `off` or `required` by the name of the attribute; values of other types are ignored.
    let words: [String: String]
    let firstFactors: [String]?
    let secondFactors: [String]?
    let isNativeAPIOn: Bool?
    /// Whether a client has one session at a time.
    let isSingleSession: Bool?

    private enum Key: String, CodingKey {
      case firstFactors = "first_factors"
      case secondFactors = "second_factors"
      case native = "native_settings"
      case apiEnabled = "api_enabled"
      case singleSession = "single_session_mode"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      firstFactors = container.adornment([String].self, at: .firstFactors)
      secondFactors = container.adornment([String].self, at: .secondFactors)
      let native = try? container.nestedContainer(keyedBy: Key.self, forKey: .native)
      isNativeAPIOn = native?.adornment(Bool.self, at: .apiEnabled)
      isSingleSession = container.adornment(Bool.self, at: .singleSession)
      words = try decoder.singleValueContainer().decode([String: LooseWord].self)
        .compactMapValues(\.text)
    }

    private struct LooseWord: Decodable {
      let text: String?

      init(from decoder: any Decoder) throws {
        text = try? decoder.singleValueContainer().decode(String.self)
      }
    }
  }

  let auth: AuthSettings?
  let display: DisplaySettings?
  let user: UserSettings
  let organizations: OrganizationSettings?
  /// How devices have to attest themselves.
  let attestationMode: String?

  private enum Key: String, CodingKey {
    case native
    case fraud = "fraud_settings"
    case attestationMode = "device_attestation_mode"
    case auth = "auth_config"
    case display = "display_config"
    case user = "user_settings"
    case organizations = "organization_settings"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    auth = container.adornment(AuthSettings.self, at: .auth)
    display = container.adornment(DisplaySettings.self, at: .display)
    user = try container.decode(UserSettings.self, forKey: .user)
    organizations = container.adornment(OrganizationSettings.self, at: .organizations)
    let fraud = try? container.nestedContainer(keyedBy: Key.self, forKey: .fraud)
    let native = try? fraud?.nestedContainer(keyedBy: Key.self, forKey: .native)
    attestationMode = native?.text(at: .attestationMode)
  }
}
