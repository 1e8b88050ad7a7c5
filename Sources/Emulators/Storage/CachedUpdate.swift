internal import GRDB
internal import Locking

extension MutablePersistableRecord {
  /// Updates the row with the record's key, by a statement that is built once per type and prepared
  /// once per connection.
  ///
  /// It replaces GRDB's own update, which works out at every call what to write: that took a
  /// fourteenth of a sign-in.
  /// - Throws: `RecordError.recordNotFound` if there is no such row, and what SQLite reports.
  func update(_ db: Database) throws {
    let values = try databaseDictionary
    let update = try UpdateStatement.of(Self.self, writing: values, db)
    let statement = try db.cachedStatement(sql: update.sql)
    // The type is explicit: without it, GRDB would take the values as `Any` and check the type of
    // each.
    let arguments: [(any DatabaseValueConvertible)?] = (update.columns + update.key).map {
      values[$0]
    }
    try statement.execute(arguments: StatementArguments(arguments))
    guard db.changesCount > 0 else {
      throw RecordError.recordNotFound(
        databaseTableName: Self.databaseTableName,
        key: values.filter { update.key.contains($0.key) }
      )
    }
  }
}

/// The statement that updates the records of one type.
private struct UpdateStatement {
  /// SQL with a parameter for each column, then for each column of the key.
  var sql: String
  var columns: [String]
  var key: [String]

  private static let ofTypes = Locked<[ObjectIdentifier: Self]>([:])

  /// The statement of a type.
  ///
  /// - Parameters:
  ///   - type: The record type; all of its records have the same columns.
  ///   - values: The values of one record.
  ///   - db: The database with its table.
  /// - Returns: The statement, built at the first call for the type.
  /// - Throws: What SQLite reports.
  static func of<Record: MutablePersistableRecord>(
    _ type: Record.Type,
    writing values: [String: DatabaseValue],
    _ db: Database
  ) throws -> Self {
    if let known = ofTypes.withLock({ $0[ObjectIdentifier(type)] }) { return known }
    let table = type.databaseTableName
    let key = try db.primaryKey(table).columns
    let columns = try db.columns(in: table).map(\.name)
      .filter { values[$0] != nil && !key.contains($0) }
    func equal(_ columns: [String]) -> [String] {
      columns.map { "\($0.quotedDatabaseIdentifier) = ?" }
    }
    let statement = Self(
      sql: """
        UPDATE \(table.quotedDatabaseIdentifier)
        SET \(equal(columns).joined(separator: ", "))
        WHERE \(equal(key).joined(separator: " AND "))
        """,
      columns: columns,
      key: key
    )
    ofTypes.withLock { $0[ObjectIdentifier(type)] = statement }
    return statement
  }
}
