internal import Foundation
internal import GRDB

/// A browser or an app, which the API knows by its token.
struct ClerkClient: Sendable, Hashable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "client"

  var id: String
  /// SHA-256 of the rotating part of the token, so that a stolen database signs nobody in.
  var tokenHash: Data
  var signInID: String?
  var signUpID: String?
  var lastActiveSessionID: String?
  var lastStrategy: Strategy?
  var createdAt: EpochMilliseconds
  var updatedAt: EpochMilliseconds

  /// The client whose newest token has that rotating part.
  static func holding(_ rotatingToken: String, _ db: Database) throws -> Self? {
    try fetchOne(
      db.cachedStatement(sql: "SELECT * FROM client WHERE tokenHash = ?"),
      arguments: [Data(sha256Of: rotatingToken)]
    )
  }

  func knows(_ accountID: String, _ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(
        sql: "SELECT EXISTS (SELECT 1 FROM device WHERE clientID = ? AND accountID = ?)"
      ),
      arguments: [id, accountID]
    ) ?? false
  }

  func remember(_ accountID: String, _ db: Database) throws {
    try db.cachedStatement(sql: "INSERT OR IGNORE INTO device (clientID, accountID) VALUES (?, ?)")
      .execute(arguments: [id, accountID])
  }
}
