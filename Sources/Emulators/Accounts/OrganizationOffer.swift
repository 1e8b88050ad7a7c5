internal import GRDB

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
