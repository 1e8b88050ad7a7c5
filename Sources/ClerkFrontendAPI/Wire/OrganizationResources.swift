internal import AuthAPIClient
internal import Foundation

/// A list, whole or one page of it: bare, or as `data` with a `total_count`.
///
/// Malformed elements are skipped, but it is an error if no other is left, or if there is no list.
///
/// Source: <doc:ClerkOrganizationCalls#Calls>.
struct ListResource<Element: Decodable & Sendable>: Decodable, Sendable {
  let elements: [Element]
  /// Whether no element was malformed.
  let isWhole: Bool
  /// How many there are on all pages; nil if the list is bare, which is all of it.
  let totalCount: Int?

  private enum Key: String, CodingKey {
    case data
    case totalCount = "total_count"
  }

  init(from decoder: any Decoder) throws {
    let listed: [Lenient<Element>]
    if let container = try? decoder.container(keyedBy: Key.self) {
      listed = try container.decode([Lenient<Element>].self, forKey: .data)
      totalCount = container.adornment(Int.self, at: .totalCount)
    } else {
      listed = try decoder.singleValueContainer().decode([Lenient<Element>].self)
      totalCount = nil
    }
    elements = listed.compactMap(\.value)
    isWhole = elements.count == listed.count
    guard isWhole || !elements.isEmpty else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "no element can be read")
      )
    }
  }
}

/// A person's membership of an organization.
///
/// Source: <doc:ClerkOrganizationCalls#Organization-resources>.
struct MembershipResource: Decodable, Hashable, Sendable {
  let organization: UserResource.Organization
  let roleName: String?

  private enum Key: String, CodingKey {
    case organization
    case roleName = "role_name"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    organization = try container.decode(UserResource.Organization.self, forKey: .organization)
    roleName = container.text(at: .roleName)
  }
}

/// An invitation to an organization, or a suggestion to join one.
///
/// Source: <doc:ClerkOrganizationCalls#Calls>.
struct OrganizationOfferResource: Decodable, Hashable, Sendable {
  let id: String
  let status: String?
  let organizationName: String?

  private enum Key: String, CodingKey {
    case id, status
    case organization = "public_organization_data"
  }

  private struct PublicOrganization: Decodable {
    let name: String
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.decode(String.self, forKey: .id)
    status = container.text(at: .status)
    organizationName = container.adornment(PublicOrganization.self, at: .organization)?.name
  }
}
