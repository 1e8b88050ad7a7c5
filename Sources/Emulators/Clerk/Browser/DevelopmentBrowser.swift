internal import Foundation
internal import GRDB

/// A browser that talks to a development instance from another domain.
///
/// Its token is sent in the query, since a cookie of the API's domain would not be sent; it identifies
/// the client if no cookie does.
/// Source: <doc:ClerkTransport>.
struct DevelopmentBrowser: Codable, Sendable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "developmentBrowser"

  var tokenHash: Data
  var clientID: String?
  var createdAt: EpochMilliseconds

  static func holding(_ token: String, _ db: Database) throws -> Self? {
    try fetchOne(
      db.cachedStatement(sql: "SELECT * FROM developmentBrowser WHERE tokenHash = ?"),
      arguments: [Data(sha256Of: token)]
    )
  }
}

extension ClerkTransaction {
  /// `POST /v1/dev_browser`.
  func createDevelopmentBrowser() throws -> ClerkOutcome {
    .bare(["id": .string(try newDevelopmentBrowser())])
  }

  /// Registers a new development browser and returns its token.
  func newDevelopmentBrowser() throws -> String {
    let token = random.identifier("dvb")
    try DevelopmentBrowser(tokenHash: Data(sha256Of: token), createdAt: now).insert(db)
    return token
  }

  /// - Throws: `dev_browser_unauthenticated` where a page has no token, or an unknown one.
  func refuseUnknownBrowser() throws {
    guard call.caller.isPage, developmentBrowser == nil, !call.route.isAboutInstance,
      call.route != .createDevelopmentBrowser
    else { return }
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
