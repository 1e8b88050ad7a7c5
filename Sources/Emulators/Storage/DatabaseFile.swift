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

  /// Records the damage that an error reports, if any.
  func note(_ error: any Error) {
    guard let error = error as? DatabaseError, error.isOfDamage else { return }
    damage.withLock { $0 = $0 ?? error.message ?? "\(error.resultCode)" }
  }
}

extension Database {
  /// Whether the open file is no longer the one at its path (SQLITE_FCNTL_HAS_MOVED).
  fileprivate var hasMoved: Bool {
    var hasMoved: CInt = 0
    let result = sqlite3_file_control(sqliteConnection, nil, SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return result == SQLITE_OK && hasMoved != 0
  }
}

extension DatabaseError {
  /// Whether the file is not a sound database.
  var isOfDamage: Bool { [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(resultCode) }
}
