internal import GRDB

/// An organization of a world; its slug is unique.
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

  /// A slug derived from the name that no organization has and that is not in `taken`.
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

  /// The organization with that slug, renamed as described; created if there is none.
  static func known(
    as described: AccountDescription.Organization,
    at now: EpochMilliseconds,
    random: RandomSource,
    _ db: Database
  ) throws -> Self {
    guard var organization = try named(slug: described.slug, db) else {
      // The same in every world unless it is taken, so that a walk that names it can be repeated.
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
