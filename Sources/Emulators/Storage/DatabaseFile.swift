internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import Glibc
internal import Locking

/// The file of a database on disk: whether what is written into it would be found again.
final class DatabaseFile: Sendable {
  private let path: String
  /// What work on it has shown to be damaged; until it is opened anew.
  private let damage = Locked<String?>(nil)

  /// - Parameter path: Where it was opened.
  init(_ path: String) { self.path = path }

  /// Looks before something is written, in the turn of whoever writes; each commit waits for the disk a thousand
  /// times as long.
  ///
  /// - Parameter db: The connection that has it open.
  /// - Throws: `Worlds.Gone` where it is not there any more, `POSIXError` where the folder cannot be looked into,
  ///   `WorldsError.damaged`.
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

  /// Takes down what an error says of the file.
  func note(_ error: any Error) {
    guard let error = error as? DatabaseError, error.isOfDamage else { return }
    damage.withLock { $0 = $0 ?? error.message ?? "\(error.resultCode)" }
  }
}

extension Database {
  /// Whether the file that is open is not the one that its path names (SQLITE_FCNTL_HAS_MOVED).
  fileprivate var hasMoved: Bool {
    var hasMoved: CInt = 0
    let result = sqlite3_file_control(sqliteConnection, nil, SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return result == SQLITE_OK && hasMoved != 0
  }
}

extension DatabaseError {
  /// Whether the file is no sound database.
  var isOfDamage: Bool { [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(resultCode) }
}
