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

  /// Without tables, to be written over by another's copy.
  static func emptyInMemory() throws -> any DatabaseWriter {
    try DatabaseQueue(configuration: configuration)
  }

  /// Opens, or creates, the database of the world `main` in a folder.
  ///
  /// Write-ahead log, synced at every commit; its integrity is checked (S25).
  /// - Parameters:
  ///   - folder: Where it is.
  ///   - name: What its file is called.
  ///   - report: Is told where an older program's has become one of this one's.
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
        let findings = try String.fetchAll(db, sql: "PRAGMA integrity_check(3)")
        guard findings == ["ok"] else {
          throw WorldsError.damaged(path: path, findings: findings)
        }
      }
      if let upgrade = try Schema.migrate(database) { report(upgrade) }
      return database
    } catch let error as WorldsError {
      throw error
    } catch is Schema.IsNewer {
      throw .newer(path: path)
    } catch is Schema.IsForeign {
      throw .unusable(folder: folder, reason: "\(name) is no database of this program")
    } catch let error as DatabaseError where error.isOfDamage {
      throw .damaged(path: path, findings: [error.message ?? "\(error.resultCode)"])
    } catch {
      throw WorldsError(error, in: folder)
    }
  }

  /// Reads the database in a folder as it lies there; nil where there is none.
  ///
  /// This process must not have it open: of a file that is read so it would lose the locks.
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
    // Beside a log it is read with it. Else it counts as one that nobody changes: for any other SQLite makes a
    // log, and leaves it.
    let unchanging = "\(URL(fileURLWithPath: path).absoluteString)?immutable=1"
    let database = try DatabaseQueue(
      path: size(of: "\(path)-wal") > 0 ? path : unchanging,
      configuration: configuration
    )
    defer { try? database.close() }
    return try database.read(read)
  }

  /// In bytes; none where there is no file.
  private static func size(of path: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  }

  /// Looks at a file that is there without changing it: to open it for writing already brings it into another mode.
  ///
  /// - Throws: `Schema.IsNewer` or `Schema.IsForeign`. What else there is to say, opening says.
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

  /// Keeps keys, hashes and codes from other accounts of the machine: a new file is its owner's alone, one
  /// that is there nobody's but its owner's and its group's.
  ///
  /// SQLite makes the files beside it alike. Where it cannot be done, opening says what is wrong.
  private static func refuseStrangers(at path: String) {
    // A descriptor of a database that is open must not be closed: its locks would be let go of.
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
  /// Closes all connections, the one that writes last: it alone can write the log into the database
  /// and take the log away.
  ///
  /// - Throws: What SQLite reports; then the connections are open.
  func closeInOrder() throws {
    (self as? DatabasePool)?.invalidateReadOnlyConnections()
    try close()
  }
}

extension Worlds {
  /// The version of SQLite that is in use.
  public static var libraryVersion: String {
    let number = Database.sqliteLibVersionNumber
    return "\(number / 1_000_000).\(number / 1_000 % 1_000).\(number % 1_000)"
  }
}
