internal import GRDB

extension FetchableRecord where Self: TableRecord {
  /// The record with that primary key, by a statement that is prepared once per connection.
  ///
  /// It replaces GRDB's own lookup by key, which prepares a statement at every call: that took a
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
  /// Whether there is a record with that primary key.
  ///
  /// The statement is prepared once per connection, and takes as long for a key that does not exist
  /// (S19).
  ///
  /// It replaces GRDB's own, which prepares one at every call.
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
