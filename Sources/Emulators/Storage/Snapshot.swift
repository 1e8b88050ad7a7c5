internal import GRDB

extension DatabaseWriter {
  /// The present contents of the database, for as long as the snapshot is kept; its reader blocks
  /// nobody.
  ///
  /// For a database on disk it is a read-only transaction. A database in memory has a single
  /// connection, which a reader would occupy: it is copied, page by page, into SQLite's temporary
  /// file.
  ///
  /// - Parameter companion: Reads state outside the database while nobody writes to the database.
  /// - Returns: The snapshot and that state.
  /// - Throws: What SQLite reports.
  func snapshot<Companion: Sendable>(
    with companion: @escaping @Sendable () -> Companion
  ) async throws -> (any DatabaseReader, Companion) {
    try await writeWithoutTransaction { db in
      if let pool = self as? DatabasePool { return (try pool.makeSnapshot(), companion()) }
      let copy = try DatabaseQueue(path: "")
      try copy.writeWithoutTransaction { try db.backup(to: $0) }
      return (copy, companion())
    }
  }
}
