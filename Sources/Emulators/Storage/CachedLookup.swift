internal import GRDB

extension FetchableRecord where Self: TableRecord {
  /// The record of that primary key, by a statement that is prepared once a connection.
  ///
  /// It takes the place of GRDB's own look-up by key, which prepares one at each call: that was a
  /// seventh of a sign-in.
  /// - Throws: What SQLite reports.
  static func fetchOne(_ db: Database, key: String) throws -> Self? {
    let column = try db.primaryKey(databaseTableName).columns[0]
    let statement = try db.cachedStatement(
      sql: "SELECT * FROM \(databaseTableName) WHERE \(column) = ?"
    )
    return try fetchOne(statement, arguments: [key])
  }
}
