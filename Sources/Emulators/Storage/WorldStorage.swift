internal import GRDB
internal import Locking

/// The way to what a world keeps.
///
/// Whoever works on a database waits in its queue, and no thread with them. Work on one in memory that
/// is short is done at once, on the thread that asks: it takes a fraction of a millisecond, and to
/// wake another thread for it, and one more to go on, takes longer. It is not where longer work is
/// under way, of which no such thread may have to wait for the end.
final class WorldStorage: Sendable {
  private let database: any DatabaseWriter
  /// Nil in memory.
  private let file: DatabaseFile?
  private let isInMemory: Bool
  private let work = Locked(Work())

  /// What is under way, where the database is in memory.
  private struct Work {
    /// How many pieces are in the queue that may take long, or are about to be.
    var longCount = 0
    /// How many threads do short work at once.
    var shortCount = 0
    /// Long work that begins when no thread does short work: it would come before that one, which must not
    /// wait for its end.
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

  /// Reads and writes in one transaction; whatever is thrown in it undoes it.
  func write<Value: Sendable>(
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    let work = checked(work)
    return try await queued { try await $0.write(work) }
  }

  /// Reads and writes in one transaction; whatever is thrown in it undoes it.
  ///
  /// - Parameters:
  ///   - work: What is done in the transaction.
  ///   - publish: What becomes true with it, beside the database. Nobody else's work on it comes in between:
  ///     what waited reads both as they are then.
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

  /// What there is now, and what is true beside it, which nobody's work changes in between.
  func snapshot<Companion: Sendable>(
    with companion: @escaping @Sendable () -> Companion
  ) async throws -> (any DatabaseReader, Companion) {
    try await queued { try await $0.snapshot(with: companion) }
  }

  func closeInOrder() throws { try database.closeInOrder() }

  /// The work after a look at the file, if there is one: nothing is acknowledged that nobody would find again.
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

  /// Reads a world in memory by the one connection that it has, in whose queue nobody else writes.
  ///
  /// GRDB would forbid that connection to write meanwhile, by a pragma, after each of which SQLite
  /// compiles every statement anew.
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

  /// Whether this thread may do it: long work waits for its end then.
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

  // Where nothing is awaited, the database's own functions that do not wait are meant.

  private func readNow<Value>(_ work: (Database) throws -> Value) throws -> Value {
    try database.unsafeRead(work)
  }

  private func writeNow<Value>(_ work: (Database) throws -> Value) throws -> Value {
    try database.writeWithoutTransaction(work)
  }
}
