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
  private let isInMemory: Bool
  /// How many pieces of work are in the queue that may take long.
  private let queuedCount = Locked(0)

  init(_ database: any DatabaseWriter) {
    self.database = database
    // In a file, each commit waits for the disk.
    isInMemory = database is DatabaseQueue
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
    try await queued { try await $0.write(work) }
  }

  func writeWithoutTransaction<Value: Sendable>(
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await queued { try await $0.writeWithoutTransaction(work) }
  }

  func snapshot() async throws -> any DatabaseReader {
    try await queued { try await $0.snapshot() }
  }

  func closeInOrder() throws { try database.closeInOrder() }

  private func queued<Value>(
    _ work: (any DatabaseWriter) async throws -> Value
  ) async throws -> Value {
    queuedCount.withLock { $0 += 1 }
    defer { queuedCount.withLock { $0 -= 1 } }
    return try await work(database)
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
    isFree ? try readNow(work) : try await read(work, from: database)
  }

  func writeBrieflyWithoutTransaction<Value: Sendable>(
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    isFree ? try writeNow(work) : try await database.writeWithoutTransaction(work)
  }

  private var isFree: Bool { isInMemory && queuedCount.withLock { $0 == 0 } }

  // Where nothing is awaited, the database's own functions that do not wait are meant.

  private func readNow<Value>(_ work: (Database) throws -> Value) throws -> Value {
    try database.unsafeRead(work)
  }

  private func writeNow<Value>(_ work: (Database) throws -> Value) throws -> Value {
    try database.writeWithoutTransaction(work)
  }
}
