internal import Foundation
internal import GRDB

/// A browser that talks to a development instance from another domain.
///
/// Its token travels in the query, since a cookie of the API's domain would not; it finds the client
/// again where no cookie does.
/// Source: clerk-frontend-api.md section 1.6.
struct DevelopmentBrowser: Codable, Sendable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "developmentBrowser"
  /// How many are kept; the oldest make room.
  static let limit = 4096

  var tokenHash: Data
  var clientID: String?
  var createdAt: Instant

  static func holding(_ token: String, _ db: Database) throws -> Self? {
    try fetchOne(
      db.cachedStatement(sql: "SELECT * FROM developmentBrowser WHERE tokenHash = ?"),
      arguments: [ClerkClient.hash(of: token)]
    )
  }
}

extension ClerkTransaction {
  /// `POST /v1/dev_browser`.
  func createDevelopmentBrowser() throws -> ClerkReply {
    let token = random.identifier("dvb")
    try DevelopmentBrowser(tokenHash: ClerkClient.hash(of: token), createdAt: now).insert(db)
    try db.cachedStatement(
      sql: """
        DELETE FROM developmentBrowser WHERE rowid <= (
          SELECT max(rowid) FROM developmentBrowser
        ) - ?
        """
    ).execute(arguments: [DevelopmentBrowser.limit])
    return .bare(["id": .string(token)])
  }

  /// - Throws: `dev_browser_unauthenticated` where a page has no token, or an unknown one.
  func refuseUnknownBrowser(calling route: ClerkRoute) throws {
    guard call.caller.isPage, route != .createDevelopmentBrowser, developmentBrowser == nil else {
      return
    }
    throw ClerkRefusal(
      401,
      ClerkProblem(
        "dev_browser_unauthenticated",
        "Browser unauthenticated",
        "Pages of a development instance first ask for a browser token at /v1/dev_browser."
      )
    )
  }
}
