internal import GRDB
internal import Locking

extension MutablePersistableRecord {
  /// Writes the record over the row of its key, by a statement that is written down once a type and
  /// prepared once a connection.
  ///
  /// It takes the place of GRDB's own update, which finds out at each call what to write: that was a
  /// fourteenth of a sign-in.
  /// - Throws: `RecordError.recordNotFound` where there is no such row, and what SQLite reports.
  func update(_ db: Database) throws {
    let values = try databaseDictionary
    let update = try UpdateStatement.of(Self.self, writing: values, db)
    let statement = try db.cachedStatement(sql: update.sql)
    // Named, or GRDB would take them for values of any type and find out which.
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

/// How the records of one type are written over.
private struct UpdateStatement {
  /// With a parameter for each column, then for each of the key.
  var sql: String
  var columns: [String]
  var key: [String]

  private static let ofTypes = Locked<[ObjectIdentifier: Self]>([:])

  /// The statement of a type.
  ///
  /// - Parameters:
  ///   - type: Whose records have the same columns, all of them.
  ///   - values: Of one of them.
  ///   - db: Where its table is.
  /// - Returns: What was found out the first time that it was asked for.
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
