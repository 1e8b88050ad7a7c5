internal import GRDB

/// How the owner of a contact proved it: a column of the contact's row that Clerk's API alone tells of.
///
/// Where there is none, whoever made the account vouches for the contact.
struct ContactProof: Codable, Sendable, Hashable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "contact"

  /// The contact's.
  var id: String
  var verification: Verification?

  /// The verifications of an account's contacts by the contacts' identifiers.
  static func all(of accountID: String, _ db: Database) throws -> [String: Verification] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT id, verification FROM contact WHERE accountID = ? AND verification IS NOT NULL
        """
    )
    let proofs = try fetchAll(statement, arguments: [accountID])
    return Dictionary(
      uniqueKeysWithValues: proofs.compactMap { proof in
        proof.verification.map { (proof.id, $0) }
      }
    )
  }
}
