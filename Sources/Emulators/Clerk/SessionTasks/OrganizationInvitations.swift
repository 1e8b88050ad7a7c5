internal import GRDB
internal import HTTPExchange

/// The invitations of an organization, as its administrators see them.
///
/// Source: <doc:ClerkOrganizationCalls>.
extension ClerkTransaction {
  /// `GET /v1/organizations/{id}/invitations`.
  func readInvitations(to id: String) throws -> ClerkOutcome {
    let statuses = call.query.values(of: "status")
    return try invitations(to: id) { statuses.isEmpty || statuses.contains($0.status.rawValue) }
  }

  /// `GET /v1/organizations/{id}/invitations/pending`.
  func readPendingInvitations(to id: String) throws -> ClerkOutcome {
    try invitations(to: id) { $0.status == .pending }
  }

  private func invitations(
    to id: String,
    where isWanted: (OrganizationOffer) -> Bool
  ) throws -> ClerkOutcome {
    try ownOrganization(id).requireAdministrator()
    let offers = try OrganizationOffer.invitations(to: id, db).filter(isWanted)
    let page = try call.page(of: offers).map { try json($0) }
    return .resource(.list(page, of: offers.count))
  }

  /// `POST /v1/organizations/{id}/invitations`: for who has an account; the emulator keeps no
  /// invitation for anybody else.
  func createInvitation(to id: String) throws -> ClerkOutcome {
    try form.allowOnly(["email_address", "role", "notify"])
    let own = try ownOrganization(id)
    try own.requireAdministrator()
    let text = try form.required("email_address")
    let role = try role()
    guard let address = Contact.Kind.emailAddress.normalized(text) else {
      throw ClerkRefusal(422, .invalidFormat("email_address", .emailAddress))
    }
    guard let contact = try Account.contact(.emailAddress, address, db) else {
      throw ClerkRefusal.notImplemented("Inviting an address that has no account")
    }
    guard try Membership.of(contact.accountID, in: id, db) == nil else {
      throw ClerkRefusal.badRequest(
        "already_a_member_in_organization",
        "They are a member already."
      )
    }
    let waiting = try OrganizationOffer.all(.invitation, of: contact.accountID, db)
      .contains { $0.organizationID == id && $0.status == .pending }
    guard !waiting else {
      throw ClerkRefusal.badRequest("duplicate_record", "They are invited already.")
    }
    let offer = OrganizationOffer(
      id: random.identifier("orginv"),
      kind: .invitation,
      organizationID: id,
      accountID: contact.accountID,
      role: role,
      status: .pending,
      createdAt: now,
      updatedAt: now
    )
    try offer.insert(db)
    return .resource(try json(offer))
  }

  /// `POST /v1/organizations/{id}/invitations/{invitation_id}/revoke`.
  func revokeInvitation(_ invitationID: String, to id: String) throws -> ClerkOutcome {
    try ownOrganization(id).requireAdministrator()
    guard let offer = try OrganizationOffer.fetchOne(db, key: invitationID),
      offer.kind == .invitation, offer.organizationID == id
    else { throw ClerkRefusal.organizationInvitationNotFound }
    guard offer.status == .pending else { throw ClerkRefusal.organizationInvitationAccepted }
    var json = try json(offer)
    try offer.delete(db)
    json["status"] = "revoked"
    return .resource(json)
  }

  private func json(_ offer: OrganizationOffer) throws -> JSON {
    guard let account = try Account.fetchOne(db, key: offer.accountID) else {
      throw ClerkRefusal.resourceNotFound
    }
    return try invitationJSON(offer, account)
  }
}

extension OrganizationOffer {
  fileprivate static func invitations(to organizationID: String, _ db: Database) throws -> [Self] {
    try fetchAll(
      db.cachedStatement(
        sql: """
          SELECT * FROM organizationOffer WHERE organizationID = ? AND kind = 'invitation'
          ORDER BY createdAt, rowid
          """
      ),
      arguments: [organizationID]
    )
  }
}
