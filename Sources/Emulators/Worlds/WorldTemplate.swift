internal import GRDB

/// A database with the seed planted; every world in memory begins as a copy of it.
final class WorldTemplate: Sendable {
  private let database: any DatabaseWriter
  private let plantedAt: EpochMilliseconds
  /// Statements that each move the times of one table by their argument, in milliseconds.
  private let shifts: [String]

  /// - Throws: `WorldsError` if the accounts contradict each other.
  init(_ seed: Seed, at now: EpochMilliseconds, random: RandomSource) throws(WorldsError) {
    plantedAt = now
    do {
      let planted = try WorldDatabase.inMemory()
      try World.plantIfFresh(seed, at: now, random: random, in: planted)
      database = planted
      shifts = try planted.read(Self.shifts)
    } catch let error as WorldsError {
      throw error
    } catch {
      throw .unusable(folder: ":memory:", reason: String(describing: error))
    }
  }

  /// A copy in which the seed was planted at another time.
  func copy(at now: EpochMilliseconds) throws -> any DatabaseWriter {
    let copy = try WorldDatabase.emptyInMemory()
    try database.backup(to: copy)
    let difference = now.rawValue - plantedAt.rawValue
    guard difference != 0 else { return copy }
    try copy.write { db in
      for shift in shifts { try db.execute(sql: shift, arguments: [difference]) }
    }
    return copy
  }

  private static func shifts(_ db: Database) throws -> [String] {
    try WorldTables.all.map(\.name).compactMap { table in
      guard try !db.isEmpty(table) else { return nil }
      let times = try db.columns(in: table).filter { column in
        column.type == "INTEGER" && ["At", "Until"].contains(where: column.name.hasSuffix)
      }
      guard !times.isEmpty else { return nil }
      let moves = times.map { "\($0.name) = \($0.name) + ?1" }.joined(separator: ", ")
      return "UPDATE \(table.quotedDatabaseIdentifier) SET \(moves)"
    }
  }
}

extension Database {
  fileprivate func isEmpty(_ table: String) throws -> Bool {
    try Row.fetchOne(self, sql: "SELECT 1 FROM \(table.quotedDatabaseIdentifier) LIMIT 1") == nil
  }
}
