internal import AuthAPIClient
internal import Foundation

/// An authenticator app, during or after its set-up.
///
/// Source: <doc:ClerkUsers#Authenticator-apps-and-backup-codes>.
struct AuthenticatorResource: Decodable, Sendable {
  /// Sent only once, when it is made.
  let secret: String?
  let address: String?
  let backupCodes: [String]

  private enum Key: String, CodingKey {
    case secret
    case address = "uri"
    case backupCodes = "backup_codes"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    secret = container.text(at: .secret)
    address = container.text(at: .address)
    backupCodes = container.adornment([String].self, at: .backupCodes) ?? []
  }
}

/// A phone number of the person who is signed in.
///
/// Source: <doc:ClerkUsers#The-user-resource>.
struct PhoneResource: Decodable, Sendable {
  let id: String
  let number: String
  let isSecondFactor: Bool
  let verification: VerificationResource?
  /// Sent only once, when it becomes the first second factor.
  let backupCodes: [String]

  var isVerified: Bool { verification?.status == "verified" }

  private enum Key: String, CodingKey {
    case id, verification
    case number = "phone_number"
    case isSecondFactor = "reserved_for_second_factor"
    case backupCodes = "backup_codes"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.decode(String.self, forKey: .id)
    number = try container.decode(String.self, forKey: .number)
    isSecondFactor = container.adornment(Bool.self, at: .isSecondFactor) ?? false
    verification = container.adornment(VerificationResource.self, at: .verification)
    backupCodes = container.adornment([String].self, at: .backupCodes) ?? []
  }
}
