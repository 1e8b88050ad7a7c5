internal import GRDB

/// Source: <doc:ClerkSecondFactors>.
extension ClerkTransaction {
  func organizationJSON(_ organization: Organization) throws -> JSON {
    [
      "object": "organization",
      "id": .string(organization.id),
      "name": .string(organization.name),
      "slug": .string(organization.slug),
      "image_url": "",
      "has_image": false,
      "members_count": .integer(Int64(try Membership.count(in: organization.id, db))),
      "pending_invitations_count": .integer(
        Int64(try Organization.pendingInvitationCount(to: organization.id, db))
      ),
      "max_allowed_memberships": .integer(Int64(OrganizationRules.maximumMemberships)),
      "admin_delete_enabled": true,
      "public_metadata": [:],
      "created_at": .instant(organization.createdAt),
      "updated_at": .instant(organization.updatedAt),
    ]
  }

  /// The claim of a session token about the active organization.
  ///
  /// Source: <doc:ClerkSessionsAndTasks>.
  func organizationClaim(of session: ClerkSession) throws -> JSON? {
    guard let id = session.organizationID,
      let organization = try Organization.fetchOne(db, key: id),
      let membership = try Membership.of(session.accountID, in: id, db)
    else { return nil }
    let prefix = "org:"
    let role = membership.role.hasPrefix(prefix) ? membership.role.dropFirst(prefix.count) : ""
    return [
      "id": .string(organization.id),
      "slg": .string(organization.slug),
      "rol": .string(role.isEmpty ? membership.role : String(role)),
      // The claim does not include system permissions, and the instance has no others.
      "per": "",
      "fpm": "",
    ]
  }

  func membershipJSON(_ membership: Membership, _ account: Account) throws -> JSON {
    guard let organization = try Organization.fetchOne(db, key: membership.organizationID) else {
      throw ClerkRefusal.resourceNotFound
    }
    return try membershipJSON(membership, account, in: organizationJSON(organization))
  }

  /// For several memberships of one organization, whose JSON is costly: it counts the members.
  func membershipJSON(
    _ membership: Membership,
    _ account: Account,
    in organization: JSON
  ) throws -> JSON {
    let role = Role(key: membership.role)
    return [
      "object": "organization_membership",
      "id": .string(membership.id),
      "role": .string(role.key),
      "role_name": .string(role.name),
      "permissions": .strings(role.permissions),
      "public_metadata": [:],
      "organization": organization,
      "public_user_data": publicUserDataJSON(account, try Account.contacts(of: account.id, db)),
      "created_at": .instant(membership.createdAt),
      "updated_at": .instant(membership.createdAt),
    ]
  }

  func invitationJSON(_ offer: OrganizationOffer, _ account: Account) throws -> JSON {
    let addresses = try Account.contacts(of: account.id, db).filter { $0.kind == .emailAddress }
    return try invitationJSON(
      id: offer.id,
      to: offer.emailAddress ?? addresses.first?.value ?? "",
      of: offer.organizationID,
      as: Role(key: offer.role),
      status: offer.status,
      createdAt: offer.createdAt,
      updatedAt: offer.updatedAt
    )
  }

  func invitationJSON(_ invitee: OrganizationInvitee) throws -> JSON {
    try invitationJSON(
      id: invitee.id,
      to: invitee.emailAddress,
      of: invitee.organizationID,
      as: Role(key: invitee.role),
      status: invitee.status,
      createdAt: invitee.createdAt,
      updatedAt: invitee.revokedAt ?? invitee.createdAt
    )
  }

  private func invitationJSON(
    id: String,
    to address: String,
    of organizationID: String,
    as role: Role,
    status: OrganizationOffer.Status,
    createdAt: EpochMilliseconds,
    updatedAt: EpochMilliseconds
  ) throws -> JSON {
    [
      "object": "organization_invitation",
      "id": .string(id),
      "email_address": .string(address),
      "role": .string(role.key),
      "role_name": .string(role.name),
      "organization_id": .string(organizationID),
      "public_organization_data": try publicOrganizationJSON(organizationID),
      "status": .string(status.rawValue),
      "public_metadata": [:],
      "url": .null,
      "expires_at": .null,
      "created_at": .instant(createdAt),
      "updated_at": .instant(updatedAt),
    ]
  }

  func suggestionJSON(_ offer: OrganizationOffer) throws -> JSON {
    [
      "object": "organization_suggestion",
      "id": .string(offer.id),
      "public_organization_data": try publicOrganizationJSON(offer.organizationID),
      "status": .string(offer.status.rawValue),
      "created_at": .instant(offer.createdAt),
      "updated_at": .instant(offer.updatedAt),
    ]
  }

  private func publicOrganizationJSON(_ id: String) throws -> JSON {
    guard let organization = try Organization.fetchOne(db, key: id) else {
      throw ClerkRefusal.resourceNotFound
    }
    return [
      "id": .string(organization.id),
      "name": .string(organization.name),
      "slug": .string(organization.slug),
      "image_url": "",
      "has_image": false,
    ]
  }
}

/// A role, which determines what a member may do.
struct Role: Sendable, Hashable {
  var key: String

  /// `org:billing_clerk` is called "Billing clerk".
  var name: String {
    let word = (key.split(separator: ":").last.map(String.init) ?? key).replacing("_", with: " ")
    return word.prefix(1).uppercased() + word.dropFirst()
  }

  var permissions: [String] {
    let reading = ["org:sys_memberships:read", "org:sys_billing:read"]
    guard key == OrganizationRules.creatorRole else { return reading }
    return reading + [
      "org:sys_memberships:manage", "org:sys_profile:manage", "org:sys_profile:delete",
      "org:sys_domains:read", "org:sys_domains:manage", "org:sys_billing:manage",
    ]
  }
}
