import Dispatch
import Foundation
import GRDB
import Glibc
import Locking
import Testing

@testable import Emulators

@Suite("Access to a world's storage")
struct WorldStorageTests {
  private static func number(_ db: Database) throws -> Int? {
    try Int.fetchOne(db, sql: "SELECT 7")
  }

  /// The result of a short piece of work, if it was done before anybody waited for it.
  private static func atOnce(_ storage: WorldStorage) -> (value: Int?, task: Task<Int?, any Error>)
  {
    let done = Locked<Int?>(nil)
    let task = Task.immediate {
      let value = try await storage.readBriefly(Self.number)
      done.withLock { $0 = value }
      return value
    }
    return (done.withLock(\.self), task)
  }

  private static func signal(of semaphore: DispatchSemaphore) async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        semaphore.wait()
        continuation.resume()
      }
    }
  }

  @Test("short work in memory is done at once")
  func short() throws {
    let storage = WorldStorage(try WorldDatabase.inMemory())
    for _ in 0..<3 {
      let value = Self.atOnce(storage).value
      #expect(value == 7)
    }
  }

  /// Counted with a table that Debian's SQLite has.
  @Test("reading a world in memory makes SQLite recompile no statement")
  func statementsOutliveReads() async throws {
    let storage = WorldStorage(try WorldDatabase.inMemory())
    @Sendable func countAccounts(_ db: Database) throws { _ = try Account.fetchCount(db) }
    for _ in 0..<2 {
      try await storage.read(countAccounts)
      try await storage.readBriefly(countAccounts)
      try await storage.writeBrieflyWithoutTransaction(countAccounts)
    }
    let compiledAnew = try await storage.read { db in
      try Int.fetchOne(db, sql: "SELECT SUM(reprep) FROM sqlite_stmt")
    }
    #expect(compiledAnew == 0)
  }

  @Test("short work waits while longer work is under way, without blocking a thread")
  func long() async throws {
    let storage = WorldStorage(try WorldDatabase.inMemory())
    let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let long = Task {
      try await storage.write { _ in
        begun.signal()
        end.wait()
      }
    }
    await Self.signal(of: begun)
    let short = Self.atOnce(storage)
    #expect(short.value == nil)
    end.signal()
    try await long.value
    #expect(try await short.task.value == 7)
    let next = Self.atOnce(storage).value
    #expect(next == 7)
  }

  @Test("longer work begins after short work in progress, and later short work queues behind it")
  func longAfterShort() async throws {
    let storage = WorldStorage(try WorldDatabase.inMemory())
    let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let order = Locked<[String]>([])
    let short = Task {
      try await storage.readBriefly { _ in
        begun.signal()
        end.wait()
        order.withLock { $0.append("short") }
      }
    }
    await Self.signal(of: begun)
    // Immediate: it now waits for its turn, and later work queues behind it.
    let long = Task.immediate {
      try await storage.write { _ in order.withLock { $0.append("long") } }
    }
    let late = Self.atOnce(storage)
    #expect(late.value == nil)
    end.signal()
    try await short.value
    try await long.value
    #expect(try await late.task.value == 7)
    #expect(order.withLock(\.self) == ["short", "long"])
    let next = Self.atOnce(storage).value
    #expect(next == 7)
  }

  @Test("on disk, where commits take time, short work runs on another thread")
  func onDisk() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let storage = WorldStorage(try WorldDatabase.inFolder(folder.path, named: "world.db"))
    let threads = Locked<[pthread_t]>([])
    let own = pthread_self()
    try await storage.writeBrieflyWithoutTransaction { _ in
      threads.withLock { $0.append(pthread_self()) }
    }
    #expect(threads.withLock { $0.allSatisfy { pthread_equal($0, own) == 0 } })
    #expect(threads.withLock(\.count) == 1)
    try storage.closeInOrder()
  }

  @Test(
    "a snapshot is taken once earlier work is written and published",
    arguments: [false, true]
  )
  func snapshot(isOnDisk: Bool) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let storage = WorldStorage(
      isOnDisk
        ? try WorldDatabase.inFolder(folder.path, named: "world.db") : try WorldDatabase.inMemory()
    )
    let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let published = Locked(false)
    let work = Task {
      try await storage.write { db in
        try db.execute(sql: "CREATE TABLE written (id INTEGER)")
      } then: {
        begun.signal()
        end.wait()
        published.withLock { $0 = true }
      }
    }
    await Self.signal(of: begun)
    // Immediate: it has already asked.
    let asked = Task.immediate { try await storage.snapshot { published.withLock(\.self) } }
    end.signal()
    try await work.value
    let (snapshot, wasPublished) = try await asked.value
    #expect(wasPublished)
    #expect(try await snapshot.read { try $0.tableExists("written") })
    try storage.closeInOrder()
  }
}
