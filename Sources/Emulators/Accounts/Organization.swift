internal import Foundation
internal import GRDB

/// An organization of a world; its slug is its own.
struct Organization: Codable, Sendable, Hashable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "organization"

  var id: String
  var slug: String
  var name: String
  var createdAt: EpochMilliseconds
  var updatedAt: EpochMilliseconds

  static func named(slug: String, _ db: Database) throws -> Self? {
    try fetchOne(
      db.cachedStatement(sql: "SELECT * FROM organization WHERE slug = ?"),
      arguments: [slug]
    )
  }

  /// A slug from the name that nobody has yet, and that is none of those taken besides.
  static func freeSlug(
    for name: String,
    besides taken: Set<String> = [],
    _ db: Database
  ) throws -> String {
    let stem = OrganizationRules.slug(of: name)
    var slug = stem
    var count = 1
    while try taken.contains(slug) || named(slug: slug, db) != nil {
      count += 1
      slug = "\(stem)-\(count)"
    }
    return slug
  }

  /// The organization of that slug, under that name; made where there is none.
  static func known(
    as described: AccountDescription.Organization,
    at now: EpochMilliseconds,
    random: RandomSource,
    _ db: Database
  ) throws -> Self {
    guard var organization = try named(slug: described.slug, db) else {
      // The same in every world, as long as nothing else has it: walks that name it can be walked again.
      let id = "org_\(described.slug.replacing("-", with: "_"))"
      let made = Self(
        id: try exists(db, key: id) ? random.identifier("org") : id,
        slug: described.slug,
        name: described.name,
        createdAt: now,
        updatedAt: now
      )
      try made.insert(db)
      return made
    }
    if organization.name != described.name {
      organization.name = described.name
      organization.updatedAt = now
      try organization.update(db)
    }
    return organization
  }

  static func pendingInvitationCount(to id: String, _ db: Database) throws -> Int {
    let sql = """
      SELECT (SELECT count(*) FROM organizationInvitee
          WHERE organizationID = ?1 AND revokedAt IS NULL)
        + (SELECT count(*) FROM organizationOffer
          WHERE organizationID = ?1 AND kind = 'invitation' AND status = 'pending')
      """
    return try Int.fetchOne(db.cachedStatement(sql: sql), arguments: [id]) ?? 0
  }
}

/// That an account belongs to an organization, and as what.
struct Membership: Codable, Sendable, Hashable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "membership"

  var id: String
  var organizationID: String
  var accountID: String
  /// `org:admin`, `org:member`, or a role of the instance's own.
  var role: String
  var createdAt: EpochMilliseconds

  static func count(in organizationID: String, _ db: Database) throws -> Int {
    try Int.fetchOne(
      db.cachedStatement(sql: "SELECT count(*) FROM membership WHERE organizationID = ?"),
      arguments: [organizationID]
    ) ?? 0
  }

  static func all(of accountID: String, _ db: Database) throws -> [Self] {
    try fetchAll(
      db.cachedStatement(
        sql: "SELECT * FROM membership WHERE accountID = ? ORDER BY createdAt, rowid"
      ),
      arguments: [accountID]
    )
  }

  static func of(
    _ accountID: String,
    in organizationID: String,
    _ db: Database
  ) throws -> Self? {
    try fetchOne(
      db.cachedStatement(
        sql: "SELECT * FROM membership WHERE accountID = ? AND organizationID = ?"
      ),
      arguments: [accountID, organizationID]
    )
  }

  /// Ends it; a session goes on without an organization that its account has left.
  func end(_ db: Database) throws {
    try delete(db)
    try db.cachedStatement(
      sql: "UPDATE session SET organizationID = NULL WHERE accountID = ? AND organizationID = ?"
    ).execute(arguments: [accountID, organizationID])
  }
}

/// An organization that an account may join: invited, or by a suggestion that someone has to grant.
struct OrganizationOffer: Codable, Sendable, Hashable, FetchableRecord, PersistableRecord {
  enum Kind: String, Codable, Sendable, DatabaseValueConvertible {
    case invitation, suggestion
  }

  enum Status: String, Codable, Sendable, DatabaseValueConvertible {
    case pending, accepted, revoked
  }

  static let databaseTableName = "organizationOffer"

  var id: String
  var kind: Kind
  var organizationID: String
  var accountID: String
  /// What was invited; nil where the account itself was.
  var emailAddress: String?
  /// What an invitation makes of whoever accepts it.
  var role: String
  var status: Status
  var createdAt: EpochMilliseconds
  var updatedAt: EpochMilliseconds

  static func all(_ kind: Kind, of accountID: String, _ db: Database) throws -> [Self] {
    let sql = """
      SELECT * FROM organizationOffer WHERE accountID = ? AND kind = ? ORDER BY createdAt, rowid
      """
    return try fetchAll(db.cachedStatement(sql: sql), arguments: [accountID, kind])
  }

  /// Whether an invitation to the organization waits for the account.
  static func isInvited(
    _ accountID: String,
    to organizationID: String,
    _ db: Database
  ) throws -> Bool {
    try all(.invitation, of: accountID, db)
      .contains { $0.organizationID == organizationID && $0.status == .pending }
  }

  /// Accepts all that invites an account to an organization.
  static func acceptInvitations(
    of accountID: String,
    to organizationID: String,
    at now: EpochMilliseconds,
    _ db: Database
  ) throws {
    try db.cachedStatement(
      sql: """
        UPDATE organizationOffer SET status = 'accepted', updatedAt = ?
        WHERE accountID = ? AND organizationID = ? AND kind = 'invitation' AND status = 'pending'
        """
    ).execute(arguments: [now, accountID, organizationID])
  }
}

extension AccountDescription {
  /// Writes the organizations of an account: those it is in, and those it may join.
  ///
  /// A membership that stays keeps its identifier. Nobody is invited to where they are a member: one person
  /// takes one place.
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

  /// Writes the offers that still stand; one that was there keeps its identifier.
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
