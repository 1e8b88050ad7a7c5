internal import GRDB

/// An address without an account that an organization has invited: the invitation waits for whoever
/// makes the address their own.
struct OrganizationInvitee: Codable, Sendable, Hashable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "organizationInvitee"

  /// The invitation keeps it once there is an account.
  var id: String
  var organizationID: String
  /// Normalised.
  var emailAddress: String
  var role: String
  var createdAt: EpochMilliseconds
  /// Nil while it waits.
  var revokedAt: EpochMilliseconds?

  var status: OrganizationOffer.Status { revokedAt == nil ? .pending : .revoked }

  static func all(invitedTo organizationID: String, _ db: Database) throws -> [Self] {
    let sql = """
      SELECT * FROM organizationInvitee WHERE organizationID = ? ORDER BY createdAt, rowid
      """
    return try fetchAll(db.cachedStatement(sql: sql), arguments: [organizationID])
  }

  /// Makes what waited for an address the account's own invitations.
  ///
  /// Where the account is a member, or is invited already, nothing comes of it: one person takes one place.
  static func claim(
    _ address: String,
    by accountID: String,
    at now: EpochMilliseconds,
    _ db: Database
  ) throws {
    let waiting = try fetchAll(
      db.cachedStatement(
        sql: "SELECT * FROM organizationInvitee WHERE emailAddress = ? AND revokedAt IS NULL"
      ),
      arguments: [address]
    )
    for invitee in waiting {
      try invitee.delete(db)
      let organizationID = invitee.organizationID
      guard try Membership.of(accountID, in: organizationID, db) == nil,
        try !OrganizationOffer.isInvited(accountID, to: organizationID, db)
      else { continue }
      try OrganizationOffer(
        id: invitee.id,
        kind: .invitation,
        organizationID: organizationID,
        accountID: accountID,
        emailAddress: address,
        role: invitee.role,
        status: .pending,
        createdAt: invitee.createdAt,
        updatedAt: now
      ).insert(db)
    }
  }
}
