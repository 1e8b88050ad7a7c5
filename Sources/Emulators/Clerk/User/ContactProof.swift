internal import GRDB

/// How a contact was verified: a column of the contact's row that only Clerk's API uses.
///
/// If it is empty, whoever created the account vouches for the contact.
struct ContactProof: Codable, Sendable, Hashable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "contact"

  /// The contact's id.
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
