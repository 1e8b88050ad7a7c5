internal import GRDB
internal import HTTPExchange

/// The members of an organization.
///
/// Source: <doc:ClerkOrganizationCalls>.
extension ClerkTransaction {
  /// `GET /v1/organizations/{id}/memberships`.
  func readMemberships(in id: String) throws -> ClerkOutcome {
    let organization = try organizationJSON(ownOrganization(id).organization)
    let roles = Set(call.query.values(of: "role"))
    let text = call.query["query"]?.lowercased() ?? ""
    let members = try Membership.all(in: id, db)
      .filter { roles.isEmpty || roles.contains($0.role) }
      .filter { try text.isEmpty || publicUserData(of: $0).isAbout(text) }
    let page = try call.page(of: members).map { membership in
      try membershipJSON(membership, member(membership), in: organization)
    }
    guard try call.queryFlag("paginated") else { return .resource(.array(page)) }
    return .resource(.list(page, of: members.count).withRoleMigration)
  }

  private func publicUserData(of membership: Membership) throws -> JSON {
    let account = try member(membership)
    return publicUserDataJSON(account, try Account.contacts(of: account.id, db))
  }

  /// `POST /v1/organizations/{id}/memberships`.
  func createMembership(in id: String) throws -> ClerkOutcome {
    try form.allowOnly(["user_id", "role"])
    let own = try ownOrganization(id)
    try own.requireAdministrator()
    let userID = try form.required("user_id")
    let role = try role()
    guard let account = try Account.fetchOne(db, key: userID) else {
      throw ClerkRefusal.resourceNotFound(parameter: "user_id")
    }
    guard try Membership.of(userID, in: id, db) == nil else {
      throw ClerkRefusal.badRequest(
        "already_a_member_in_organization",
        "They are a member already."
      )
    }
    try join(own.organization, account, as: role)
    return try outcome(ofMember: userID, in: id)
  }

  /// `PATCH /v1/organizations/{id}/memberships/{user_id}`.
  func updateMembership(in id: String, of userID: String) throws -> ClerkOutcome {
    try form.allowOnly(["role"])
    try ownOrganization(id).requireAdministrator()
    let role = try role()
    var membership = try membership(in: id, of: userID)
    try refuseIfLastAdministrator(membership, becoming: role)
    membership.role = role
    try membership.update(db)
    return try outcome(ofMember: userID, in: id)
  }

  /// `DELETE /v1/organizations/{id}/memberships/{user_id}`: by an administrator or by the member.
  func deleteMembership(in id: String, of userID: String) throws -> ClerkOutcome {
    let own = try ownOrganization(id)
    if userID != own.account.id { try own.requireAdministrator() }
    let membership = try membership(in: id, of: userID)
    try refuseIfLastAdministrator(membership, becoming: nil)
    let json = try membershipJSON(membership, member(membership))
    try membership.end(db)
    return .resource(json)
  }

  /// Refuses another member of a full organization; pending invitations count as members.
  ///
  /// - Throws: `organization_membership_quota_exceeded`.
  func refuseIfFull(_ id: String) throws {
    let count =
      try Membership.count(in: id, db) + Organization.pendingInvitationCount(to: id, db)
    guard count < OrganizationRules.maximumMemberships else {
      throw ClerkRefusal.membershipQuotaExceeded
    }
  }

  /// The role that the call names, by its key.
  func role() throws -> String {
    let role = try form.required("role")
    guard Role.all.contains(where: { $0.key == role }) else {
      throw ClerkRefusal.invalidValue("role")
    }
    return role
  }

  private func outcome(ofMember userID: String, in id: String) throws -> ClerkOutcome {
    let membership = try membership(in: id, of: userID)
    return .resource(try membershipJSON(membership, member(membership)))
  }

  private func membership(in id: String, of userID: String) throws -> Membership {
    guard let membership = try Membership.of(userID, in: id, db) else {
      throw ClerkRefusal.resourceNotFound
    }
    return membership
  }

  private func member(_ membership: Membership) throws -> Account {
    guard let account = try Account.fetchOne(db, key: membership.accountID) else {
      throw ClerkRefusal.resourceNotFound
    }
    return account
  }

  private func refuseIfLastAdministrator(
    _ membership: Membership,
    becoming role: String?
  ) throws {
    guard membership.role == OrganizationRules.creatorRole, role != membership.role else { return }
    let others = try Membership.all(in: membership.organizationID, db)
      .filter { $0.id != membership.id && $0.role == OrganizationRules.creatorRole }
    guard !others.isEmpty else { throw ClerkRefusal.lastAdministrator }
  }
}

extension Membership {
  static func all(in organizationID: String, _ db: Database) throws -> [Self] {
    try fetchAll(
      db.cachedStatement(
        sql: "SELECT * FROM membership WHERE organizationID = ? ORDER BY createdAt, rowid"
      ),
      arguments: [organizationID]
    )
  }
}

extension JSON {
  /// Whether a name or an identifier in a person's public data contains the text.
  fileprivate func isAbout(_ text: String) -> Bool {
    ["user_id", "first_name", "last_name", "identifier", "username"].contains { name in
      self[name]?.string?.lowercased().contains(text) == true
    }
  }

  /// The list with the member that says that no migration between sets of roles is under way.
  var withRoleMigration: JSON {
    var list = self
    list["has_role_set_migration"] = false
    return list
  }
}
