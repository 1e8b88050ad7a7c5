internal import GRDB

extension DatabaseWriter {
  /// What the database holds now, for as long as somebody keeps it; nobody waits for its reader.
  ///
  /// Of a database on disk it is a transaction that only reads. One in memory has a single
  /// connection, which a reader would keep from everybody else: of that it is a copy, page for page,
  /// in SQLite's temporary file.
  /// - Throws: What SQLite reports.
  func snapshot() async throws -> any DatabaseReader {
    if let pool = self as? DatabasePool {
      return try await pool.read { _ in try pool.makeSnapshot() }
    }
    let copy = try DatabaseQueue(path: "")
    try await read { db in
      try copy.writeWithoutTransaction { try db.backup(to: $0) }
    }
    return copy
  }
}
