internal import GRDB

/// How long a world remembers what nobody needs any more: the one place that forgets.
///
/// What still counts is never forgotten for want of room; what is past its time goes, a little later, so
/// that for a while it is still told apart from what never was.
struct Retention: Sendable {
  /// Rows of a table that may go, by the time at which a sweep looks.
  private struct Rule: Sendable {
    var table: String
    /// Of SQL, with `?1` for the last moment whose leftovers go.
    var condition: String
    /// How long they stay beyond their time.
    var seconds: Int
  }

  private static let day = 86_400

  private static let rules = [
    Rule(table: "signIn", condition: "abandonAt <= ?1", seconds: day),
    Rule(table: "signUp", condition: "abandonAt <= ?1", seconds: day),
    Rule(table: "session", condition: "expireAt <= ?1", seconds: day),
    Rule(table: "session", condition: "ending IS NOT NULL AND updatedAt <= ?1", seconds: day),
    // A client that nothing is left of and no account knows as its device.
    Rule(
      table: "client",
      condition: """
        updatedAt <= ?1 AND NOT EXISTS (SELECT 1 FROM session WHERE clientID = client.id)
          AND NOT EXISTS (SELECT 1 FROM signIn WHERE clientID = client.id) AND NOT EXISTS (SELECT 1 FROM signUp WHERE clientID = client.id)
          AND NOT EXISTS (SELECT 1 FROM device WHERE clientID = client.id)
        """,
      seconds: day
    ),
    // Its devices go with it: a browser that has not come for so long signs in as a new one.
    Rule(
      table: "client",
      condition:
        "updatedAt <= ?1 AND NOT EXISTS (SELECT 1 FROM session WHERE clientID = client.id)",
      seconds: 365 * day
    ),
    Rule(
      table: "developmentBrowser",
      condition: "createdAt <= ?1 AND clientID IS NULL",
      seconds: 30 * day
    ),
    Rule(table: "entraFlow", condition: "expireAt <= ?1", seconds: day),
    Rule(table: "entraSession", condition: "expireAt <= ?1", seconds: day),
    Rule(table: "invitation", condition: "expireAt <= ?1", seconds: 30 * day),
    // Failures of identifiers that nobody has; an account keeps its own.
    Rule(
      table: "lockout",
      condition: """
        updatedAt <= ?1 AND ifnull(lockedUntil, 0) <= ?1 AND subject NOT IN (SELECT id FROM account)
        """,
      seconds: 30 * day
    ),
  ]

  /// How much goes at once, so that no call waits long for it.
  static let rowLimit = 500
  /// Of the world's clock.
  private static let intervalSeconds = 60

  /// When the next sweep is due; nil at once.
  private let next = Locked<Instant?>(nil)

  /// Forgets what is past its time, if none has looked of late.
  ///
  /// - Throws: What SQLite reports.
  func sweepIfDue(at now: Instant, _ db: Database) throws {
    guard isDue(at: now) else { return }
    if try Self.sweep(at: now, db) { next.withLock { $0 = nil } }
  }

  private func isDue(at now: Instant) -> Bool {
    next.withLock { next in
      // A clock that was set back is no reason to wait.
      let latest = now.adding(seconds: Self.intervalSeconds)
      if let due = next, due > now, due <= latest { return false }
      next = latest
      return true
    }
  }

  /// Forgets what is past its time.
  ///
  /// - Returns: Whether there is more of it.
  static func sweep(at now: Instant, _ db: Database) throws -> Bool {
    var hasMore = false
    for rule in rules {
      let sql = """
        DELETE FROM \(rule.table) WHERE rowid IN (
          SELECT rowid FROM \(rule.table) WHERE \(rule.condition) LIMIT \(rowLimit)
        )
        """
      let latest = now.adding(seconds: -rule.seconds)
      try db.cachedStatement(sql: sql).execute(arguments: [latest])
      hasMore = hasMore || db.changesCount >= rowLimit
    }
    return hasMore
  }
}
