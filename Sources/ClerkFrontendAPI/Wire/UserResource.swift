internal import AuthAPIClient
internal import Foundation

/// The parts of a user that name a person, and the organizations the person is in.
///
/// Source: <doc:ClerkUsers#The-user-resource>,
/// <doc:ClerkUsers#Authenticator-apps-and-backup-codes>.
struct UserResource: Decodable, Hashable, Sendable {
  struct Membership: Decodable, Hashable, Sendable {
    let organization: Organization
  }

  struct Organization: Decodable, Hashable, Sendable {
    let id: String
    let name: String
    let slug: String?
  }

  private struct Contact: Decodable {
    let id: String
    let emailAddress: String?
    let phoneNumber: String?

    enum CodingKeys: String, CodingKey {
      case id
      case emailAddress = "email_address"
      case phoneNumber = "phone_number"
    }
  }

  let id: String
  let firstName: String?
  let lastName: String?
  /// The primary email address, else the primary phone number, else the username.
  let identifier: String?
  let memberships: [Membership]
  /// Nil if the wire does not say.
  let mayCreateOrganizations: Bool?
  /// Nil if the wire does not say.
  let hasBackupCodes: Bool?

  private enum Key: String, CodingKey {
    case id, username
    case firstName = "first_name"
    case lastName = "last_name"
    case emailAddresses = "email_addresses"
    case primaryEmailAddressID = "primary_email_address_id"
    case phoneNumbers = "phone_numbers"
    case primaryPhoneNumberID = "primary_phone_number_id"
    case memberships = "organization_memberships"
    case mayCreateOrganizations = "create_organization_enabled"
    case hasBackupCodes = "backup_code_enabled"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.decode(String.self, forKey: .id)
    firstName = container.text(at: .firstName)
    lastName = container.text(at: .lastName)
    let primaryEmail = container.text(at: .primaryEmailAddressID)
    let primaryPhone = container.text(at: .primaryPhoneNumberID)
    let emails = try container.elements(Contact.self, at: .emailAddresses)
    let phones = try container.elements(Contact.self, at: .phoneNumbers)
    identifier =
      emails.first { $0.id == primaryEmail }?.emailAddress
      ?? phones.first { $0.id == primaryPhone }?.phoneNumber
      ?? container.text(at: .username)
    memberships = try container.elements(Membership.self, at: .memberships)
    mayCreateOrganizations = container.adornment(Bool.self, at: .mayCreateOrganizations)
    hasBackupCodes = container.adornment(Bool.self, at: .hasBackupCodes)
  }
}
