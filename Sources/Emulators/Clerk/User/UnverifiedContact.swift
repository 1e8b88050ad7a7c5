internal import GRDB

/// A contact that someone has added to their account and not proven yet: nobody is found by it.
struct UnverifiedContact: Codable, Sendable, Hashable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "unverifiedContact"

  var id: String
  var accountID: String
  var kind: Contact.Kind
  /// Normalised.
  var value: String
  /// Whether it is to become a second factor as soon as it is proven.
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

  /// The contact that it is once it is proven.
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
