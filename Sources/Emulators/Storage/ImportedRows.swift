internal import Foundation
internal import GRDB

/// Writes the rows of an exported table as they are read, one by one.
///
/// What no call could have written is refused here, so that no call ever meets it.
struct ImportedRows {
  /// No time, count or step lies beyond; adding to such a number never overflows.
  private static let numbers = Instant.range

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
  /// - Throws: `DocumentError`, or what SQLite reports.
  func insert(from reader: inout JSONReader) throws {
    try reader.enterArray()
    while try reader.hasNextElement() { try insert(reader.value()) }
  }

  private func insert(_ json: JSON) throws {
    let values = try values(of: json)
    let row = Row(
      Dictionary(zip(columns, values.map { Optional($0) }), uniquingKeysWith: { first, _ in first })
    )
    do {
      try table.read(row)
    } catch {
      throw DocumentError("'\(table.name)' has a row that is none")
    }
    try insertion.execute(arguments: StatementArguments(values))
  }

  private func values(of json: JSON) throws(DocumentError) -> [DatabaseValue] {
    guard case .object(let members) = json, members.allSatisfy({ columns.contains($0.name) }) else {
      throw DocumentError("'\(table.name)' has a row with columns of another table")
    }
    var values: [DatabaseValue] = []
    for column in columns {
      guard let value = (json[column] ?? .null).databaseValue, isWithinBounds(value, of: column)
      else { throw DocumentError("'\(table.name)' has a value that no column holds") }
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

extension JSON {
  init(_ value: DatabaseValue) {
    switch value.storage {
    case .null: self = .null
    case .int64(let number): self = .integer(number)
    case .double(let number): self = .number(number)
    case .string(let text): self = .string(text)
    case .blob(let data): self = ["base64": .string(data.base64EncodedString())]
    }
  }

  /// Nil for what no column holds.
  fileprivate var databaseValue: DatabaseValue? {
    switch self {
    case .null: .null
    case .integer(let number): number.databaseValue
    case .number(let number): number.databaseValue
    case .string(let text): text.databaseValue
    case .object: self["base64"]?.string.flatMap { Data(base64Encoded: $0) }?.databaseValue
    case .bool, .array: nil
    }
  }

  fileprivate func allNumbers(within range: ClosedRange<Int64>) -> Bool {
    switch self {
    case .null, .bool, .string: true
    case .integer(let number): range.contains(number)
    case .number(let number): abs(number) <= Double(range.upperBound)
    case .array(let elements): elements.allSatisfy { $0.allNumbers(within: range) }
    case .object(let members): members.allSatisfy { $0.value.allNumbers(within: range) }
    }
  }
}
