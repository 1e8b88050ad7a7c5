internal import AuthAPIClient
internal import Foundation

/// A sign-in attempt on the wire.
///
/// Source: <doc:ClerkSigningIn#The-sign-in-resource>.
struct SignInResource: Decodable, Hashable, Sendable {
  enum Status: String, Sendable {
    case needsIdentifier = "needs_identifier"
    case needsFirstFactor = "needs_first_factor"
    case needsSecondFactor = "needs_second_factor"
    case needsClientTrust = "needs_client_trust"
    case needsNewPassword = "needs_new_password"
    case needsProtectCheck = "needs_protect_check"
    case complete, abandoned
  }

  let id: String
  let status: Word<Status>
  let firstFactors: [FactorResource]
  let secondFactors: [FactorResource]
  let firstVerification: VerificationResource?
  let secondVerification: VerificationResource?
  let identifier: String?
  let createdSessionID: String?
  let abandonsAt: Date?

  private enum Key: String, CodingKey {
    case id, status, identifier
    case firstFactors = "supported_first_factors"
    case secondFactors = "supported_second_factors"
    case firstVerification = "first_factor_verification"
    case secondVerification = "second_factor_verification"
    case createdSessionID = "created_session_id"
    case abandonsAt = "abandon_at"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.decode(String.self, forKey: .id)
    status = try container.decode(Word<Status>.self, forKey: .status)
    firstFactors = try container.elements(FactorResource.self, at: .firstFactors)
    secondFactors = try container.elements(FactorResource.self, at: .secondFactors)
    firstVerification = container.adornment(VerificationResource.self, at: .firstVerification)
    secondVerification = container.adornment(VerificationResource.self, at: .secondVerification)
    identifier = container.text(at: .identifier)
    createdSessionID = container.text(at: .createdSessionID)
    abandonsAt = container.time(at: .abandonsAt)
  }
}

/// One way to prove an identity.
///
/// Source: <doc:ClerkSigningIn#Factors>.
struct FactorResource: Decodable, Hashable, Sendable {
  let strategy: String
  let safeIdentifier: String?
  let emailAddressID: String?
  let phoneNumberID: String?
  let isPrimary: Bool
  /// Whether it is the second factor that the person made the default.
  let isDefault: Bool
  /// The organization at whose page it continues.
  let connectionName: String?

  private enum Key: String, CodingKey {
    case strategy, primary
    case connectionName = "enterprise_connection_name"
    case isDefault = "default"
    case safeIdentifier = "safe_identifier"
    case emailAddressID = "email_address_id"
    case phoneNumberID = "phone_number_id"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    strategy = try container.decode(String.self, forKey: .strategy)
    safeIdentifier = container.text(at: .safeIdentifier)
    emailAddressID = container.text(at: .emailAddressID)
    phoneNumberID = container.text(at: .phoneNumberID)
    isPrimary = container.adornment(Bool.self, at: .primary) ?? false
    isDefault = container.adornment(Bool.self, at: .isDefault) ?? false
    connectionName = container.text(at: .connectionName)
  }
}

/// The state of the verification of one factor or contact.
///
/// Source: <doc:ClerkSigningIn#Verifications>, <doc:ClerkSigningUp#The-sign-up-resource>.
struct VerificationResource: Decodable, Hashable, Sendable {
  let status: String?
  let strategy: String?
  let expiresAt: Date?
  let nextAction: String?
  /// Empty if the answer does not say.
  let supportedStrategies: [String]
  /// The provider's page at which it continues.
  let externalAddress: String?
  /// Why the sign-in at the provider's page failed.
  let error: ErrorEnvelope.Item?

  private enum Key: String, CodingKey {
    case status, strategy, error
    case externalAddress = "external_verification_redirect_url"
    case expiresAt = "expire_at"
    case nextAction = "next_action"
    case supportedStrategies = "supported_strategies"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    status = container.text(at: .status)
    strategy = container.text(at: .strategy)
    expiresAt = container.time(at: .expiresAt)
    nextAction = container.text(at: .nextAction)
    supportedStrategies = container.adornment([String].self, at: .supportedStrategies) ?? []
    externalAddress = container.text(at: .externalAddress)
    error = container.adornment(ErrorEnvelope.Item.self, at: .error)
  }
}
