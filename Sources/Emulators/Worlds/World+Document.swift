internal import Foundation
internal import GRDB
internal import Locking

extension World {
  /// The world as it is now, as a document.
  ///
  /// - Parameters:
  ///   - api: The auth API of the world.
  ///   - faults: Writes the world's faults as backstage does.
  ///   - traces: Writes its traces in the same way.
  /// - Returns: A document that does not change while the world continues.
  /// - Throws: What SQLite reports.
  public func export(
    behind api: EmulatedAPI,
    faults: ([Fault]) -> JSON,
    traces: ([Trace]) -> JSON
  ) async throws -> WorldExport {
    let (snapshot, surroundings) = try await database.snapshot { self.surroundings }
    let reading = surroundings.clock
    var head: JSON = [
      "vestibule_world": .integer(WorldDocument.version), "api": .string(api.rawValue),
      "instance": surroundings.settings.json,
      "clock": [
        "now": .instant(EpochMilliseconds(reading.now)),
        "offset_seconds": .number(reading.offset),
        "frozen": .bool(reading.isFrozen),
      ],
      "faults": faults(surroundings.faults),
      "traces": traces(surroundings.traces),
    ]
    if let story = surroundings.story { head["story"] = story.json }
    let bytes = try await snapshot.read { db in
      try Int.fetchOne(db, sql: Self.databaseBytes) ?? 0
    }
    head["schema"] = .strings(Schema.names)
    return WorldExport(head: head, of: snapshot, databaseBytes: bytes)
  }

  /// The state of a world outside its database.
  private struct Surroundings {
    let clock: WorldClock.Reading
    let settings: InstanceSettings
    let faults: [Fault]
    let traces: [Trace]
    let story: (any WorldStory)?
  }

  private var surroundings: Surroundings {
    Surroundings(
      clock: clock.reading,
      settings: settings,
      faults: faults.all,
      traces: traces.all,
      story: story.withLock { $0 }
    )
  }

  private static let databaseBytes =
    "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"

  /// Replaces everything in the world with a document: all of it, or nothing.
  ///
  /// - Parameters:
  ///   - document: The exported world.
  ///   - newFaults: Its faults; they keep their ids, as far as those are free.
  ///   - newTraces: Its traces, newest first.
  ///   - newStory: Its story; nil if it has none.
  /// - Throws: `DocumentError` if it is not a valid world, or was exported by a newer version; or
  ///   what SQLite reports. Then nothing has changed.
  public func replace(
    with document: WorldDocument,
    faults newFaults: [Fault],
    traces newTraces: [Trace],
    story newStory: (any WorldStory)? = nil
  ) async throws {
    guard newFaults.count <= Faults.limit else {
      throw DocumentError("'faults' has more than \(Faults.limit)")
    }
    guard let lacking = Schema.migrations(after: document.schema) else {
      let isNewer = document.schema.starts(with: Schema.names)
      let version = isNewer ? "a newer" : "another"
      throw DocumentError("the world was exported by \(version) version of this program")
    }
    try await database.write { db in
      do {
        if lacking.isEmpty {
          try Self.insert(document, db)
        } else {
          let older = try OlderTables(of: document, lacking: lacking)
          try WorldTables.empty(db)
          for table in WorldTables.all { try older.copy(into: table, db) }
        }
        try db.checkForeignKeys()
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        throw DocumentError("its rows contradict each other: \(error.message ?? "")")
      } catch let malformed as JSONReader.Malformed {
        throw malformed.unreadable ?? DocumentError(malformed)
      }
    } then: { [self] in
      // Before any other call runs: one by the old time would delete the new rows as expired.
      settings = document.settings
      clock.continue(document.clock)
      faults.replace(with: newFaults)
      traces.replace(with: newTraces)
      story.withLock { $0 = newStory }
      rateLimits.removeAll()
      beginLife()
    }
    outbox.announce()
  }

  private static func insert(_ document: WorldDocument, _ db: Database) throws {
    guard Set(document.tables.keys) == Set(WorldTables.named.keys) else {
      throw DocumentError("'tables' does not have the tables of a world")
    }
    try WorldTables.empty(db)
    for table in WorldTables.all {
      guard let range = document.tables[table.name] else { continue }
      var reader = JSONReader(document.content, in: range)
      try ImportedRows(into: table, db).insert(from: &reader)
    }
  }
}
