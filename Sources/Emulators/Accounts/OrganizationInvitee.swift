internal import GRDB

/// An organization's invitation to an email address without an account; it waits until an account
/// has the address.
struct OrganizationInvitee: Codable, Sendable, Hashable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "organizationInvitee"

  /// The invitation keeps this id once an account has claimed it.
  var id: String
  var organizationID: String
  /// Normalised.
  var emailAddress: String
  var role: String
  var createdAt: EpochMilliseconds
  /// Nil while the invitation is pending.
  var revokedAt: EpochMilliseconds?

  var status: OrganizationOffer.Status { revokedAt == nil ? .pending : .revoked }

  static func all(invitedTo organizationID: String, _ db: Database) throws -> [Self] {
    let sql = """
      SELECT * FROM organizationInvitee WHERE organizationID = ? ORDER BY createdAt, rowid
      """
    return try fetchAll(db.cachedStatement(sql: sql), arguments: [organizationID])
  }

  /// Turns the invitations that wait for an address into the account's own.
  ///
  /// An invitation is dropped if the account is a member or invited already: one person takes one
  /// place.
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
