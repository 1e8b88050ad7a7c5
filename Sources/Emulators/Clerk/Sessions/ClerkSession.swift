internal import GRDB

/// A signed-in person on one client.
struct ClerkSession: Sendable, Hashable, FetchableRecord, PersistableRecord {
  enum Ending: String, Sendable, DatabaseValueConvertible {
    case ended, removed, revoked
  }

  enum Status: String, Sendable {
    case active, pending, ended, removed, revoked, expired
  }

  static let databaseTableName = "session"

  var id: String
  var clientID: String
  var accountID: String
  var ending: Ending?
  var organizationID: String?
  var createdAt: EpochMilliseconds
  var updatedAt: EpochMilliseconds
  var expireAt: EpochMilliseconds
  /// Always after `expireAt`: a session expires before it is abandoned.
  var abandonAt: EpochMilliseconds
  var lastActiveAt: EpochMilliseconds
  var firstFactorAt: EpochMilliseconds?
  var secondFactorAt: EpochMilliseconds?
  /// Whether the person chose to go on without an organization.
  var isPersonal = false
  /// The device that the session was last used on; nil if requests did not describe it.
  var activity: SessionActivity?

  /// The status of the session, given the tasks that are left in it.
  func status(at now: EpochMilliseconds, tasks: [AccountDescription.Task]) -> Status {
    switch ending {
    case .ended: .ended
    case .removed: .removed
    case .revoked: .revoked
    case nil where expireAt <= now: .expired
    case nil: tasks.isEmpty ? .active : .pending
    }
  }

  func isLive(at now: EpochMilliseconds) -> Bool {
    ending == nil && expireAt > now
  }

  static func all(of clientID: String, _ db: Database) throws -> [Self] {
    try fetchAll(
      db.cachedStatement(
        sql: "SELECT * FROM session WHERE clientID = ? ORDER BY createdAt, id"
      ),
      arguments: [clientID]
    )
  }

  /// The sessions of an account on every client, including ended ones.
  static func all(ofAccount accountID: String, _ db: Database) throws -> [Self] {
    try fetchAll(
      db.cachedStatement(
        sql: "SELECT * FROM session WHERE accountID = ? ORDER BY createdAt, id"
      ),
      arguments: [accountID]
    )
  }
}
