internal import GRDB

extension DatabaseWriter {
  /// What the database holds now, for as long as somebody keeps it; nobody waits for its reader.
  ///
  /// Of a database on disk it is a transaction that only reads. One in memory has a single
  /// connection, which a reader would keep from everybody else: of that it is a copy, page for page,
  /// in SQLite's temporary file.
  ///
  /// - Parameter companion: What is true beside the database then: nobody writes to it meanwhile.
  /// - Returns: Both.
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
