internal import Foundation
internal import GRDB

/// The tables behind the tasks of a session: organizations, and second factors being set up.
extension Schema {
  static func createOrganizations(_ db: Database) throws {
    try db.create(table: "organization") { table in
      table.primaryKey("id", .text)
      table.column("slug", .text).notNull().unique()
      table.column("name", .text).notNull()
      for name in ["createdAt", "updatedAt"] { table.column(name, .integer).notNull() }
    }
    try db.create(table: "membership") { table in
      table.primaryKey("id", .text)
      table.column("organizationID", .text).notNull().indexed()
        .references("organization", onDelete: .cascade)
      table.column("accountID", .text).notNull().references("account", onDelete: .cascade)
      table.column("role", .text).notNull()
      table.column("createdAt", .integer).notNull()
      table.uniqueKey(["accountID", "organizationID"])
    }
    try db.create(table: "organizationOffer") { table in
      table.primaryKey("id", .text)
      table.column("kind", .text).notNull()
      table.column("organizationID", .text).notNull().indexed()
        .references("organization", onDelete: .cascade)
      table.column("accountID", .text).notNull().indexed()
        .references("account", onDelete: .cascade)
      for name in ["role", "status"] { table.column(name, .text).notNull() }
      for name in ["createdAt", "updatedAt"] { table.column(name, .integer).notNull() }
    }
    try moveOrganizations(db)
    try db.alter(table: "account") { table in
      table.drop(column: "organizations")
      table.add(column: "pendingTOTPSecret", .text)
    }
  }

  /// What the resources of users and sessions tell exactly.
  static func addExactResources(_ db: Database) throws {
    try db.alter(table: "account") { table in
      for name in ["lastActiveAt", "mfaEnabledAt", "mfaDisabledAt", "totpCreatedAt"] {
        table.add(column: name, .integer)
      }
    }
    try db.alter(table: "contact") { table in table.add(column: "verification", .text) }
    try db.alter(table: "session") { table in
      table.add(column: "isPersonal", .boolean).notNull().defaults(to: false)
    }
  }

  static func createUnverifiedContacts(_ db: Database) throws {
    try db.create(table: "unverifiedContact") { table in
      table.primaryKey("id", .text)
      table.column("accountID", .text).notNull().references("account", onDelete: .cascade)
      for name in ["kind", "value"] { table.column(name, .text).notNull() }
      table.column("isSecondFactor", .boolean).notNull()
      table.column("verification", .text)
      table.column("createdAt", .integer).notNull()
      table.uniqueKey(["accountID", "kind", "value"])
    }
  }

  /// Takes over what older databases keep in a column of the account.
  private static func moveOrganizations(_ db: Database) throws {
    struct Kept: Decodable { var name: String, slug: String, role: String }
    for row in try Row.fetchAll(db, sql: "SELECT id, organizations, createdAt FROM account") {
      let text: String = row["organizations"]
      let accountID: String = row["id"]
      let createdAt: Instant = row["createdAt"]
      for kept in try JSONDecoder().decode([Kept].self, from: Data(text.utf8)) {
        let described = AccountDescription.Organization(
          name: kept.name,
          slug: kept.slug,
          role: kept.role
        )
        let organization = try Organization.known(
          as: described,
          at: createdAt,
          random: .system,
          db
        )
        try Membership(
          id: RandomSource.system.identifier("orgmem"),
          organizationID: organization.id,
          accountID: accountID,
          role: kept.role,
          createdAt: createdAt
        ).insert(db)
      }
    }
  }
}
