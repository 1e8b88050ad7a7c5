internal import GRDB

extension FetchableRecord where Self: TableRecord {
  /// The record of that primary key, by a statement that is prepared once a connection.
  ///
  /// It takes the place of GRDB's own look-up by key, which prepares one at each call: that was a
  /// seventh of a sign-in.
  /// - Throws: What SQLite reports.
  static func fetchOne(_ db: Database, key: String) throws -> Self? {
    let statement = try db.cachedStatement(
      sql: "SELECT * FROM \(databaseTableName) WHERE \(keyColumn(db)) = ?"
    )
    return try fetchOne(statement, arguments: [key])
  }
}

extension TableRecord {
  /// Whether there is a record of that primary key, by a statement that is prepared once a connection
  /// and takes as long for a key that nothing has (S19).
  ///
  /// It takes the place of GRDB's own, which prepares one at each call.
  /// - Throws: What SQLite reports.
  static func exists(_ db: Database, key: String) throws -> Bool {
    let statement = try db.cachedStatement(
      sql: "SELECT EXISTS (SELECT 1 FROM \(databaseTableName) WHERE \(keyColumn(db)) = ?)"
    )
    return try Bool.fetchOne(statement, arguments: [key]) == true
  }

  fileprivate static func keyColumn(_ db: Database) throws -> String {
    try db.primaryKey(databaseTableName).columns[0]
  }
}
