internal import GRDB

/// An offer to join an organization: an invitation, or a suggestion that someone has to approve.
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
  /// The invited address; nil if the account itself was invited.
  var emailAddress: String?
  /// The role of an account that accepts.
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

  /// Whether the account has a pending invitation to the organization.
  static func isInvited(
    _ accountID: String,
    to organizationID: String,
    _ db: Database
  ) throws -> Bool {
    try all(.invitation, of: accountID, db)
      .contains { $0.organizationID == organizationID && $0.status == .pending }
  }

  /// Accepts all pending invitations of an account to an organization.
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
