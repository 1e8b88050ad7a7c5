internal import GRDB
internal import Locking

/// The emails and text messages that a world would have sent: the newest thousand.
///
/// A message is written in the transaction that issues its code, so that it exists exactly if the
/// code was issued.
public final class Outbox: Sendable {
  /// Selects messages; a property that is nil matches all.
  public struct Filter: Sendable, Hashable {
    /// The address or number, regardless of case.
    public var to: String?
    public var purpose: Message.Purpose?
    public var channel: Message.Channel?
    /// The id of a message: only later ones match, or all if it no longer exists.
    public var after: String?

    public init(
      to: String? = nil,
      purpose: Message.Purpose? = nil,
      channel: Message.Channel? = nil,
      after: String? = nil
    ) {
      self.to = to
      self.purpose = purpose
      self.channel = channel
      self.after = after
    }
  }

  /// Why waiting for messages has ended.
  public enum WaitingEnd: Error, Hashable, Sendable {
    /// The world has been dropped, so no message will come.
    case worldGone
    /// The program is stopping.
    case stopping
  }

  /// How many messages are kept.
  static let limit = 1000

  private let database: WorldStorage
  private let arrivals = ArrivalSignal()
  private let counted = Locked<(count: Int, revision: Int)?>(nil)
  private let changeCount = Locked(0)

  init(database: WorldStorage) {
    self.database = database
  }

  /// The messages, newest first.
  ///
  /// - Throws: What SQLite reports.
  public func messages(_ filter: Filter = Filter()) async throws -> [Message] {
    try await database.read { db in try Self.fetch(filter, limit: Self.limit, db) }
  }

  /// The newest messages, at most that many, newest first.
  ///
  /// - Throws: What SQLite reports.
  public func newest(_ count: Int) async throws -> [Message] {
    try await database.readBriefly { db in try Self.fetch(Filter(), limit: count, db) }
  }

  /// The message with exactly that id; nil if there is none.
  ///
  /// - Throws: What SQLite reports.
  public func message(_ id: String) async throws -> Message? {
    try await database.readBriefly { db in
      let statement = try db.cachedStatement(sql: "SELECT * FROM message WHERE id = ?")
      return try MessageRecord.fetchOne(statement, arguments: [id])?.message
    }
  }

  /// Waits until there is a matching message, and returns the newest.
  ///
  /// - Parameters:
  ///   - filter: Which messages match.
  ///   - wait: How long to wait for one, in real time; zero looks once.
  /// - Returns: Nil if none came in time.
  /// - Throws: `WaitingEnd` if waiting ended first; `CancellationError`, or what SQLite reports.
  public func latest(_ filter: Filter, wait: Duration = .zero) async throws -> Message? {
    let deadline = ContinuousClock.now + wait
    while true {
      let ticket = arrivals.ticket()
      let found = try await database.read { db in try Self.fetch(filter, limit: 1, db).first }
      if let found { return found }
      guard wait > .zero else { return nil }
      guard try await arrivals.isGiven(after: ticket, before: deadline) else { return nil }
    }
  }

  /// A number that is different after each change.
  public var revision: Int { changeCount.withLock { $0 } }

  /// The number of messages; cached until the next change, since every page asks.
  ///
  /// - Throws: What SQLite reports.
  public func count() async throws -> Int {
    let revision = revision
    if let counted = counted.withLock({ $0 }), counted.revision == revision { return counted.count }
    let count = try await database.readBriefly { db in try MessageRecord.fetchCount(db) }
    counted.withLock { $0 = (count, revision) }
    return count
  }

  /// Deletes every message.
  ///
  /// - Throws: What SQLite reports.
  public func removeAll() async throws {
    _ = try await database.write { db in try MessageRecord.deleteAll(db) }
    haveChanged()
  }

  /// Deletes one message.
  ///
  /// - Returns: Whether there was one of that id.
  /// - Throws: What SQLite reports.
  public func remove(_ id: String) async throws -> Bool {
    defer { haveChanged() }
    return try await database.write { db in
      try db.cachedStatement(sql: "DELETE FROM message WHERE id = ?").execute(arguments: [id])
      return db.changesCount > 0
    }
  }

  /// Wakes the tasks that wait for a message; called after the transaction that wrote one.
  func announce() {
    haveChanged()
    arrivals.give()
  }

  /// Ends all waits for a message.
  func endWaiting(because end: WaitingEnd) { arrivals.end(because: end) }

  /// Invalidates the cached count; called after a transaction that changed the messages.
  func haveChanged() { changeCount.withLock { $0 += 1 } }

  /// Writes a message and drops those beyond the limit.
  static func insert(_ message: MessageRecord, _ db: Database) throws {
    var message = message
    try message.insert(db)
    try db.cachedStatement(sql: "DELETE FROM message WHERE sequence <= ?")
      .execute(arguments: [(message.sequence ?? 0) - Int64(limit)])
  }

  private static func fetch(_ filter: Filter, limit: Int, _ db: Database) throws -> [Message] {
    let sql = """
      SELECT * FROM message
      WHERE (?1 IS NULL OR lower("to") = ?1) AND (?2 IS NULL OR purpose = ?2)
        AND (?3 IS NULL OR channel = ?3)
        AND (?5 IS NULL OR sequence > COALESCE((SELECT sequence FROM message WHERE id = ?5), 0))
      ORDER BY sequence DESC LIMIT ?4
      """
    let records = try MessageRecord.fetchAll(
      db.cachedStatement(sql: sql),
      arguments: [
        filter.to?.lowercased(), filter.purpose?.rawValue, filter.channel?.rawValue, limit,
        filter.after,
      ]
    )
    return records.compactMap(\.message)
  }
}
