internal import AuthAPIClient
internal import Foundation

/// A sign-up attempt on the wire.
///
/// Source: <doc:ClerkSigningUp#The-sign-up-resource>.
struct SignUpResource: Decodable, Hashable, Sendable {
  enum Status: String, Sendable {
    case missingRequirements = "missing_requirements"
    case complete, abandoned
  }

  let id: String
  let status: Word<Status>
  let missingFields: [String]
  let unverifiedFields: [String]
  /// By the name of the contact's field.
  let verifications: [String: VerificationResource]
  /// What was given so far, by field; never a secret.
  let values: [String: String]
  let createdSessionID: String?
  let abandonsAt: Date?
  let termsAcceptedAt: Date?

  private enum Key: String, CodingKey, CaseIterable {
    case id, status, verifications, username
    case missingFields = "missing_fields"
    case unverifiedFields = "unverified_fields"
    case emailAddress = "email_address"
    case phoneNumber = "phone_number"
    case firstName = "first_name"
    case lastName = "last_name"
    case createdSessionID = "created_session_id"
    case abandonsAt = "abandon_at"
    case termsAcceptedAt = "legal_accepted_at"
  }

  private static let valueKeys: [Key] = [
    .username, .emailAddress, .phoneNumber, .firstName, .lastName,
  ]

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.decode(String.self, forKey: .id)
    status = try container.decode(Word<Status>.self, forKey: .status)
    missingFields = try container.elements(String.self, at: .missingFields)
    unverifiedFields = try container.elements(String.self, at: .unverifiedFields)
    let verifications = container.adornment(
      [String: VerificationResource?].self,
      at: .verifications
    )
    self.verifications = verifications?.compactMapValues(\.self) ?? [:]
    values = Self.valueKeys.reduce(into: [:]) { values, key in
      values[key.rawValue] = container.text(at: key)
    }
    createdSessionID = container.text(at: .createdSessionID)
    abandonsAt = container.time(at: .abandonsAt)
    termsAcceptedAt = container.time(at: .termsAcceptedAt)
  }
}
