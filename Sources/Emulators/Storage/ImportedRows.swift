internal import Foundation
internal import GRDB

/// Writes the rows of an exported table as they are read, one by one.
///
/// What no call could have written is refused here, so that no call ever meets it.
struct ImportedRows {
  /// No time, count or step lies beyond; adding to such a number never overflows.
  private static let numbers = EpochMilliseconds.range

  private let table: WorldTable
  private let columns: [String]
  private let insertion: Statement

  init(into table: WorldTable, _ db: Database) throws {
    self.table = table
    columns = try db.columns(in: table.name).map(\.name)
    let names = columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    insertion = try db.makeStatement(
      sql: "INSERT INTO \(table.name.quotedDatabaseIdentifier) (\(names)) VALUES (\(places))"
    )
  }

  /// Writes the array of rows that comes next.
  ///
  /// - Throws: `DocumentError` naming the row, or what SQLite reports.
  func insert(from reader: inout JSONReader) throws {
    try reader.enterArray()
    var index = 0
    while try reader.hasNextElement() {
      do {
        try insert(reader.value())
      } catch let error as DocumentError {
        throw error.inElement(index).inMember(table.name).inMember("tables")
      }
      index += 1
    }
  }

  private func insert(_ json: JSON) throws {
    let values = try values(of: json)
    let row = Row(
      Dictionary(zip(columns, values.map { Optional($0) }), uniquingKeysWith: { first, _ in first })
    )
    do {
      try table.read(row)
    } catch {
      throw DocumentError("no call writes such a row")
    }
    try insertion.execute(arguments: StatementArguments(values))
  }

  private func values(of json: JSON) throws(DocumentError) -> [DatabaseValue] {
    guard case .object(let members) = json, members.allSatisfy({ columns.contains($0.name) }) else {
      throw DocumentError("not the columns of this table")
    }
    var values: [DatabaseValue] = []
    for column in columns {
      guard let value = (json[column] ?? .null).databaseValue, isWithinBounds(value, of: column)
      else { throw DocumentError("no such value").inMember(column) }
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
      !table.jsonColumns.contains(column)
        || JSON(decoding: Array(text.utf8))?.allNumbers(within: Self.numbers) == true
    }
  }
}
