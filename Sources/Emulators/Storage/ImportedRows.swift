internal import Foundation
internal import GRDB

/// Writes the rows of an exported table as they are read, one by one.
///
/// Rows that no call could have written are refused here, so that no call ever meets them.
struct ImportedRows {
  /// The range of all times, counts and steps; adding to such a number never overflows.
  private static let numbers = EpochMilliseconds.range

  private let name: String
  /// The present table whose records check the rows; nil for an older table, whose rows are checked
  /// once they are migrated.
  private let table: WorldTable?
  private let columns: [String]
  private let insertion: Statement

  init(into table: WorldTable, _ db: Database) throws {
    try self.init(table.name, table, db)
  }

  /// - Parameters:
  ///   - name: The name of an older version's table.
  ///   - db: The database that has it.
  /// - Throws: What SQLite reports.
  init(intoOlder name: String, _ db: Database) throws {
    try self.init(name, nil, db)
  }

  private init(_ name: String, _ table: WorldTable?, _ db: Database) throws {
    self.name = name
    self.table = table
    columns = try db.columns(in: name).map(\.name)
    let names = columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    insertion = try db.makeStatement(
      sql: "INSERT INTO \(name.quotedDatabaseIdentifier) (\(names)) VALUES (\(places))"
    )
  }

  /// Writes the array of rows that comes next.
  ///
  /// - Throws: `DocumentError` naming the row, or what SQLite reports.
  func insert(from reader: inout JSONReader) throws {
    try reader.enterArray()
    var index = 0
    while try reader.hasNextElement() {
      let json = try reader.value()
      try insert(row: index) { () throws(DocumentError) in try values(of: json) }
      index += 1
    }
  }

  /// Writes the rows of another database's table that has the same columns.
  ///
  /// - Throws: `DocumentError` naming the row, or what SQLite reports.
  func insert(from rows: RowCursor) throws {
    var index = 0
    while let row = try rows.next() {
      try insert(row: index) { columns.map { row[$0] } }
      index += 1
    }
  }

  private func insert(
    row index: Int,
    _ values: () throws(DocumentError) -> [DatabaseValue]
  ) throws {
    do {
      try insert(values())
    } catch let error as DocumentError {
      throw error.inElement(index).inMember(name).inMember("tables")
    }
  }

  private func insert(_ values: [DatabaseValue]) throws {
    for (column, value) in zip(columns, values) where !isWithinBounds(value, of: column) {
      throw DocumentError.noSuchValue(of: column)
    }
    let row = Row(
      Dictionary(zip(columns, values.map { Optional($0) }), uniquingKeysWith: { first, _ in first })
    )
    do {
      try table?.read(row)
    } catch {
      throw DocumentError("no call can write such a row")
    }
    do {
      try insertion.execute(arguments: StatementArguments(values))
    } catch let error as DatabaseError where error.resultCode == .SQLITE_MISMATCH {
      // An INTEGER PRIMARY KEY takes only numbers, even if a record would read another value.
      throw DocumentError("no call can write such a row")
    }
  }

  private func values(of json: JSON) throws(DocumentError) -> [DatabaseValue] {
    guard case .object(let members) = json, members.allSatisfy({ columns.contains($0.name) }) else {
      throw DocumentError("not the columns of this table")
    }
    var values: [DatabaseValue] = []
    for column in columns {
      guard let value = (json[column] ?? .null).databaseValue else {
        throw .noSuchValue(of: column)
      }
      values.append(value)
    }
    return values
  }

  private func isWithinBounds(_ value: DatabaseValue, of column: String) -> Bool {
    switch value.storage {
    case .null, .blob: true
    case .int64(let number): Self.numbers.contains(number)
    case .double: false
    case .string(let text):
      table?.jsonColumns.contains(column) != true
        || JSON(decoding: Array(text.utf8))?.allNumbers(within: Self.numbers) == true
    }
  }
}

extension DocumentError {
  fileprivate static func noSuchValue(of column: String) -> Self {
    Self("no such value").inMember(column)
  }
}
