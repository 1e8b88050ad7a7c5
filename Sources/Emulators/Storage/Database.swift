internal import Foundation
internal import Glibc
internal import GRDB

/// Opens the databases of worlds.
enum WorldDatabase {
  static func inMemory() throws -> any DatabaseWriter {
    let database = try emptyInMemory()
    try database.write(Schema.create)
    return database
  }

  /// A database without tables, to be overwritten by a copy of another.
  static func emptyInMemory() throws -> any DatabaseWriter {
    try DatabaseQueue(configuration: configuration)
  }

  /// Opens, or creates, the database of the world `main` in a folder.
  ///
  /// It has a write-ahead log that is synced at every commit; its integrity is checked (S25).
  /// - Parameters:
  ///   - folder: The path of the folder.
  ///   - name: The name of its file.
  ///   - report: Called if the database was upgraded from an older version's.
  /// - Returns: The database.
  /// - Throws: `WorldsError`.
  static func inFolder(
    _ folder: String,
    named name: String,
    upgraded report: (Worlds.Upgrade) -> Void = { _ in }
  ) throws(WorldsError) -> any DatabaseWriter {
    let path = (folder as NSString).appendingPathComponent(name)
    do {
      try FileManager.default.createDirectory(
        atPath: folder,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
      try look(at: path)
      refuseStrangers(at: path)
      let database = try DatabasePool(path: path, configuration: configuration)
      try database.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA synchronous = FULL")
        try checkIntegrity(db, at: path)
      }
      if let upgrade = try Schema.migrate(database) { report(upgrade) }
      return database
    } catch {
      throw refusal(of: error, over: name, in: folder)
    }
  }

  /// Why the database in a folder would not be opened; nil if there is no database, or no obstacle
  /// can be seen.
  ///
  /// It changes nothing. Like `seenInFolder`, it is only for a process that does not have the
  /// database open.
  static func obstacle(in folder: String, named name: String) -> WorldsError? {
    let path = (folder as NSString).appendingPathComponent(name)
    // To read a log without its index, SQLite would create the index.
    guard size(of: "\(path)-wal") == 0 || size(of: "\(path)-shm") > 0 else { return nil }
    do {
      return try seenInFolder(folder, named: name) { db in
        _ = try Schema.newest(of: db)
        try checkIntegrity(db, at: path)
        return nil
      }
    } catch {
      return refusal(of: error, over: name, in: folder)
    }
  }

  private static func checkIntegrity(_ db: Database, at path: String) throws {
    let findings = try String.fetchAll(db, sql: "PRAGMA integrity_check(3)")
    guard findings == ["ok"] else { throw WorldsError.damaged(path: path, findings: findings) }
  }

  /// The refusal that an error of the database in a folder leads to.
  private static func refusal(
    of error: any Error,
    over name: String,
    in folder: String
  ) -> WorldsError {
    let path = (folder as NSString).appendingPathComponent(name)
    switch error {
    case let error as WorldsError: return error
    case is Schema.IsNewer: return .newer(path: path)
    case is Schema.IsForeign:
      return .unusable(folder: folder, reason: "\(name) is not a database of this program")
    case let error as DatabaseError where error.isOfDamage:
      return .damaged(path: path, findings: [error.message ?? "\(error.resultCode)"])
    default: return WorldsError(error, in: folder)
    }
  }

  /// Reads the database in a folder without changing it; nil if there is none.
  ///
  /// This process must not have it open: closing the file here would release the locks on it.
  ///
  /// - Throws: What reading throws, or what SQLite reports.
  static func seenInFolder<Value>(
    _ folder: String,
    named name: String,
    _ read: (Database) throws -> Value?
  ) throws -> Value? {
    let path = (folder as NSString).appendingPathComponent(name)
    guard size(of: path) > 0 else { return nil }
    var configuration = configuration
    configuration.readonly = true
    // With a log beside it, both are read. Otherwise it is opened as immutable, or SQLite would
    // create a log and leave it.
    let unchanging = "\(URL(fileURLWithPath: path).absoluteString)?immutable=1"
    let database = try DatabaseQueue(
      path: size(of: "\(path)-wal") > 0 ? path : unchanging,
      configuration: configuration
    )
    defer { try? database.close() }
    return try database.read(read)
  }

  /// The size of a file in bytes; zero if there is none.
  private static func size(of path: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  }

  /// Checks an existing file without changing it: opening it for writing would already switch it to
  /// another mode.
  ///
  /// - Throws: `Schema.IsNewer` or `Schema.IsForeign`. Other errors are left to the opening.
  private static func look(at path: String) throws {
    guard size(of: path) > 0 else { return }
    var configuration = configuration
    configuration.readonly = true
    guard let database = try? DatabaseQueue(path: path, configuration: configuration) else {
      return
    }
    defer { try? database.close() }
    do {
      _ = try database.read(Schema.newest)
    } catch is DatabaseError {
      return
    }
  }

  /// Keeps keys, hashes and codes from other accounts of the machine.
  ///
  /// A new file is accessible to its owner alone, an existing one only to its owner and its group.
  ///
  /// SQLite gives the files beside it the same permissions. If this fails, the opening reports why.
  private static func refuseStrangers(at path: String) {
    // Only a new file is opened here: closing a second descriptor of an open database would release
    // its locks.
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor < 0 else {
      close(descriptor)
      return
    }
    for path in [path, "\(path)-wal", "\(path)-shm"] {
      var information = stat()
      if stat(path, &information) == 0, information.st_mode & 0o007 != 0 {
        chmod(path, information.st_mode & 0o770)
      }
    }
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.label = "vestibule.world"
    return configuration
  }
}

extension DatabaseWriter {
  /// Closes all connections, the writer last: only it can write the log into the database and
  /// remove it.
  ///
  /// - Throws: What SQLite reports; then the log stays beside the database.
  func closeInOrder() throws {
    guard let pool = self as? DatabasePool else { return try close() }
    // A reader that is still at work would be closed after the writer.
    let writing = try pool.barrierWriteWithoutTransaction { db in
      // Closing does that too, but does not say if it fails.
      Result { _ = try db.checkpoint(.passive) }
    }
    pool.invalidateReadOnlyConnections()
    try close()
    // If it is busy, another process is writing the log into the database.
    if case .failure(let error) = writing,
      (error as? DatabaseError)?.resultCode != .SQLITE_BUSY
    {
      throw error
    }
  }
}

extension Worlds {
  /// The version of SQLite that is in use.
  public static var libraryVersion: String {
    let number = Database.sqliteLibVersionNumber
    return "\(number / 1_000_000).\(number / 1_000 % 1_000).\(number % 1_000)"
  }
}
