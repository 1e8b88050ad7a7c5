internal import GRDB

/// A contact that was added to an account and is not verified yet: it does not identify the account.
struct UnverifiedContact: Codable, Sendable, Hashable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "unverifiedContact"

  var id: String
  var accountID: String
  var kind: Contact.Kind
  /// Normalised.
  var value: String
  /// Whether it becomes a second factor once it is verified.
  var isSecondFactor: Bool
  var verification: Verification?
  var createdAt: EpochMilliseconds

  static func all(of accountID: String, _ db: Database) throws -> [Self] {
    try fetchAll(
      db.cachedStatement(
        sql: "SELECT * FROM unverifiedContact WHERE accountID = ? ORDER BY createdAt, rowid"
      ),
      arguments: [accountID]
    )
  }

  /// The contact that it becomes once it is verified.
  func contact(among contacts: [Contact]) -> Contact {
    Contact(
      id: id,
      accountID: accountID,
      kind: kind,
      value: value,
      isPrimary: !contacts.contains { $0.kind == kind },
      isSecondFactor: false,
      isDefaultSecondFactor: false,
      createdAt: createdAt,
      position: contacts.nextPosition
    )
  }
}
