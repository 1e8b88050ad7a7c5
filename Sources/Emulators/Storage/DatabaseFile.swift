internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import Glibc
internal import Locking

/// The file of a database on disk, checked so that nothing is written where it would be lost.
final class DatabaseFile: Sendable {
  private let path: String
  /// The first damage that was found; kept until the database is reopened.
  private let damage = Locked<String?>(nil)
  /// Whether the disk has refused something, and has not proved since that a call can be stored.
  private let isDoubted = Locked(false)
  /// More than any call of a flow writes, in bytes: a new account is six pages, and a sign-up that
  /// ends in a session is some twenty.
  private static let longestCallByteCount = 32 * 4096

  /// - Parameter path: The path at which it was opened.
  init(_ path: String) { self.path = path }

  /// Checks the file before a write, within the writer's turn; a commit takes a thousand times as
  /// long.
  ///
  /// - Parameter db: The connection that has it open.
  /// - Throws: `Worlds.Gone` if the file is no longer there, `POSIXError` if the folder cannot be
  ///   read, `WorldsError.damaged`.
  func check(_ db: Database) throws {
    if let finding = damage.withLock({ $0 }) {
      throw WorldsError.damaged(path: path, findings: [finding])
    }
    guard db.hasMoved else { return }
    var status = stat()
    let isReplaced = stat(path, &status) == 0
    guard isReplaced || [ENOENT, ENOTDIR].contains(errno) else {
      throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO)
    }
    throw Worlds.Gone(file: (path as NSString).lastPathComponent, isReplaced: isReplaced)
  }

  /// Records what an error says about the file: that it is damaged, or that the disk is full or
  /// fails.
  func note(_ error: any Error) {
    guard let error = error as? DatabaseError else { return }
    if error.isOfDamage { damage.withLock { $0 = $0 ?? error.message ?? "\(error.resultCode)" } }
    if error.isOfDisk { isDoubted.withLock { $0 = true } }
  }

  /// Once the disk has refused something, proves that it would take a whole call: a short write may
  /// fit where no call does.
  ///
  /// The proof is written to the log and taken back. The room that it took remains the log's, for
  /// the next calls.
  ///
  /// - Parameter db: The connection that writes, outside a transaction.
  /// - Throws: What SQLite reports.
  func proveRoom(_ db: Database) throws {
    guard isDoubted.withLock(\.self) else { return }
    try db.inTransaction {
      try db.execute(
        sql: "UPDATE heartbeat SET count = zeroblob(?)",
        arguments: [Self.longestCallByteCount]
      )
      try db.flush()
      return .rollback
    }
    isDoubted.withLock { $0 = false }
  }
}

extension Database {
  /// Whether the open file is no longer the one at its path (SQLITE_FCNTL_HAS_MOVED).
  fileprivate var hasMoved: Bool {
    var hasMoved: CInt = 0
    let result = sqlite3_file_control(sqliteConnection, nil, SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return result == SQLITE_OK && hasMoved != 0
  }

  /// Writes the changes of the present transaction to the log, which otherwise happens when it is
  /// committed.
  fileprivate func flush() throws {
    let result = sqlite3_db_cacheflush(sqliteConnection)
    guard result == SQLITE_OK else {
      // The connection keeps no message of this error; without one, GRDB asks for the code's own.
      throw DatabaseError(resultCode: ResultCode(rawValue: result))
    }
  }
}

extension DatabaseError {
  /// Whether the file is not a sound database.
  var isOfDamage: Bool { [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(resultCode) }

  /// Whether the disk is full or fails, or nothing may be written to it.
  var isOfDisk: Bool { [.SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY].contains(resultCode) }
}
