internal import GRDB

/// The tables of a world.
enum Schema {
  /// One step from the tables of an older program to those of a newer.
  ///
  /// It is SQL of its time: what the records have become since cannot change what it does.
  struct Migration: Sendable {
    var name: String
    var sql: String
  }

  /// In the order in which they came; one that was released never changes.
  static let migrations: [Migration] = [
    .accounts, .sessionTasks, .entra, .invitations, .browsers, .exactResources, .sessionActivity,
    .retention, .organizationInvitees, .organizationInvitations, .messageLanguage, .seed,
  ]

  /// The present tables, as the names of what has brought them about.
  static let names = migrations.map(\.name)

  /// The migrations that tables lack which others have brought about, in this order; nil for those of no program, and
  /// of a newer one.
  static func migrations(after done: [String]) -> ArraySlice<Migration>? {
    !done.isEmpty && names.starts(with: done) ? migrations.dropFirst(done.count) : nil
  }

  /// That a database was written by a newer program, whose tables this one does not know.
  struct IsNewer: Error {}

  /// That a database has tables that no program of this kind has left there.
  struct IsForeign: Error {}

  /// Makes the present tables in an empty database that no other program will open: what has been
  /// applied is not noted.
  ///
  /// - Throws: What SQLite reports.
  static func create(_ db: Database) throws {
    for migration in migrations { try db.execute(sql: migration.sql) }
  }

  /// Brings a database, empty or older, to the present tables.
  ///
  /// Before that nobody may have read from it: a connection that knows the older tables goes on to read the newer
  /// ones by the places that their columns had. So all is done by the one that writes.
  /// - Returns: From which to which, where there was an older one.
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
    // Another process may do the same: GRDB asks what is left before it has the database to itself, and
    // then fails where the other one has been quicker. Each time that one has done a step at least.
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

  /// What was done last to the tables of a database; nil of an empty one.
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

  /// Makes the present tables in a file without any, all or none of them, and notes it as GRDB's migrator does:
  /// who is killed meanwhile leaves no older database behind.
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
  /// Nil where there was nothing older.
  ///
  /// - Parameter last: What was done last to the tables before; nil of an empty database.
  fileprivate init?(from last: String?) {
    guard let last, let newest = Schema.names.last, last != newest else { return nil }
    from = last
    to = newest
  }
}
