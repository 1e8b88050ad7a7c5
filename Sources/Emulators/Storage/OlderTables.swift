internal import GRDB
internal import HTTPExchange

/// The tables of a world that an older program exported.
///
/// Its rows are put into tables as they were then, in a database of their own, and go the way from there that a
/// database on disk goes. It is a temporary file without a name: a world may be larger than memory.
struct OlderTables {
  private let database: DatabaseQueue

  /// - Parameters:
  ///   - document: What was exported.
  ///   - migrations: Those that its tables lack.
  /// - Throws: `DocumentError` where its rows are none of those tables, `JSONReader.Malformed`, or what SQLite
  ///   reports.
  init(of document: WorldDocument, lacking migrations: ArraySlice<Schema.Migration>) throws {
    // As while a database on disk is migrated: what refers to what is looked at in the end.
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    // SQLite's name for such a file.
    database = try DatabaseQueue(path: "", configuration: configuration)
    try database.write { db in
      for migration in Schema.migrations.prefix(upTo: migrations.startIndex) {
        try db.execute(sql: migration.sql)
      }
      guard try Set(document.tables.keys) == Self.names(db) else {
        throw DocumentError("'tables' has not the tables of a world")
      }
      for (name, range) in document.tables {
        var reader = JSONReader(document.content, in: range)
        try ImportedRows(intoOlder: name, db).insert(from: &reader)
      }
      do {
        for migration in migrations { try db.execute(sql: migration.sql) }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        // What is done to rows is good for all that the program wrote.
        throw DocumentError("its rows are none of a world: \(error.message ?? "")")
      }
    }
  }

  /// Those that made up the world.
  private static func names(_ db: Database) throws -> Set<String> {
    let names = try String.fetchSet(
      db,
      sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
    )
    return names.subtracting(WorldTables.ofTheInstallation)
  }

  /// Copies the rows of a present table.
  ///
  /// - Throws: `DocumentError` naming the row that no call writes, or what SQLite reports.
  func copy(into table: WorldTable, _ db: Database) throws {
    let rows = try ImportedRows(into: table, db)
    try database.read { older in
      let cursor = try Row.fetchCursor(
        older,
        sql: "SELECT * FROM \(table.name.quotedDatabaseIdentifier) ORDER BY rowid"
      )
      try rows.insert(from: cursor)
    }
  }
}
