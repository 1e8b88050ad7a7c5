internal import GRDB

/// The tables of a world.
enum Schema {
  /// One step from the tables of an older version to those of a newer one.
  ///
  /// It is plain SQL, so that later changes to the records cannot change what it does.
  struct Migration: Sendable {
    var name: String
    var sql: String
  }

  /// In order; a released migration never changes.
  static let migrations: [Migration] = [
    .accounts, .sessionTasks, .entra, .invitations, .browsers, .exactResources, .sessionActivity,
    .retention, .organizationInvitees, .organizationInvitations, .messageLanguage, .seed,
    .registeredMethods,
  ]

  /// The names of the migrations that have led to the present tables.
  static let names = migrations.map(\.name)

  /// The migrations that are left after those that are done; nil if these are of a newer version or
  /// of none.
  static func migrations(after done: [String]) -> ArraySlice<Migration>? {
    !done.isEmpty && names.starts(with: done) ? migrations.dropFirst(done.count) : nil
  }

  /// The database was written by a newer version, whose tables this one does not know.
  struct IsNewer: Error {}

  /// The database has tables that are not this program's.
  struct IsForeign: Error {}

  /// Creates the present tables in an empty database that no other process will open: the
  /// migrations are not recorded.
  ///
  /// - Throws: What SQLite reports.
  static func create(_ db: Database) throws {
    for migration in migrations { try db.execute(sql: migration.sql) }
  }

  /// Brings a database, empty or older, to the present tables.
  ///
  /// Nobody may have read from it before: a connection that knows the older tables would read the
  /// new ones by the old column positions. So everything is done on the writer's connection.
  /// - Returns: The upgrade, if the database was older.
  /// - Throws: `IsNewer` or `IsForeign`, with nothing changed, or what SQLite reports.
  @discardableResult
  static func migrate(_ database: any DatabaseWriter) throws -> Worlds.Upgrade? {
    var migrator = DatabaseMigrator()
    for migration in migrations {
      migrator.registerMigration(migration.name) { db in try db.execute(sql: migration.sql) }
    }
    let last = try database.write { db -> String? in
      guard let last = try newest(of: db) else {
        try begin(db)
        return nil
      }
      return last
    }
    let upgrade = Worlds.Upgrade(from: last)
    // Another process may do the same: GRDB reads which migrations are left before it locks the
    // database, and fails if the other process was quicker. Each time the other one has done at
    // least one step.
    for _ in migrations {
      do {
        try migrator.migrate(database)
        return upgrade
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        continue
      }
    }
    try migrator.migrate(database)
    return upgrade
  }

  /// The last migration of a database; nil if it is empty.
  ///
  /// - Throws: `IsNewer`, `IsForeign`, or what SQLite reports.
  static func newest(of db: Database) throws -> String? {
    let applied = try DatabaseMigrator().appliedIdentifiers(db)
    guard let first = names.first, applied.contains(first) else {
      let isEmpty = try Bool.fetchOne(
        db,
        sql: """
          SELECT NOT EXISTS (
            SELECT 1 FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' AND tbl_name <> 'grdb_migrations'
          )
          """
      )
      guard applied.isEmpty, isEmpty == true else { throw IsForeign() }
      return nil
    }
    guard applied.isSubset(of: names) else { throw IsNewer() }
    let done = names.prefix(applied.count)
    guard applied == Set(done) else { throw IsForeign() }
    return done.last
  }

  /// Creates the present tables in an empty file, and records the migrations as GRDB's migrator
  /// does.
  ///
  /// All of it or nothing: a process that is killed meanwhile leaves no older database behind.
  private static func begin(_ db: Database) throws {
    try create(db)
    try db.execute(
      sql: "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"
    )
    for name in names {
      try db.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [name])
    }
  }
}

extension Worlds.Upgrade {
  /// Nil if there was no older database.
  ///
  /// - Parameter last: The last migration before; nil if the database was empty.
  fileprivate init?(from last: String?) {
    guard let last, let newest = Schema.names.last, last != newest else { return nil }
    from = last
    to = newest
  }
}
