internal import GRDB
internal import Locking

/// How long a world keeps rows that nobody needs any more.
///
/// Expired rows are deleted a while later, so that until then they can be told apart from rows that
/// never existed. Valid rows stay, except that only an account's newest sessions are kept, attempts
/// have less time while there are many, and only the newest rows that strangers leave behind are
/// kept: a program under endless load must not grow without end. Tables with their own limit, such
/// as messages, enforce it when written.
struct Retention: Sendable {
  /// The rows of a table that a sweep may delete.
  private struct Rule: Sendable {
    var table: String
    /// SQL that selects the rows as `rowid`; `?1` is the time of the sweep less `seconds`.
    var rows: String
    /// How long they are kept after they expire; nil if their age does not matter.
    var seconds: Int?

    init(table: String, condition: String, seconds: Int) {
      self.init(
        table: table,
        rows: "SELECT rowid FROM \(table) WHERE \(condition)",
        seconds: seconds
      )
    }

    init(table: String, rows: String, seconds: Int?) {
      self.table = table
      self.rows = rows
      self.seconds = seconds
    }

    /// The rows of an account beyond its newest `accountLimit`.
    static func surplus(in table: String) -> Self {
      Self(
        table: table,
        rows: "SELECT place AS rowid FROM (\(surplusRows(of: table)))",
        seconds: nil
      )
    }

    /// The clients that have nothing but such rows left: either their sessions or their devices may
    /// be deleted long before the others.
    static func clients(ofSurplusIn table: String, without other: String) -> Self {
      Self(
        table: "client",
        rows: """
          SELECT client.rowid AS rowid FROM (\(surplusRows(of: table))) AS old
            JOIN \(table) AS row ON row.rowid = old.place JOIN client ON client.id = row.clientID
          WHERE NOT EXISTS (SELECT 1 FROM \(other) WHERE clientID = client.id)
            AND NOT EXISTS (SELECT 1 FROM \(table) AS newer WHERE newer.clientID = client.id
              AND (newer.rowid > row.rowid OR newer.accountID <> old.accountID))
            AND NOT EXISTS (SELECT 1 FROM signIn WHERE clientID = client.id AND abandonAt > ?1
              AND state ->> 'status' <> 'complete')
            AND NOT EXISTS (SELECT 1 FROM signUp WHERE clientID = client.id AND abandonAt > ?1
              AND state ->> 'createdAccountID' IS NULL)
          """,
        seconds: 0
      )
    }

    /// The attempts that a crowded world deletes, no matter who began them.
    static func surplusAttempts(in table: String) -> Self {
      Self(
        table: table,
        rows: "SELECT rowid FROM \(table) WHERE \(isSurplus(table, of: table))",
        seconds: crowdedAttemptSeconds
      )
    }

    /// The clients that have nothing but such attempts left.
    static func clients(ofSurplusAttemptsIn table: String) -> Self {
      func lacksOther(_ table: String) -> String {
        """
        NOT EXISTS (SELECT 1 FROM \(table) AS other
          WHERE other.clientID = client.id AND NOT \(isSurplus("other", of: table)))
        """
      }
      return Self(
        table: "client",
        rows: """
          SELECT client.rowid AS rowid FROM \(table) AS old JOIN client ON client.id = old.clientID
          WHERE \(isSurplus("old", of: table))
            AND \(lacksOther("signIn")) AND \(lacksOther("signUp"))
            AND NOT EXISTS (SELECT 1 FROM session WHERE clientID = client.id)
            AND NOT EXISTS (SELECT 1 FROM device WHERE clientID = client.id)
          """,
        seconds: crowdedAttemptSeconds
      )
    }

    /// Rows that anybody can leave behind, beyond the newest of the table.
    ///
    /// Only as many of the older ones are examined as can have been added since the last sweep.
    static func surplusOfAnybody(in table: String, condition: String) -> Self {
      let newestSurplus = "(SELECT max(rowid) - \(anybodyLimit) FROM \(table))"
      return Self(
        table: table,
        rows: """
          SELECT rowid FROM \(table)
          WHERE rowid <= \(newestSurplus) AND rowid > \(newestSurplus) - \(2 * rowLimit)
            AND \(condition)
          """,
        seconds: nil
      )
    }

    /// SQL for whether a row is beyond `attemptLimit` and past its shorter time, or beyond
    /// `attemptCeiling`.
    private static func isSurplus(_ row: String, of table: String) -> String {
      func isBeyond(_ count: Int) -> String {
        "\(row).rowid <= (SELECT ifnull(max(rowid), 0) - \(count) FROM \(table))"
      }
      return """
        (\(isBeyond(attemptLimit)) AND (\(row).createdAt <= ?1 OR \(isBeyond(attemptCeiling))))
        """
    }

    static func surplusRows(of table: String) -> String {
      """
      SELECT place, accountID FROM (
        SELECT rowid AS place, accountID,
          row_number() OVER (PARTITION BY accountID ORDER BY rowid DESC) AS age
        FROM \(table) WHERE accountID IN (
          SELECT accountID FROM \(table) GROUP BY accountID HAVING count(*) > \(accountLimit)
        )
      ) WHERE age > \(accountLimit)
      """
    }
  }

  /// How many sessions, Entra refresh tokens and known devices, of each, are kept per account.
  ///
  /// Only sign-ins to the account add to them, so nobody can end another person's session.
  static let accountLimit = 1000

  /// How many attempts of one kind are kept until they expire: about 4 MB.
  static let attemptLimit = 3000

  /// How long attempts beyond that limit are kept: ten minutes, the lifetime of a sent code.
  ///
  /// Anybody may begin attempts, but must not end another person's attempt while they type.
  static let crowdedAttemptSeconds = 600

  /// The maximum number of attempts of one kind: about 7 MB.
  ///
  /// Age alone is not enough: anybody can begin any number within ten minutes, and all have the
  /// same age while the clock is frozen.
  static let attemptCeiling = 6000

  /// How many rows that anybody can leave behind are kept: a few megabytes of each kind.
  ///
  /// They are clients with which nothing was begun, development browsers without a client, failures
  /// of identifiers without an account, and invitations that were revoked or accepted.
  ///
  /// They can be created at any rate, and while the clock is frozen.
  static let anybodyLimit = 6000

  private static let day = 86_400

  /// Whether a client has no session, no attempt and no known device left.
  private static let isBareClient = """
    NOT EXISTS (SELECT 1 FROM session WHERE clientID = client.id)
      AND NOT EXISTS (SELECT 1 FROM signIn WHERE clientID = client.id)
      AND NOT EXISTS (SELECT 1 FROM signUp WHERE clientID = client.id)
      AND NOT EXISTS (SELECT 1 FROM device WHERE clientID = client.id)
    """
  /// Whether the subject of a lockout is not an account.
  private static let isOfNobody = "subject NOT IN (SELECT id FROM account)"

  private static let rules = [
    Rule(table: "signIn", condition: "abandonAt <= ?1", seconds: day),
    Rule(table: "signUp", condition: "abandonAt <= ?1", seconds: day),
    Rule(table: "session", condition: "expireAt <= ?1", seconds: day),
    Rule(table: "session", condition: "ending IS NOT NULL AND updatedAt <= ?1", seconds: day),
    Rule(table: "client", condition: "updatedAt <= ?1 AND \(isBareClient)", seconds: day),
    .surplusOfAnybody(in: "client", condition: isBareClient),
    // Its known devices go with it: a browser that was away for so long signs in as a new one.
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
    .surplusOfAnybody(in: "developmentBrowser", condition: "clientID IS NULL"),
    Rule(table: "entraFlow", condition: "expireAt <= ?1", seconds: EntraFlow.lifetimeSeconds),
    Rule(table: "entraSession", condition: "expireAt <= ?1", seconds: day),
    Rule(table: "invitation", condition: "expireAt <= ?1", seconds: 30 * day),
    // Failures of identifiers without an account; an account keeps its own.
    Rule(
      table: "lockout",
      condition: """
        updatedAt <= ?1 AND ifnull(lockedUntil, 0) <= ?1 AND \(isOfNobody)
        """,
      seconds: 30 * day
    ),
    .surplusOfAnybody(in: "lockout", condition: isOfNobody),
    .surplusOfAnybody(in: "organizationInvitee", condition: "revokedAt IS NOT NULL"),
    .surplusOfAnybody(in: "organizationOffer", condition: "status <> 'pending'"),
    .clients(ofSurplusIn: "session", without: "device"),
    .surplus(in: "session"),
    .surplus(in: "entraSession"),
    .clients(ofSurplusIn: "device", without: "session"),
    .surplus(in: "device"),
    .clients(ofSurplusAttemptsIn: "signIn"),
    .clients(ofSurplusAttemptsIn: "signUp"),
    .surplusAttempts(in: "signIn"),
    .surplusAttempts(in: "signUp"),
    .surplusAttempts(in: "entraFlow"),
  ]

  /// How many rows a rule deletes at once, so that no call waits long for it.
  static let rowLimit = 500
  /// By the world's clock.
  private static let intervalSeconds = 60
  /// How many calls may come between two sweeps: fewer than the rows that a sweep removes.
  private static let callLimit = 250

  /// When the next sweep is due; without a value it is due at once.
  private struct Next: Sendable {
    var time: EpochMilliseconds
    var callsLeft = callLimit
  }

  private let next = Locked<Next?>(nil)

  /// Sweeps, unless the last sweep was recent.
  ///
  /// - Throws: What SQLite reports.
  func sweepIfDue(at now: EpochMilliseconds, _ db: Database) throws {
    guard isDue(at: now) else { return }
    if try Self.sweep(at: now, db) { next.withLock { $0 = nil } }
  }

  private func isDue(at now: EpochMilliseconds) -> Bool {
    next.withLock { next in
      // If the clock was set back, the sweep is due at once.
      let latest = now.adding(seconds: Self.intervalSeconds)
      if let due = next, due.time > now, due.time <= latest, due.callsLeft > 0 {
        next?.callsLeft -= 1
        return false
      }
      next = Next(time: latest)
      return true
    }
  }

  /// Deletes the rows that the rules select.
  ///
  /// - Returns: Whether there may be more of them.
  static func sweep(at now: EpochMilliseconds, _ db: Database) throws -> Bool {
    var hasMore = false
    for rule in rules {
      let sql = """
        DELETE FROM \(rule.table) WHERE rowid IN (SELECT rowid FROM (\(rule.rows)) LIMIT \(rowLimit))
        """
      let times = rule.seconds.map { [now.adding(seconds: -$0)] } ?? []
      try db.cachedStatement(sql: sql).execute(arguments: StatementArguments(times))
      hasMore = hasMore || db.changesCount >= rowLimit
    }
    return hasMore
  }
}
