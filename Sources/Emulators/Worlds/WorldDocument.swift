internal import Foundation
internal import GRDB

/// A whole world as one JSON document, and back.
///
/// The document holds everything that people put into a world: accounts with their password hashes,
/// clients, sessions, attempts, messages, settings and the clock. It is as secret as the database.
extension World {
  static let documentVersion: Int64 = 1
  /// What identifies the installation, or keeps count of its own.
  private static let ownTables: Set<String> = ["signingKey", "heartbeat", "grdb_migrations"]

  /// The world as it is now.
  ///
  /// - Throws: What SQLite reports.
  public func document() async throws -> JSON {
    let reading = clock.reading
    let settings = settings
    let (migrations, tables) = try await database.read { db in
      try (
        Self.migrations(db), Self.tableNames(db).map { try JSON.Member($0, Self.rows(of: $0, db)) }
      )
    }
    return [
      "vestibule_world": .integer(Self.documentVersion),
      "schema": .strings(migrations),
      "instance": settings.json,
      "clock": [
        "now": .instant(Instant(reading.now)),
        "offset_seconds": .number(reading.offset),
        "frozen": .bool(reading.isFrozen),
      ],
      "tables": .object(tables),
    ]
  }

  /// Puts a document in the place of everything that is in the world.
  ///
  /// - Throws: `DocumentError` where it is no such document, or one of another version; or what
  ///   SQLite reports. Then nothing has changed.
  public func replace(with document: JSON) async throws {
    guard document["vestibule_world"]?.integer == Self.documentVersion,
      let schema = document["schema"]?.array?.map(\.string),
      case .object(let tables)? = document["tables"], let instance = document["instance"],
      let clockJSON = document["clock"], let frozen = clockJSON["frozen"]?.bool,
      let now = clockJSON["now"]?.integer, let offset = clockJSON["offset_seconds"]?.seconds
    else { throw DocumentError("this is not an exported world") }
    let settings = try InstanceSettings(json: Data(instance.encoded))
    try await database.write { db in
      guard try Self.migrations(db) == schema else {
        throw DocumentError("the world was exported by another version of this program")
      }
      let names = try Self.tableNames(db)
      guard Set(tables.map(\.name)) == Set(names), tables.count == names.count else {
        throw DocumentError("'tables' has not the tables of a world")
      }
      do {
        // Rows refer to rows of tables that come later.
        try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
        for name in names { try db.execute(sql: "DELETE FROM \(name.quotedDatabaseIdentifier)") }
        for table in tables { try Self.insert(table.value, into: table.name, db) }
        try db.checkForeignKeys()
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        throw DocumentError("its rows contradict each other: \(error.message ?? "")")
      }
    }
    self.settings = settings
    clock.reset()
    if frozen {
      clock.freeze(true)
      clock.set(Instant(rawValue: now).date)
    } else {
      clock.advance(offset)
    }
    faults.removeAll()
    traces.removeAll()
    rateLimits.removeAll()
    outbox.announce()
  }

  private static func migrations(_ db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
  }

  private static func tableNames(_ db: Database) throws -> [String] {
    try String.fetchAll(
      db,
      sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ).filter { !ownTables.contains($0) }.sorted()
  }

  private static func rows(of table: String, _ db: Database) throws -> JSON {
    let sql = "SELECT * FROM \(table.quotedDatabaseIdentifier) ORDER BY rowid"
    return .array(
      try Row.fetchAll(db, sql: sql).map { row in
        .object(row.map { column, value in JSON.Member(column, JSON(value)) })
      }
    )
  }

  private static func insert(_ rows: JSON, into table: String, _ db: Database) throws {
    guard case .array(let rows) = rows else { throw DocumentError("'\(table)' is no list") }
    let columns = Set(try db.columns(in: table).map(\.name))
    for row in rows {
      guard case .object(let members) = row, members.allSatisfy({ columns.contains($0.name) })
      else { throw DocumentError("'\(table)' has a row with columns of another table") }
      let names = members.map(\.name.quotedDatabaseIdentifier).joined(separator: ", ")
      let places = members.map { _ in "?" }.joined(separator: ", ")
      let values = try members.map { try $0.value.databaseValue(in: table) }
      try db.execute(
        sql: "INSERT INTO \(table.quotedDatabaseIdentifier) (\(names)) VALUES (\(places))",
        arguments: StatementArguments(values)
      )
    }
  }
}

extension JSON {
  fileprivate init(_ value: DatabaseValue) {
    switch value.storage {
    case .null: self = .null
    case .int64(let number): self = .integer(number)
    case .double(let number): self = .number(number)
    case .string(let text): self = .string(text)
    case .blob(let data): self = ["base64": .string(data.base64EncodedString())]
    }
  }

  fileprivate func databaseValue(in table: String) throws -> DatabaseValue {
    switch self {
    case .null: return .null
    case .integer(let number): return number.databaseValue
    case .number(let number): return number.databaseValue
    case .string(let text): return text.databaseValue
    case .object:
      if let data = self["base64"]?.string.flatMap({ Data(base64Encoded: $0) }) {
        return data.databaseValue
      }
    case .bool, .array: break
    }
    throw DocumentError("'\(table)' has a value that no column holds")
  }

  fileprivate var seconds: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number.isFinite ? number : nil
    case .null, .bool, .string, .array, .object: nil
    }
  }
}
