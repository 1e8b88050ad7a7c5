internal import Foundation
internal import GRDB

/// One refresh token of one sign-in; every renewal makes another, and the older ones stay good.
///
/// Source: Microsoft, native authentication API reference.
struct EntraSession: Codable, Sendable, Hashable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "entraSession"

  var tokenHash: Data
  /// A GUID, the same for every token of one sign-in.
  var id: String
  /// Not a reference: what became of the account is told when the token is used.
  var accountID: String
  var clientID: String
  /// The scopes that were asked for last.
  var scope: String
  /// What the sign-in has satisfied of the claims that were asked for.
  var contexts: Set<String>
  var policies: Set<String>
  var hasSecondFactor: Bool
  /// When the password was set that counted then; another one ends the session.
  var passwordUpdatedAt: EpochMilliseconds?
  /// When the person signed in.
  var createdAt: EpochMilliseconds
  /// When the token ends; a newer one ends later.
  var expireAt: EpochMilliseconds
}
