internal import GRDB

/// The consecutive failures of one subject, and the lock that followed.
///
/// The subject is an account or, while the instance hides which accounts exist, an identifier
/// without one.
/// Source: <doc:ClerkSigningIn#Lockout>.
struct Lockout: Codable, Sendable, Hashable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "lockout"

  var subject: String
  var failureCount = 0
  var isLocked = false
  /// When the lock ends; nil for one that lasts until someone unlocks, and without a lock.
  var lockedUntil: EpochMilliseconds?
  /// When the latest failure was counted.
  var updatedAt = EpochMilliseconds(rawValue: 0)

  /// The lockout at that time: a lock whose end has passed is over, and its count cleared.
  ///
  /// A lock that began more than a minute after that time is over as well: the machine's clock was
  /// set back, and nobody should wait longer than the lock was meant to last (S34).
  func current(at now: EpochMilliseconds) -> Self {
    guard isLocked, let lockedUntil,
      lockedUntil <= now || updatedAt > now.adding(seconds: Self.skewSeconds)
    else { return self }
    return Self(subject: subject)
  }

  /// Restarts the locks that lie in the future because the clock was set back.
  ///
  /// Each lasts as long as it was meant to, so setting the clock back unlocks nobody.
  static func beginAnew(at now: EpochMilliseconds, _ db: Database) throws {
    let ahead = try fetchAll(
      db,
      sql: "SELECT * FROM lockout WHERE isLocked AND lockedUntil IS NOT NULL AND updatedAt > ?",
      arguments: [now.adding(seconds: skewSeconds)]
    )
    for var lockout in ahead {
      guard let lockedUntil = lockout.lockedUntil else { continue }
      lockout.lockedUntil = now.adding(seconds: lockout.updatedAt.secondsUntil(lockedUntil))
      lockout.updatedAt = now
      try lockout.update(db)
    }
  }

  /// How far in the future a lock may have begun, since another process's clock may be ahead.
  private static let skewSeconds = 60

  /// The whole seconds, at least one, until the lock ends; nil if it has no end.
  func secondsLeft(at now: EpochMilliseconds) -> Int? {
    lockedUntil.map { max(1, now.secondsUntil($0)) }
  }

  mutating func countFailure(limit: Int, duration: Int?, at now: EpochMilliseconds) {
    failureCount += 1
    updatedAt = now
    guard limit > 0, failureCount >= limit else { return }
    isLocked = true
    lockedUntil = duration.map { now.adding(seconds: $0) }
  }

  static func of(_ subject: String, at now: EpochMilliseconds, _ db: Database) throws -> Self {
    let stored = try fetchOne(
      db.cachedStatement(sql: "SELECT * FROM lockout WHERE subject = ?"),
      arguments: [subject]
    )
    return (stored ?? Self(subject: subject)).current(at: now)
  }

  static func clear(_ subject: String, _ db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM lockout WHERE subject = ?")
      .execute(arguments: [subject])
  }
}
