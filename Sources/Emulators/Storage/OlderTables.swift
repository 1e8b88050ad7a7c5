internal import GRDB
internal import HTTPExchange

/// The tables of a world that an older version exported.
///
/// The rows are written into tables of that version, in a separate database, which is then migrated
/// like a database on disk. It is an unnamed temporary file, since a world may be larger than
/// memory.
struct OlderTables {
  private let database: DatabaseQueue

  /// - Parameters:
  ///   - document: The exported world.
  ///   - migrations: The migrations that its tables lack.
  /// - Throws: `DocumentError` if its rows do not fit those tables, `JSONReader.Malformed`, or what
  ///   SQLite reports.
  init(of document: WorldDocument, lacking migrations: ArraySlice<Schema.Migration>) throws {
    // As in the migration of a database on disk: foreign keys are checked at the end.
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    // SQLite's name for a temporary file.
    database = try DatabaseQueue(path: "", configuration: configuration)
    try database.write { db in
      for migration in Schema.migrations.prefix(upTo: migrations.startIndex) {
        try db.execute(sql: migration.sql)
      }
      guard try Set(document.tables.keys) == Self.names(db) else {
        throw DocumentError("'tables' does not have the tables of a world")
      }
      for (name, range) in document.tables {
        var reader = JSONReader(document.content, in: range)
        try ImportedRows(intoOlder: name, db).insert(from: &reader)
      }
      do {
        for migration in migrations { try db.execute(sql: migration.sql) }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        // Migrations work for all rows that the program has ever written.
        throw DocumentError("its rows are not those of a world: \(error.message ?? "")")
      }
    }
  }

  /// The names of the tables that make up the world.
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
