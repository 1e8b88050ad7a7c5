internal import GRDB
internal import Locking

/// Access to the database of a world.
///
/// Work waits in the database's queue without blocking a thread. Short work in memory is done at
/// once on the calling thread: waking another thread, and one more to continue, would take longer.
/// Not while longer work is in progress, whose end the calling thread would have to wait for.
final class WorldStorage: Sendable {
  private let database: any DatabaseWriter
  /// Nil in memory.
  private let file: DatabaseFile?
  private let isInMemory: Bool
  private let work = Locked(Work())

  /// The work in progress on a database in memory.
  private struct Work {
    /// How many pieces of long work are in the queue, or are about to be.
    var longCount = 0
    /// How many threads are doing short work directly.
    var shortCount = 0
    /// Long work that waits until no thread does short work: it would otherwise get ahead of that
    /// thread, which must not wait for its end.
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  init(_ database: any DatabaseWriter) {
    self.database = database
    // In a file, each commit waits for the disk.
    isInMemory = database is DatabaseQueue
    file = isInMemory ? nil : DatabaseFile(database.path)
  }

  // MARK: Work that may take long

  func read<Value: Sendable>(
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await queued { try await read(work, from: $0) }
  }

  /// Reads and writes in one transaction; an error that is thrown rolls it back.
  func write<Value: Sendable>(
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    let work = checked(work)
    return try await queued { try await $0.write(work) }
  }

  /// Reads and writes in one transaction; an error that is thrown rolls it back.
  ///
  /// - Parameters:
  ///   - work: What is done in the transaction.
  ///   - publish: Changes state outside the database. No other work comes in between: what waited
  ///     reads both as they are then.
  /// - Throws: What the work throws, or what SQLite reports; then nothing is published.
  func write(
    _ work: @escaping @Sendable (Database) throws -> Void,
    then publish: @escaping @Sendable () -> Void
  ) async throws {
    try await writeWithoutTransaction { db in
      try db.inTransaction {
        try work(db)
        return .commit
      }
      publish()
    }
  }

  func writeWithoutTransaction<Value: Sendable>(
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    let work = checked(work)
    return try await queued { try await $0.writeWithoutTransaction(work) }
  }

  /// Writes a little, to find out whether anything can be stored; and before that, if the disk has
  /// refused something, as much as a whole call.
  ///
  /// - Throws: As `DatabaseFile.check`, or what SQLite reports.
  func checkWritable() async throws {
    try await writeWithoutTransaction { [file] db in
      try file?.proveRoom(db)
      try db.inTransaction {
        try db.execute(sql: "UPDATE heartbeat SET count = count + 1")
        return .commit
      }
    }
  }

  /// A snapshot, with state outside the database that no work changes in between.
  func snapshot<Companion: Sendable>(
    with companion: @escaping @Sendable () -> Companion
  ) async throws -> (any DatabaseReader, Companion) {
    try await queued { try await $0.snapshot(with: companion) }
  }

  func closeInOrder() throws { try database.closeInOrder() }

  /// The work, after a check of the file if there is one: no write is acknowledged that would be
  /// lost.
  private func checked<Value>(
    _ work: @escaping @Sendable (Database) throws -> Value
  ) -> @Sendable (Database) throws -> Value {
    guard let file else { return work }
    return { db in
      try file.check(db)
      return try work(db)
    }
  }

  private func queued<Value>(
    _ work: (any DatabaseWriter) async throws -> Value
  ) async throws -> Value {
    if let file { return try await noting(about: file) { try await work(database) } }
    await beginLongWork()
    defer { self.work.withLock { $0.longCount -= 1 } }
    return try await work(database)
  }

  private func noting<Value>(
    about file: DatabaseFile,
    _ work: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await work()
    } catch {
      file.note(error)
      throw error
    }
  }

  private func beginLongWork() async {
    await withCheckedContinuation { continuation in
      let isFree = work.withLock { work in
        work.longCount += 1
        if work.shortCount > 0 { work.waiting.append(continuation) }
        return work.shortCount == 0
      }
      if isFree { continuation.resume() }
    }
  }

  /// Reads; from a world in memory on its only connection, in whose queue nobody else writes.
  ///
  /// GRDB's own read would forbid writes on that connection by a pragma, after which SQLite
  /// recompiles every statement.
  private func read<Value: Sendable>(
    _ work: @escaping @Sendable (Database) throws -> Value,
    from database: any DatabaseWriter
  ) async throws -> Value {
    isInMemory ? try await database.unsafeRead(work) : try await database.read(work)
  }

  // MARK: Short work

  func readBriefly<Value: Sendable>(
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    if let file { return try await noting(about: file) { try await database.read(work) } }
    guard beginShortWork() else { return try await read(work, from: database) }
    defer { endShortWork() }
    return try readNow(work)
  }

  func writeBrieflyWithoutTransaction<Value: Sendable>(
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    if let file {
      let work = checked(work)
      return try await noting(about: file) { try await database.writeWithoutTransaction(work) }
    }
    guard beginShortWork() else { return try await database.writeWithoutTransaction(work) }
    defer { endShortWork() }
    return try writeNow(work)
  }

  /// Whether this thread may do short work; then long work waits for its end.
  private func beginShortWork() -> Bool {
    work.withLock { work in
      guard work.longCount == 0 else { return false }
      work.shortCount += 1
      return true
    }
  }

  private func endShortWork() {
    let waiting = work.withLock { work -> [CheckedContinuation<Void, Never>] in
      work.shortCount -= 1
      guard work.shortCount == 0, !work.waiting.isEmpty else { return [] }
      defer { work.waiting = [] }
      return work.waiting
    }
    for work in waiting { work.resume() }
  }

  // In functions that are not async, GRDB's synchronous variants are called.

  private func readNow<Value>(_ work: (Database) throws -> Value) throws -> Value {
    try database.unsafeRead(work)
  }

  private func writeNow<Value>(_ work: (Database) throws -> Value) throws -> Value {
    try database.writeWithoutTransaction(work)
  }
}
