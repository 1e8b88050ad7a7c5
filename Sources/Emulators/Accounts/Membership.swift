internal import GRDB

/// An account's membership of an organization, with its role.
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

  /// Ends the membership; sessions in the organization continue without one.
  func end(_ db: Database) throws {
    try delete(db)
    try db.cachedStatement(
      sql: "UPDATE session SET organizationID = NULL WHERE accountID = ? AND organizationID = ?"
    ).execute(arguments: [accountID, organizationID])
  }
}
