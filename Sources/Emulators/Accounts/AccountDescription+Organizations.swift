internal import GRDB

extension AccountDescription {
  /// Writes the organizations of an account: those it is in, and those it may join.
  ///
  /// Memberships that remain keep their identifiers. An account is not invited to an organization
  /// that it is a member of: one person takes one place.
  func writeOrganizations(
    of accountID: String,
    at now: EpochMilliseconds,
    random: RandomSource,
    _ db: Database
  ) throws {
    let kept = try Membership.all(of: accountID, db)
    let described = try organizations.map { described in
      (
        try Emulators.Organization.known(as: described, at: now, random: random, db),
        described.role
      )
    }
    for left in kept where !described.contains(where: { $0.0.id == left.organizationID }) {
      try left.end(db)
    }
    for (organization, role) in described {
      let old = kept.first { $0.organizationID == organization.id }
      let membership = Membership(
        id: old?.id ?? random.identifier("orgmem"),
        organizationID: organization.id,
        accountID: accountID,
        role: role,
        createdAt: old?.createdAt ?? now
      )
      try membership.upsert(db)
      try OrganizationOffer.acceptInvitations(of: accountID, to: organization.id, at: now, db)
    }
    let joined = Set(organizations.map(\.slug))
    let invitations = organizationInvitations.filter { !joined.contains($0.slug) }
    try writeOffers(.invitation, invitations, of: accountID, at: now, random, db)
    try writeOffers(.suggestion, organizationSuggestions, of: accountID, at: now, random, db)
  }

  /// Writes the described offers and deletes other pending ones; existing offers keep their
  /// identifiers.
  private func writeOffers(
    _ kind: OrganizationOffer.Kind,
    _ described: [AccountDescription.Organization],
    of accountID: String,
    at now: EpochMilliseconds,
    _ random: RandomSource,
    _ db: Database
  ) throws {
    let kept = try OrganizationOffer.all(kind, of: accountID, db)
    let wanted = try described.map { described in
      (
        try Emulators.Organization.known(as: described, at: now, random: random, db),
        described.role
      )
    }
    for offer in kept where offer.status == .pending {
      if !wanted.contains(where: { $0.0.id == offer.organizationID }) { try offer.delete(db) }
    }
    for (organization, role) in wanted {
      let old = kept.first { $0.organizationID == organization.id && $0.status == .pending }
      let offer = OrganizationOffer(
        id: old?.id ?? random.identifier(kind == .invitation ? "orginv" : "orgsug"),
        kind: kind,
        organizationID: organization.id,
        accountID: accountID,
        emailAddress: old?.emailAddress,
        role: role,
        status: .pending,
        createdAt: old?.createdAt ?? now,
        updatedAt: now
      )
      try offer.upsert(db)
    }
  }
}
