internal import GRDB
public import HTTPExchange
internal import Locking

/// A world at one moment, written as a document piece by piece.
public struct WorldExport: Sendable {
  private enum Place {
    case head
    /// In the table with that index, after the row with that id; nil is before its first row.
    case rows(table: Int, after: Int64?)
    case end
  }

  /// The minimum length of a piece, except for the last; a piece is longer by one row at most.
  private static let pieceBytes = 128 * 1024

  private let head: JSON
  private let snapshot: any DatabaseReader
  /// The size of the database, about that of the document.
  public let databaseBytes: Int

  /// - Parameters:
  ///   - head: Everything that is not in the database.
  ///   - snapshot: The database as it was.
  ///   - databaseBytes: How large it was.
  init(head: JSON, of snapshot: any DatabaseReader, databaseBytes: Int) {
    self.head = head
    self.snapshot = snapshot
    self.databaseBytes = databaseBytes
  }

  /// The document: JSON, ready to be sent.
  public var pieces: BodyPieces {
    let place = Locked(Place.head)
    return BodyPieces {
      let begin = place.withLock { $0 }
      if case .end = begin { return nil }
      let (bytes, end) = try await snapshot.read { db in try piece(from: begin, db) }
      place.withLock { $0 = end }
      return bytes
    }
  }

  private func piece(from begin: Place, _ db: Database) throws -> (bytes: [UInt8], end: Place) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.pieceBytes + 4096)
    var place = begin
    while bytes.count < Self.pieceBytes {
      switch place {
      case .head:
        bytes += head.encoded.dropLast()
        bytes += #","tables":{"#.utf8
        place = .rows(table: 0, after: nil)
      case .rows(let table, let row):
        place = try append(table, after: row, to: &bytes, db)
      case .end: return (bytes, .end)
      }
    }
    return (bytes, place)
  }

  private func append(
    _ number: Int,
    after last: Int64?,
    to bytes: inout [UInt8],
    _ db: Database
  ) throws -> Place {
    let table = WorldTables.all[number]
    if last == nil { bytes += "\(number == 0 ? "" : ",")\"\(table.name)\":[".utf8 }
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT rowid, * FROM \(table.name.quotedDatabaseIdentifier)
        WHERE rowid > ? ORDER BY rowid
        """,
      arguments: [last ?? .min]
    )
    var isFirst = last == nil
    while let row = try rows.next() {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      JSON.object(row.dropFirst().map { JSON.Member($0, JSON($1)) }).append(to: &bytes)
      if bytes.count >= Self.pieceBytes { return .rows(table: number, after: row[0]) }
    }
    guard number + 1 < WorldTables.all.count else {
      bytes += "]}}".utf8
      return .end
    }
    bytes.append(UInt8(ascii: "]"))
    return .rows(table: number + 1, after: nil)
  }
}
