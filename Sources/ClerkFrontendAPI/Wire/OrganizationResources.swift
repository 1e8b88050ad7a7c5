internal import Foundation

/// A list, whole or one page of it: bare, or as `data` with a `total_count`.
///
/// Source: <doc:ClerkOrganizationCalls#Calls>.
struct ListResource<Element: Decodable & Sendable>: Decodable, Sendable {
  let elements: [Element]

  private enum Key: String, CodingKey {
    case data
  }

  private struct Bare: Decodable {
    let elements: [Element]

    private struct Lenient: Decodable {
      let element: Element?
      init(from decoder: any Decoder) { element = try? Element(from: decoder) }
    }

    init(from decoder: any Decoder) throws {
      elements = try decoder.singleValueContainer().decode([Lenient].self).compactMap(\.element)
    }
  }

  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: Key.self) {
      elements = try container.elements(Element.self, at: .data)
    } else {
      elements = try Bare(from: decoder).elements
    }
  }
}

/// That a person belongs to an organization.
///
/// Source: <doc:ClerkOrganizationCalls#Organization-resources>.
struct MembershipResource: Decodable, Hashable, Sendable {
  let organization: UserResource.Organization
  let role: String?
  let roleName: String?

  private enum Key: String, CodingKey {
    case organization, role
    case roleName = "role_name"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    organization = try container.decode(UserResource.Organization.self, forKey: .organization)
    role = container.text(at: .role)
    roleName = container.text(at: .roleName)
  }
}

/// An invitation into an organization, or one that is suggested.
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
