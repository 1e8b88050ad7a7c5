internal import GRDB

/// A table of a world, with the record that the calls read from its rows.
struct WorldTable: Sendable {
  let name: String
  /// The columns that hold the program's own JSON.
  let jsonColumns: Set<String>
  /// Reads a row as the calls will.
  let read: @Sendable (Row) throws -> Void

  /// - Parameters:
  ///   - type: The record.
  ///   - other: Another record that is read from the same rows.
  ///   - json: The columns that hold JSON.
  init<Record: FetchableRecord & TableRecord>(
    _ type: Record.Type,
    and other: (any (FetchableRecord & SendableMetatype).Type)? = nil,
    json: Set<String> = []
  ) {
    name = Record.databaseTableName
    jsonColumns = json
    read = { row in
      _ = try Record(row: row)
      _ = try other?.init(row: row)
    }
  }
}
