internal import Foundation
internal import GRDB

/// Why the worlds cannot be opened, or one of them cannot be made.
public enum WorldsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The data folder or the database in it cannot be used.
  case unusable(folder: String, reason: String)
  /// The same, but perhaps not for long: the disk is full or does not answer, or another process
  /// holds the database.
  case unavailable(folder: String, reason: String)
  /// The database fails its integrity check.
  case damaged(path: String, findings: [String])
  /// The database was written by a newer version of the program.
  case newer(path: String)
  /// The accounts of a fresh world contradict each other or a rule.
  case seedRefused(String)
  /// There are that many worlds already, all of them used recently.
  case tooManyWorlds(limit: Int)
  /// The world of the request has been dropped while it was answered.
  case dropped

  public var description: String {
    switch self {
    case .unusable(let folder, let reason), .unavailable(let folder, let reason):
      "cannot use the data folder '\(folder)': \(reason)"
    case .damaged(let path, let findings):
      "the database '\(path)' is damaged: \(findings.joined(separator: "; ")); restore it from a "
        + "backup, or use another data folder"
    case .newer(let path):
      "the database '\(path)' was written by a newer version of this program: use that version, or "
        + "another data folder"
    case .seedRefused(let reason): "cannot create the accounts: \(reason)"
    case .tooManyWorlds(let limit):
      "there are \(limit) worlds already, all of them in use: drop some, or name one of them"
    case .dropped: "it has been dropped meanwhile; the next use of its name makes a fresh one"
    }
  }
}

extension Worlds {
  /// The data folder, if an error is about it: its disk is full or does not answer, it cannot be
  /// written to, or the database in it is damaged or gone.
  ///
  /// - Parameter error: An error that a world has thrown.
  /// - Returns: The folder; nil if the error is about something else.
  public func blamedFolder(for error: any Error) -> String? {
    let ofFiles: [ResultCode] = [
      .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM,
    ]
    switch error {
    case is Gone, is POSIXError, WorldsError.damaged: break
    case let error as DatabaseError where error.isOfDamage || ofFiles.contains(error.resultCode):
      break
    default: return nil
    }
    return folder
  }
}

extension WorldsError {
  /// An error of SQLite or the system about a folder's database.
  init(_ error: any Error, in folder: String) {
    let reason = String(describing: error)
    if let remedy = (error as? DatabaseError)?.remedy {
      self = .unavailable(folder: folder, reason: "\(reason); \(remedy)")
    } else {
      self = .unusable(folder: folder, reason: reason)
    }
  }
}

extension DatabaseError {
  /// What to do about an error that may pass, in words; nil for any other.
  var remedy: String? {
    switch resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      "another process holds the database: end it, or use another data folder"
    case .SQLITE_FULL: "the disk is full: make room, or use another data folder"
    case .SQLITE_IOERR:
      "the disk fails, or files may not grow that far (ulimit -f): mend that, or use another data "
        + "folder"
    default: nil
    }
  }
}
