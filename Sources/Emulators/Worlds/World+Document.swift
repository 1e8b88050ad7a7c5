internal import Foundation
internal import GRDB

extension World {
  /// The world as it is now, as a document.
  ///
  /// - Parameters:
  ///   - faults: The world's faults, as backstage tells them.
  ///   - traces: Its traces.
  /// - Returns: JSON, ready to be sent.
  /// - Throws: What SQLite reports.
  public func document(faults: JSON, traces: JSON) async throws -> [UInt8] {
    let reading = clock.reading
    let settings = settings
    return try await database.read { db in
      let head: JSON = [
        "vestibule_world": .integer(WorldDocument.version),
        "schema": .strings(try WorldTables.migrations(db)),
        "instance": settings.json,
        "clock": [
          "now": .instant(Instant(reading.now)),
          "offset_seconds": .number(reading.offset),
          "frozen": .bool(reading.isFrozen),
        ],
        "faults": faults,
        "traces": traces,
      ]
      var bytes = head.encoded
      bytes.removeLast()
      bytes += #","tables":{"#.utf8
      for (index, table) in WorldTables.all.enumerated() {
        bytes += "\(index == 0 ? "" : ",")\"\(table.name)\":".utf8
        try Self.append(table, to: &bytes, db)
      }
      bytes += "}}".utf8
      return bytes
    }
  }

  private static func append(_ table: WorldTable, to bytes: inout [UInt8], _ db: Database) throws {
    bytes.append(UInt8(ascii: "["))
    let rows = try Row.fetchCursor(
      db,
      sql: "SELECT * FROM \(table.name.quotedDatabaseIdentifier) ORDER BY rowid"
    )
    var isFirst = true
    while let row = try rows.next() {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      JSON.object(row.map { JSON.Member($0, JSON($1)) }).append(to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Puts a document in the place of everything that is in the world: all of it, or nothing.
  ///
  /// - Parameters:
  ///   - document: What was exported.
  ///   - newFaults: Its faults; they get names of their own.
  ///   - newTraces: Its traces, newest first.
  /// - Throws: `DocumentError` where it holds what no world does, or was exported by another version;
  ///   or what SQLite reports. Then nothing has changed.
  public func replace(
    with document: WorldDocument,
    faults newFaults: [Fault],
    traces newTraces: [Trace]
  ) async throws {
    guard newFaults.count <= Faults.limit else {
      throw DocumentError("'faults' has more than \(Faults.limit)")
    }
    try await database.write { db in
      guard try WorldTables.migrations(db) == document.schema else {
        throw DocumentError("the world was exported by another version of this program")
      }
      guard Set(document.tables.keys) == Set(WorldTables.named.keys) else {
        throw DocumentError("'tables' has not the tables of a world")
      }
      do {
        try WorldTables.empty(db)
        for table in WorldTables.all { try Self.insert(table, from: document, db) }
        try db.checkForeignKeys()
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        throw DocumentError("its rows contradict each other: \(error.message ?? "")")
      } catch is JSONReader.Malformed {
        throw DocumentError("'tables' has what is no list of rows")
      }
    }
    settings = document.settings
    clock.continue(document.clock)
    faults.replace(with: newFaults)
    traces.replace(with: newTraces)
    rateLimits.removeAll()
    outbox.announce()
  }

  private static func insert(
    _ table: WorldTable,
    from document: WorldDocument,
    _ db: Database
  ) throws {
    guard let range = document.tables[table.name] else { return }
    var reader = JSONReader(document.bytes, in: range)
    try ImportedRows(into: table, db).insert(from: &reader)
  }
}
