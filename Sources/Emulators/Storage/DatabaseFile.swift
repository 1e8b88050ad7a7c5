internal import Foundation
internal import Glibc
internal import GRDB
internal import Locking

/// The file of a database on disk: which one it is, and whether it has turned out to be damaged.
final class DatabaseFile: Sendable {
  /// What a file is by, wherever it is moved to (stat(2)).
  private struct Identity: Equatable {
    var device: dev_t
    var inode: ino_t
  }

  private let path: String
  /// Nil where it was gone as soon as it was opened.
  private let identity: Identity?
  private let damage = Locked<String?>(nil)

  private var name: String { (path as NSString).lastPathComponent }

  /// - Parameter path: Where it is, and has just been opened.
  init(_ path: String) {
    self.path = path
    identity = try? Self.identity(of: path)
  }

  /// Looks whether what is written now would be found again; it takes a millionth of a second, and each
  /// commit waits for the disk a thousand times as long.
  ///
  /// - Throws: `Worlds.Gone` where it would not, `POSIXError` where the folder cannot be looked into.
  func checkPlace() throws {
    let present: Identity
    do {
      present = try Self.identity(of: path)
    } catch let error where [.ENOENT, .ENOTDIR].contains(error.code) {
      throw Worlds.Gone(file: name, isReplaced: false)
    }
    guard present == identity else { throw Worlds.Gone(file: name, isReplaced: true) }
  }

  /// - Throws: As `checkPlace`; `WorldsError.damaged` where work on it has shown that, until it is opened anew.
  func checkUse() throws {
    try checkPlace()
    if let finding = damage.withLock({ $0 }) {
      throw WorldsError.damaged(path: path, findings: [finding])
    }
  }

  /// Takes down what an error says of the file.
  func note(_ error: any Error) {
    guard let error = error as? DatabaseError, error.isOfDamage else { return }
    damage.withLock { $0 = $0 ?? error.message ?? "\(error.resultCode)" }
  }

  private static func identity(of path: String) throws(POSIXError) -> Identity {
    var status = stat()
    guard stat(path, &status) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    return Identity(device: status.st_dev, inode: status.st_ino)
  }
}

extension DatabaseError {
  /// Whether the file is no sound database.
  var isOfDamage: Bool { [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(resultCode) }
}
