internal import GRDB

/// An organization as its members see and change it.
///
/// Source: <doc:ClerkOrganizationCalls>.
extension ClerkTransaction {
  /// An organization of the signed-in person, with their account and membership.
  struct OwnOrganization {
    var organization: Organization
    var account: Account
    var membership: Membership

    /// - Throws: `missing_organization_permission` if the member is not an administrator.
    func requireAdministrator() throws(ClerkRefusal) {
      guard membership.role == OrganizationRules.creatorRole else {
        throw .missingPermission
      }
    }
  }

  /// The organization with that id, of which the signed-in person has to be a member.
  ///
  /// - Throws: `authentication_invalid` if nobody is signed in, otherwise
  ///   `organization_not_found_or_unauthorized`.
  func ownOrganization(_ id: String) throws -> OwnOrganization {
    let (_, account) = try signedIn()
    guard let organization = try Organization.fetchOne(db, key: id),
      let membership = try Membership.of(account.id, in: id, db)
    else { throw ClerkRefusal.organizationNotFound }
    return OwnOrganization(organization: organization, account: account, membership: membership)
  }

  /// `GET /v1/organizations/{id}`.
  func readOrganization(_ id: String) throws -> ClerkOutcome {
    .resource(try organizationJSON(ownOrganization(id).organization))
  }

  /// `PATCH /v1/organizations/{id}`.
  func updateOrganization(_ id: String) throws -> ClerkOutcome {
    try form.allowOnly(["name", "slug"])
    let own = try ownOrganization(id)
    try own.requireAdministrator()
    var organization = own.organization
    if let name = try form.filled("name") {
      if let problem = OrganizationRules.problem(inName: name) { throw ClerkRefusal(422, problem) }
      organization.name = name
    }
    if let slug = try form.filled("slug"), slug != organization.slug {
      try refuseSlug(slug)
      organization.slug = slug
    }
    organization.updatedAt = now
    try organization.update(db)
    return .resource(try organizationJSON(organization))
  }

  /// `DELETE /v1/organizations/{id}`: its members' sessions continue without an organization.
  func deleteOrganization(_ id: String) throws -> ClerkOutcome {
    let own = try ownOrganization(id)
    try own.requireAdministrator()
    try db.cachedStatement(sql: "UPDATE session SET organizationID = NULL WHERE organizationID = ?")
      .execute(arguments: [id])
    try own.organization.delete(db)
    return .resource(["object": "organization", "id": .string(id), "deleted": true])
  }

  /// `GET /v1/organizations/{id}/roles`.
  func readRoles(in id: String) throws -> ClerkOutcome {
    let organization = try ownOrganization(id).organization
    let roles = try call.page(of: Role.all)
    return .resource(
      .list(roles.map { $0.json(at: organization.createdAt) }, of: Role.all.count)
        .withRoleMigration
    )
  }

  /// - Throws: A refusal if the text is not a slug, or is in use.
  func refuseSlug(_ slug: String) throws {
    guard OrganizationRules.isSlug(slug) else { throw ClerkRefusal.organizationSlugInvalid }
    guard try Organization.named(slug: slug, db) == nil else {
      throw ClerkRefusal(422, .identifierExists("slug"))
    }
  }
}

extension Role {
  static let all = [Self(key: OrganizationRules.creatorRole), Self(key: "org:member")]

  func json(at createdAt: EpochMilliseconds) -> JSON {
    [
      "object": "role",
      "id": .string("role_" + key.replacing(":", with: "_")),
      "key": .string(key),
      "name": .string(name),
      "description": .string("What \(name.lowercased())s may do"),
      "is_creator_eligible": .bool(key == OrganizationRules.creatorRole),
      "permissions": .array(permissions.map { Self.permissionJSON($0, at: createdAt) }),
      "created_at": .instant(createdAt),
      "updated_at": .instant(createdAt),
    ]
  }

  private static func permissionJSON(_ key: String, at createdAt: EpochMilliseconds) -> JSON {
    [
      "object": "permission",
      "id": .string("perm_" + key.replacing(":", with: "_")),
      "key": .string(key),
      "name": .string(key),
      "description": "",
      "type": "system",
      "created_at": .instant(createdAt),
      "updated_at": .instant(createdAt),
    ]
  }
}
