public import AuthFlow
internal import Foundation

/// What an instance offers, for whoever sets it up; the flows read `InstanceDescription`.
///
/// Source: section 4.8.
public struct InstanceSurvey: Hashable, Sendable {
  /// A setting that keeps these pages from working with the instance.
  public enum Obstacle: Hashable, Sendable {
    /// Servers cannot speak for browsers.
    case nativeAPIOff
    /// Devices have to prove what they are, which a server cannot.
    case deviceAttestation(mode: String)
  }

  public var applicationName: String
  /// `development`, `staging`, `production`, or what the API says else.
  public var environmentType: String
  /// By the API's own names, such as `email_address`.
  public var identifiers: [String]
  public var firstFactors: [String]
  public var secondFactors: [String]
  public var signUpMode: String
  /// What may become a task of a new session.
  public var tasks: [String]
  public var obstacles: [Obstacle]
}

extension ClerkProvider {
  /// Asks what the instance offers, and whether it would serve us.
  ///
  /// - Throws: `AuthError` when the API cannot be reached, answers nonsense, or refuses.
  public func survey() async throws(AuthError) -> InstanceSurvey {
    let body = try await api.environment()
    guard let resource = JSON.decode(SurveyResource.self, from: body) else { throw .nonsense() }
    var survey = InstanceSurvey(resource)
    guard survey.obstacles.isEmpty else { return survey }
    // The document may promise what the API then refuses: one call in native mode settles it.
    var memory = ProviderMemory()
    do {
      _ = try await client(purpose: .signIn, memory: &memory)
    } catch {
      if error.error.problems.contains(where: { $0.code == "native_api_disabled" }) {
        survey.obstacles.append(.nativeAPIOff)
      }
    }
    return survey
  }
}

extension InstanceSurvey {
  init(_ resource: SurveyResource) {
    let identifiers = ["email_address", "phone_number", "username"]
    let attributes = resource.user.attributes.filter(\.value.isEnabled)
    self.init(
      applicationName: resource.display.applicationName ?? "(without a name)",
      environmentType: resource.display.environmentType ?? "unknown",
      identifiers: identifiers.filter { attributes[$0]?.isUsedForFirstFactor == true },
      firstFactors: resource.auth?.firstFactors
        ?? Self.union(attributes.values.map(\.firstFactors))
        + (attributes["password"] == nil ? [] : ["password"]),
      secondFactors: resource.auth?.secondFactors
        ?? Self.union(attributes.values.map(\.secondFactors)),
      signUpMode: resource.user.signUpMode ?? "public",
      tasks: Self.tasks(resource, hasPasswords: attributes["password"] != nil),
      obstacles: Self.obstacles(resource)
    )
  }

  private static func tasks(_ resource: SurveyResource, hasPasswords: Bool) -> [String] {
    [
      ("choose-organization", resource.organizations?.isSelectionForced == true),
      ("reset-password", hasPasswords),
      ("setup-mfa", resource.user.isSecondFactorRequired),
    ].compactMap { name, isPossible in isPossible ? name : nil }
  }

  private static func obstacles(_ resource: SurveyResource) -> [Obstacle] {
    var obstacles: [Obstacle] = []
    if resource.auth?.isNativeAPIOn == false { obstacles.append(.nativeAPIOff) }
    if let mode = resource.attestationMode, mode != "disabled" {
      obstacles.append(.deviceAttestation(mode: mode))
    }
    return obstacles
  }

  private static func union(_ lists: [[String]]) -> [String] {
    Set(lists.joined()).sorted()
  }
}

/// The parts of the environment that a survey is about; each may be missing but the attributes.
struct SurveyResource: Decodable, Sendable {
  struct Attribute: Decodable, Sendable {
    let isEnabled: Bool
    let isUsedForFirstFactor: Bool
    let firstFactors: [String]
    let secondFactors: [String]

    private enum Key: String, CodingKey {
      case enabled
      case usedForFirstFactor = "used_for_first_factor"
      case firstFactors = "first_factors"
      case secondFactors = "second_factors"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      isEnabled = container.adornment(Bool.self, at: .enabled) ?? false
      isUsedForFirstFactor = container.adornment(Bool.self, at: .usedForFirstFactor) ?? false
      firstFactors = container.adornment([String].self, at: .firstFactors) ?? []
      secondFactors = container.adornment([String].self, at: .secondFactors) ?? []
    }
  }

  struct Auth: Decodable, Sendable {
    let firstFactors: [String]?
    let secondFactors: [String]?
    let isNativeAPIOn: Bool?

    private enum Key: String, CodingKey {
      case firstFactors = "first_factors"
      case secondFactors = "second_factors"
      case native = "native_settings"
      case apiEnabled = "api_enabled"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      firstFactors = container.adornment([String].self, at: .firstFactors)
      secondFactors = container.adornment([String].self, at: .secondFactors)
      let native = try? container.nestedContainer(keyedBy: Key.self, forKey: .native)
      isNativeAPIOn = native?.adornment(Bool.self, at: .apiEnabled)
    }
  }

  struct Display: Decodable, Sendable {
    let applicationName: String?
    let environmentType: String?

    private enum Key: String, CodingKey {
      case applicationName = "application_name"
      case environmentType = "instance_environment_type"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      applicationName = container.text(at: .applicationName)
      environmentType = container.text(at: .environmentType)
    }
  }

  struct User: Decodable, Sendable {
    let attributes: [String: Attribute]
    let signUpMode: String?
    let isSecondFactorRequired: Bool

    private enum Key: String, CodingKey {
      case attributes, mode, required
      case signUp = "sign_up"
      case signIn = "sign_in"
      case secondFactor = "second_factor"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      attributes = try container.decode([String: Attribute].self, forKey: .attributes)
      signUpMode = (try? container.nestedContainer(keyedBy: Key.self, forKey: .signUp))?
        .text(at: .mode)
      let signIn = try? container.nestedContainer(keyedBy: Key.self, forKey: .signIn)
      let second = try? signIn?.nestedContainer(keyedBy: Key.self, forKey: .secondFactor)
      isSecondFactorRequired = second?.adornment(Bool.self, at: .required) ?? false
    }
  }

  struct Organizations: Decodable, Sendable {
    let isSelectionForced: Bool

    private enum Key: String, CodingKey {
      case enabled
      case forced = "force_organization_selection"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      isSelectionForced =
        container.adornment(Bool.self, at: .enabled) ?? false
        && container.adornment(Bool.self, at: .forced) ?? false
    }
  }

  let auth: Auth?
  let display: Display
  let user: User
  let organizations: Organizations?
  let attestationMode: String?

  private enum Key: String, CodingKey {
    case native
    case auth = "auth_config"
    case display = "display_config"
    case user = "user_settings"
    case organizations = "organization_settings"
    case fraud = "fraud_settings"
    case attestationMode = "device_attestation_mode"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    auth = container.adornment(Auth.self, at: .auth)
    display = try container.decode(Display.self, forKey: .display)
    user = try container.decode(User.self, forKey: .user)
    organizations = container.adornment(Organizations.self, at: .organizations)
    let fraud = try? container.nestedContainer(keyedBy: Key.self, forKey: .fraud)
    let native = try? fraud?.nestedContainer(keyedBy: Key.self, forKey: .native)
    attestationMode = native?.text(at: .attestationMode)
  }
}
