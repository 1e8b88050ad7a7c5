internal import GRDB

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
    WorldTable(EntraRefreshToken.self, json: ["contexts", "policies"]),
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

  static let ofTheInstallation: Set<String> = ["heartbeat", "signingKey"]

  static let named = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// Deletes every row of a world, but none of the installation's.
  static func empty(_ db: Database) throws {
    // Rows refer to rows of tables that come later.
    try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
    for table in all {
      try db.execute(sql: "DELETE FROM \(table.name.quotedDatabaseIdentifier)")
    }
  }
}

/// A client that is a known device of an account, which has signed in there.
private struct KnownDevice: Decodable, FetchableRecord, TableRecord {
  static let databaseTableName = "device"

  var clientID: String
  var accountID: String
}
