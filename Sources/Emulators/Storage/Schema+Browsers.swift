internal import GRDB

/// The tables of browsers and of step-ups.
extension Schema {
  static func createBrowsers(_ db: Database) throws {
    try db.create(table: "developmentBrowser") { table in
      table.primaryKey("tokenHash", .blob)
      table.column("clientID", .text).indexed().references("client", onDelete: .setNull)
      table.column("createdAt", .integer).notNull()
    }
    try db.create(table: "reverification") { table in
      table.primaryKey("sessionID", .text).references("session", onDelete: .cascade)
      table.column("state", .text).notNull()
    }
  }
}
