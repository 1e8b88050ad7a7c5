internal import GRDB

/// A table of a world, with the record that the calls read from its rows.
struct WorldTable: Sendable {
  let name: String
  /// The columns that hold JSON of the program's own.
  let jsonColumns: Set<String>
  /// Reads a row as the calls will.
  let read: @Sendable (Row) throws -> Void

  /// - Parameters:
  ///   - type: The record.
  ///   - other: Another that is read from the same rows.
  ///   - json: The columns that hold JSON.
  init<Record: FetchableRecord & TableRecord>(
    _ type: Record.Type,
    and other: (any (FetchableRecord & SendableMetatype).Type)? = nil,
    json: Set<String> = []
  ) {
    name = Record.databaseTableName
    jsonColumns = json
    read = { row in
      _ = try Record(row: row)
      _ = try other?.init(row: row)
    }
  }
}

/// The tables that make up a world, as opposed to those of the installation.
enum WorldTables {
  static let all: [WorldTable] = [
    WorldTable(
      Account.self,
      json: ["password", "totpUsedSteps", "backupCodes", "tasks", "entra"]
    ),
    WorldTable(ClerkClient.self),
    WorldTable(Contact.self, and: ContactProof.self, json: ["verification"]),
    WorldTable(KnownDevice.self),
    WorldTable(DevelopmentBrowser.self),
    WorldTable(EntraFlow.self, json: ["state"]),
    WorldTable(EntraMethod.self),
    WorldTable(EntraSession.self, json: ["contexts", "policies"]),
    WorldTable(SignUpInvitation.self),
    WorldTable(Lockout.self),
    WorldTable(Membership.self),
    WorldTable(MessageRecord.self),
    WorldTable(Organization.self),
    WorldTable(OrganizationInvitee.self),
    WorldTable(OrganizationOffer.self),
    WorldTable(Reverification.self, json: ["state"]),
    WorldTable(ClerkSession.self, json: ["activity"]),
    WorldTable(ClerkSignIn.self, json: ["state"]),
    WorldTable(ClerkSignUp.self, json: ["state"]),
    WorldTable(UnverifiedContact.self, json: ["verification"]),
  ]

  static let named = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// Removes every row, but not what identifies the installation.
  static func empty(_ db: Database) throws {
    // Rows refer to rows of tables that come later.
    try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
    for table in all {
      try db.execute(sql: "DELETE FROM \(table.name.quotedDatabaseIdentifier)")
    }
  }

  /// The schema of the tables, as the names of what has brought it about.
  static func migrations(_ db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
  }
}

/// That a client is a device from which an account has signed in.
private struct KnownDevice: Decodable, FetchableRecord, TableRecord {
  static let databaseTableName = "device"

  var clientID: String
  var accountID: String
}
