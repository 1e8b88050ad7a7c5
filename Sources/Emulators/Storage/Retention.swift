internal import GRDB
internal import Locking

/// How long a world remembers what nobody needs any more.
///
/// What is past its time goes, a little later, so that for a while it is still told apart from what
/// never was. What still counts stays, but of an account's sessions only the newest are kept, in a crowd
/// an attempt has less time, and of what strangers leave behind only the newest stays: a program that is
/// asked for ever, as by a load test, must not grow for ever. What has a limit of its own, as messages
/// have, keeps to it where it is written.
struct Retention: Sendable {
  /// Rows of a table that may go, by the time at which a sweep looks.
  private struct Rule: Sendable {
    var table: String
    /// SQL that finds the rows, as `rowid`; `?1` stands for the last moment whose leftovers go.
    var rows: String
    /// How long they stay beyond their time; nil where it does not count.
    var seconds: Int?

    /// Those of which a condition is true.
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

    /// An account's rows beyond its newest ones.
    static func surplus(in table: String) -> Self {
      Self(
        table: table,
        rows: "SELECT place AS rowid FROM (\(surplusRows(of: table)))",
        seconds: nil
      )
    }

    /// The clients of which nothing but such a row is left: of sessions and devices one may go long
    /// before the other.
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

    /// Attempts that a crowded world forgets, whoever began them.
    static func surplusAttempts(in table: String) -> Self {
      Self(
        table: table,
        rows: "SELECT rowid FROM \(table) WHERE \(isSurplus(table, of: table))",
        seconds: crowdedAttemptSeconds
      )
    }

    /// The clients of which nothing but such an attempt is left.
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

    /// Rows that anybody may leave behind, beyond the newest of the table.
    ///
    /// Of the older ones only so many are looked at as can have got there since the last sweep.
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

    /// Whether a row is beyond what is kept at any age and past its time in a crowd, or beyond all.
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

  /// How many sessions, and known devices, of one account are remembered.
  ///
  /// Only who signs in to the account makes more of them: what others do ends nobody's session.
  static let accountLimit = 1000

  /// How many attempts of one kind are remembered until their own end: about 4 MB of them.
  static let attemptLimit = 3000

  /// How long those beyond that are remembered: ten minutes, while a code that was sent is good.
  ///
  /// Anybody may begin attempts, and what others begin must end nobody's while a person types.
  static let crowdedAttemptSeconds = 600

  /// How many there are at most: about 7 MB of them.
  ///
  /// Age alone would not do, since attempts of ten minutes are as many as somebody cares to begin,
  /// and all that is done within a frozen clock is of one age.
  static let attemptCeiling = 6000

  /// How many clients with which nothing was begun, browsers of a development instance without a client,
  /// failures of identifiers that nobody has, and invitations that were taken back or accepted are
  /// remembered: a few megabytes of each.
  ///
  /// Anybody may leave them behind, at any rate and within a frozen clock.
  static let anybodyLimit = 6000

  private static let day = 86_400

  /// Of a client: nothing is left of it, and no account knows it as its device.
  private static let isBareClient = """
    NOT EXISTS (SELECT 1 FROM session WHERE clientID = client.id)
      AND NOT EXISTS (SELECT 1 FROM signIn WHERE clientID = client.id)
      AND NOT EXISTS (SELECT 1 FROM signUp WHERE clientID = client.id)
      AND NOT EXISTS (SELECT 1 FROM device WHERE clientID = client.id)
    """
  /// Of a lockout.
  private static let isOfNobody = "subject NOT IN (SELECT id FROM account)"

  private static let rules = [
    Rule(table: "signIn", condition: "abandonAt <= ?1", seconds: day),
    Rule(table: "signUp", condition: "abandonAt <= ?1", seconds: day),
    Rule(table: "session", condition: "expireAt <= ?1", seconds: day),
    Rule(table: "session", condition: "ending IS NOT NULL AND updatedAt <= ?1", seconds: day),
    Rule(table: "client", condition: "updatedAt <= ?1 AND \(isBareClient)", seconds: day),
    .surplusOfAnybody(in: "client", condition: isBareClient),
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
    .surplusOfAnybody(in: "developmentBrowser", condition: "clientID IS NULL"),
    Rule(table: "entraFlow", condition: "expireAt <= ?1", seconds: EntraFlow.lifetimeSeconds),
    Rule(table: "entraSession", condition: "expireAt <= ?1", seconds: day),
    Rule(table: "invitation", condition: "expireAt <= ?1", seconds: 30 * day),
    // Failures of identifiers that nobody has; an account keeps its own.
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

  /// How much goes at once, so that no call waits long for it.
  static let rowLimit = 500
  /// Of the world's clock.
  private static let intervalSeconds = 60
  /// How many calls may come between two sweeps: fewer than what one of them removes.
  private static let callLimit = 250

  /// When the next sweep is due; nil at once.
  private struct Next: Sendable {
    var time: EpochMilliseconds
    var callsLeft = callLimit
  }

  private let next = Locked<Next?>(nil)

  /// Forgets what is past its time, if none has looked of late.
  ///
  /// - Throws: What SQLite reports.
  func sweepIfDue(at now: EpochMilliseconds, _ db: Database) throws {
    guard isDue(at: now) else { return }
    if try Self.sweep(at: now, db) { next.withLock { $0 = nil } }
  }

  private func isDue(at now: EpochMilliseconds) -> Bool {
    next.withLock { next in
      // A clock that was set back is no reason to wait.
      let latest = now.adding(seconds: Self.intervalSeconds)
      if let due = next, due.time > now, due.time <= latest, due.callsLeft > 0 {
        next?.callsLeft -= 1
        return false
      }
      next = Next(time: latest)
      return true
    }
  }

  /// Forgets what is past its time.
  ///
  /// - Returns: Whether there is more of it.
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
