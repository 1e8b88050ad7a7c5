internal import Foundation
internal import GRDB

/// One sign-in with its renewals: the facts that its tokens state.
///
/// Source: Microsoft, native authentication API reference.
struct EntraSession: Codable, Sendable, Hashable, FetchableRecord, EncodableRecord {
  /// A GUID, the same for every token of one sign-in.
  var id: String
  /// Not a foreign key: if the account was deleted, the use of a token reports that.
  var accountID: String
  var clientID: String
  /// The contexts and policies that were requested, and which the sign-in has satisfied.
  var contexts: Set<String>
  var policies: Set<String>
  var hasSecondFactor: Bool
  /// When the password in use at sign-in was set; a new one ends the session.
  var passwordUpdatedAt: EpochMilliseconds?
  /// When the person signed in.
  var createdAt: EpochMilliseconds
}

/// One refresh token of a session; every renewal makes another, and the older ones stay valid.
///
/// Its row holds the session as well.
struct EntraRefreshToken: Sendable, Hashable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "entraSession"

  var tokenHash: Data
  var session: EntraSession
  /// The scopes that the token is good for.
  var scope: String
  /// When the token expires; newer ones expire later.
  var expireAt: EpochMilliseconds
}

extension EntraRefreshToken {
  /// - Throws: What GRDB reports of a column.
  init(row: Row) throws {
    tokenHash = try row.decode(forColumn: "tokenHash")
    session = try EntraSession(row: row)
    scope = try row.decode(forColumn: "scope")
    expireAt = try row.decode(forColumn: "expireAt")
  }

  /// - Throws: What GRDB reports of a value.
  func encode(to container: inout PersistenceContainer) throws {
    try session.encode(to: &container)
    container["tokenHash"] = tokenHash
    container["scope"] = scope
    container["expireAt"] = expireAt
  }

  static func holding(_ token: String, _ db: Database) throws -> Self? {
    try fetchOne(
      db.cachedStatement(sql: "SELECT * FROM entraSession WHERE tokenHash = ?"),
      arguments: [Data(sha256Of: token)]
    )
  }
}
