internal import GRDB
internal import HTTPExchange

/// The invitations of an organization, as its administrators see them.
///
/// Source: <doc:ClerkOrganizationCalls>.
extension ClerkTransaction {
  /// `GET /v1/organizations/{id}/invitations`.
  func readInvitations(to id: String) throws -> ClerkOutcome {
    let statuses = call.query.values(of: "status")
    return try invitations(to: id) { statuses.isEmpty || statuses.contains($0.rawValue) }
  }

  /// `GET /v1/organizations/{id}/invitations/pending`.
  func readPendingInvitations(to id: String) throws -> ClerkOutcome {
    try invitations(to: id) { $0 == .pending }
  }

  private func invitations(
    to id: String,
    where isWanted: (OrganizationOffer.Status) -> Bool
  ) throws -> ClerkOutcome {
    try ownOrganization(id).requireAdministrator()
    let offers = try OrganizationOffer.invitations(to: id, db).filter { isWanted($0.status) }
    let invitees = try OrganizationInvitee.all(invitedTo: id, db).filter { isWanted($0.status) }
    // Sorted by time, so that the order does not reveal which addresses have an account (S19).
    let invitations =
      (offers.map(OrganizationInvitation.offer) + invitees.map(OrganizationInvitation.invitee))
      .sorted { $0.place < $1.place }
    return .resource(.list(try call.page(of: invitations).map(json), of: invitations.count))
  }

  /// `POST /v1/organizations/{id}/invitations`: an address may be invited before it has an account.
  func createInvitation(to id: String) throws -> ClerkOutcome {
    try form.allowOnly(["email_address", "role", "notify"])
    let own = try ownOrganization(id)
    try own.requireAdministrator()
    let text = try form.required("email_address")
    let role = try role()
    guard let address = Contact.Kind.emailAddress.normalized(text) else {
      throw ClerkRefusal(422, .invalidFormat("email_address", .emailAddress))
    }
    let invitation =
      if let contact = try Account.contact(.emailAddress, address, db) {
        try invite(contact.accountID, at: address, to: id, as: role)
      } else {
        try invite(stranger: address, to: id, as: role)
      }
    if try form.flag("notify") != false { try notify(address, of: own.organization) }
    return .resource(try json(invitation))
  }

  private func invite(
    _ accountID: String,
    at address: String,
    to id: String,
    as role: String
  ) throws -> OrganizationInvitation {
    guard try Membership.of(accountID, in: id, db) == nil else {
      throw ClerkRefusal.badRequest(
        "already_a_member_in_organization",
        "They are a member already."
      )
    }
    guard try !OrganizationOffer.isInvited(accountID, to: id, db) else {
      throw ClerkRefusal.invitedAlready
    }
    try refuseIfFull(id)
    let offer = OrganizationOffer(
      id: random.identifier("orginv"),
      kind: .invitation,
      organizationID: id,
      accountID: accountID,
      emailAddress: address,
      role: role,
      status: .pending,
      createdAt: now,
      updatedAt: now
    )
    try offer.insert(db)
    return .offer(offer)
  }

  private func invite(
    stranger address: String,
    to id: String,
    as role: String
  ) throws -> OrganizationInvitation {
    let isWaiting = try OrganizationInvitee.all(invitedTo: id, db)
      .contains { $0.emailAddress == address && $0.status == .pending }
    guard !isWaiting else { throw ClerkRefusal.invitedAlready }
    try refuseIfFull(id)
    let invitee = OrganizationInvitee(
      id: random.identifier("orginv"),
      organizationID: id,
      emailAddress: address,
      role: role,
      createdAt: now
    )
    try invitee.insert(db)
    return .invitee(invitee)
  }

  /// The email has no link, since the API does not know where the application's pages are.
  private func notify(_ address: String, of organization: Organization) throws {
    try send(
      .organizationInvitation(organization.name),
      for: .invitation,
      to: .email(address)
    )
  }

  /// `POST /v1/organizations/{id}/invitations/{invitation_id}/revoke`.
  func revokeInvitation(_ invitationID: String, to id: String) throws -> ClerkOutcome {
    try ownOrganization(id).requireAdministrator()
    var invitation = try pendingInvitation(invitationID, to: id)
    switch invitation {
    case .offer(var offer):
      offer.status = .revoked
      offer.updatedAt = now
      try offer.update(db)
      invitation = .offer(offer)
    case .invitee(var invitee):
      invitee.revokedAt = now
      try invitee.update(db)
      invitation = .invitee(invitee)
    }
    return .resource(try json(invitation))
  }

  private func pendingInvitation(_ invitationID: String, to id: String) throws
    -> OrganizationInvitation
  {
    if let invitee = try OrganizationInvitee.fetchOne(db, key: invitationID),
      invitee.organizationID == id
    {
      guard invitee.status == .pending else {
        throw ClerkRefusal.organizationInvitationNotPending
      }
      return .invitee(invitee)
    }
    guard let offer = try OrganizationOffer.fetchOne(db, key: invitationID),
      offer.kind == .invitation, offer.organizationID == id
    else { throw ClerkRefusal.organizationInvitationNotFound }
    guard offer.status == .pending else { throw ClerkRefusal.organizationInvitationNotPending }
    return .offer(offer)
  }

  private func json(_ invitation: OrganizationInvitation) throws -> JSON {
    switch invitation {
    case .invitee(let invitee): return try invitationJSON(invitee)
    case .offer(let offer):
      guard let account = try Account.fetchOne(db, key: offer.accountID) else {
        throw ClerkRefusal.resourceNotFound
      }
      return try invitationJSON(offer, account)
    }
  }
}

/// An invitation of an account, or of an address that no account has yet.
private enum OrganizationInvitation {
  case offer(OrganizationOffer)
  case invitee(OrganizationInvitee)

  /// The position in a list.
  var place: (createdAt: EpochMilliseconds, id: String) {
    switch self {
    case .offer(let offer): (offer.createdAt, offer.id)
    case .invitee(let invitee): (invitee.createdAt, invitee.id)
    }
  }
}

extension ClerkRefusal {
  fileprivate static let invitedAlready = badRequest(
    "duplicate_record",
    "They are invited already."
  )
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
