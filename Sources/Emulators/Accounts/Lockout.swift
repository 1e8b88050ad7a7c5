internal import GRDB

/// How many secrets in a row were wrong for one subject, and the lock that followed.
///
/// The subject is an account or, while the instance hides which accounts exist, an identifier that
/// nobody has.
/// Source: <doc:ClerkSigningIn#Lockout>.
struct Lockout: Codable, Sendable, Hashable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "lockout"

  var subject: String
  var failureCount = 0
  var isLocked = false
  /// Nil, while locked, until someone unlocks.
  var lockedUntil: EpochMilliseconds?
  /// When the latest failure was counted.
  var updatedAt = EpochMilliseconds(rawValue: 0)

  /// The lockout as it is at that time: one whose end has passed is over, and its count cleared.
  ///
  /// So is one that began more than a minute from now: the machine's clock has been moved back, and nobody
  /// waits for that longer than for the lock itself (S34).
  func current(at now: EpochMilliseconds) -> Self {
    guard isLocked, let lockedUntil,
      lockedUntil <= now || updatedAt > now.adding(seconds: Self.skewSeconds)
    else { return self }
    return Self(subject: subject)
  }

  /// Lets the locks that lie ahead, since the clock was moved back, begin now, each as long as it was meant
  /// to last: nobody is let in by that.
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

  /// How far ahead a lock may have begun, as by another process's clock.
  private static let skewSeconds = 60

  /// How many whole seconds the lock still lasts; nil where it has no end.
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
