internal import GRDB

/// The tables of a world.
enum Schema {
  /// Brings a database, empty or older, to the present tables.
  static func migrate(_ database: any DatabaseWriter) throws {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { db in
      try createAccounts(db)
      try createAttempts(db)
      try db.execute(sql: "CREATE TABLE heartbeat (id INTEGER PRIMARY KEY, count INTEGER NOT NULL)")
    }
    migrator.registerMigration("session tasks") { db in
      try createOrganizations(db)
      try createUnverifiedContacts(db)
    }
    migrator.registerMigration("entra") { db in try createEntra(db) }
    migrator.registerMigration("invitations") { db in try InvitationRecord.createTable(db) }
    migrator.registerMigration("browsers") { db in try createBrowsers(db) }
    migrator.registerMigration("exact resources") { db in try addExactResources(db) }
    migrator.registerMigration("session activity") { db in
      try db.execute(sql: "ALTER TABLE session ADD COLUMN activity TEXT")
    }
    try migrator.migrate(database)
  }

  private static func createAccounts(_ db: Database) throws {
    try db.create(table: "account") { table in
      table.primaryKey("id", .text)
      for name in ["firstName", "lastName", "password", "totpSecret"] { table.column(name, .text) }
      for name in [
        "passwordState", "totpUsedSteps", "backupCodes", "organizations", "tasks", "entra",
        "unsafeMetadata",
      ] { table.column(name, .text).notNull() }
      for name in [
        "hasEmailSecondFactor", "needsClientTrust", "isBanned", "isEnterprise", "usesEmailLink",
      ] { table.column(name, .boolean).notNull() }
      for name in ["passwordUpdatedAt", "lastSignInAt", "legalAcceptedAt"] {
        table.column(name, .integer)
      }
      for name in ["createdAt", "updatedAt"] { table.column(name, .integer).notNull() }
    }
    try db.create(table: "contact") { table in
      table.primaryKey("id", .text)
      table.column("accountID", .text).notNull().indexed()
        .references("account", onDelete: .cascade)
      table.column("kind", .text).notNull()
      table.column("value", .text).notNull()
      for name in ["isPrimary", "isSecondFactor", "isDefaultSecondFactor"] {
        table.column(name, .boolean).notNull()
      }
      table.column("createdAt", .integer).notNull()
      table.column("position", .integer).notNull()
      table.uniqueKey(["kind", "value"])
    }
    try db.create(table: "lockout") { table in
      table.primaryKey("subject", .text)
      table.column("failureCount", .integer).notNull()
      table.column("isLocked", .boolean).notNull()
      table.column("lockedUntil", .integer)
    }
    try db.create(table: "message") { table in
      table.autoIncrementedPrimaryKey("sequence")
      for name in ["id", "to", "channel", "purpose", "text"] { table.column(name, .text).notNull() }
      for name in ["code", "link", "subject"] { table.column(name, .text) }
      table.column("sent", .boolean).notNull()
      table.column("createdAt", .integer).notNull()
    }
  }

  private static func createAttempts(_ db: Database) throws {
    try db.create(table: "client") { table in
      table.primaryKey("id", .text)
      table.column("tokenHash", .blob).notNull().unique()
      for name in ["signInID", "signUpID", "lastActiveSessionID", "lastStrategy"] {
        table.column(name, .text)
      }
      for name in ["createdAt", "updatedAt"] { table.column(name, .integer).notNull() }
    }
    try db.create(table: "device") { table in
      table.primaryKey {
        table.column("clientID", .text).notNull().references("client", onDelete: .cascade)
        table.column("accountID", .text).notNull().references("account", onDelete: .cascade)
      }
    }
    try db.create(table: "session") { table in
      table.primaryKey("id", .text)
      table.column("clientID", .text).notNull().indexed()
        .references("client", onDelete: .cascade)
      table.column("accountID", .text).notNull().indexed()
        .references("account", onDelete: .cascade)
      table.column("ending", .text)
      table.column("organizationID", .text)
      for name in ["createdAt", "updatedAt", "expireAt", "abandonAt", "lastActiveAt"] {
        table.column(name, .integer).notNull()
      }
      for name in ["firstFactorAt", "secondFactorAt"] { table.column(name, .integer) }
    }
    for name in ["signIn", "signUp"] {
      try db.create(table: name) { table in
        table.primaryKey("id", .text)
        table.column("clientID", .text).notNull().indexed()
          .references("client", onDelete: .cascade)
        table.column("createdAt", .integer).notNull()
        table.column("abandonAt", .integer).notNull()
        table.column("state", .text).notNull()
      }
    }
    try db.create(table: "signingKey") { table in
      table.primaryKey("id", .text)
      table.column("pem", .text).notNull()
    }
  }

  private static func createEntra(_ db: Database) throws {
    try db.create(table: "entraFlow") { table in
      table.primaryKey("id", .text)
      table.column("tokenHash", .blob).notNull().unique()
      table.column("clientID", .text).notNull()
      table.column("createdAt", .integer).notNull()
      table.column("expireAt", .integer).notNull()
      table.column("state", .text).notNull()
    }
    try db.create(table: "entraSession") { table in
      table.primaryKey("tokenHash", .blob)
      for name in ["id", "clientID", "scope", "contexts", "policies"] {
        table.column(name, .text).notNull()
      }
      table.column("accountID", .text).notNull().indexed()
      table.column("hasSecondFactor", .boolean).notNull()
      table.column("passwordUpdatedAt", .integer)
      table.column("createdAt", .integer).notNull()
      table.column("expireAt", .integer).notNull()
    }
    try db.create(table: "entraMethod") { table in
      table.primaryKey("id", .text)
      table.column("accountID", .text).notNull().indexed()
        .references("account", onDelete: .cascade)
      for name in ["channel", "target"] { table.column(name, .text).notNull() }
    }
  }
}
