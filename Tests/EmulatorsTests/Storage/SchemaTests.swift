@testable import Emulators
import Foundation
import GRDB
import HTTPExchange
import Testing
import TestSupport

@Suite("The schema of a world")
struct SchemaTests {
  static let names = [
    "1-1", "2-session-tasks", "3-entra", "4-invitations", "5-browsers", "6-exact-resources",
    "7-session-activity", "8-retention", "9-organization-invitees",
    "10-organization-invitations", "11-message-language", "12-seed",
  ]

  private func schema(of database: any DatabaseReader) throws -> [String: String] {
    try database.read { db in
      let rows = try Row.fetchAll(
        db,
        sql:
          "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
      )
      return Dictionary(
        uniqueKeysWithValues: rows.map { row in
          let sql: String = row["sql"]
          // Only the layout of the text differs.
          return (row["name"], sql.filter { !$0.isWhitespace && $0 != "\"" })
        }
      )
    }
  }

  @Test("several connections may bring one database to today's tables at the same time")
  func together() async throws {
    try await withTemporaryFolder { folder in
      for round in 0..<5 {
        let path = "\(folder)/\(round).sqlite"
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        let pools = try (0..<4).map { _ in
          try DatabasePool(path: path, configuration: configuration)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
          for pool in pools { group.addTask { try Schema.migrate(pool) } }
          try await group.waitForAll()
        }
        let fresh = try DatabaseQueue()
        try Schema.migrate(fresh)
        #expect(try schema(of: pools[0]) == schema(of: fresh))
      }
    }
  }

  @Test(
    "every older database is brought to today's tables, with all that was in it",
    arguments: names
  )
  func migrates(name: String) async throws {
    let database = try DatabaseQueue()
    let dump = try String(
      contentsOfFile: "\(ProjectFolder.schemas)/\(name).sql",
      encoding: .utf8
    )
    try await database.writeWithoutTransaction { db in try db.execute(sql: dump) }
    try Schema.migrate(database)
    let fresh = try DatabaseQueue()
    try Schema.migrate(fresh)
    #expect(try schema(of: database) == schema(of: fresh))
    let now = EpochMilliseconds(rawValue: 1_767_225_600_000)
    let accounts = try await database.read { db in
      try AccountDescription.all(of: Account.fetchAll(db), at: now, db)
    }
    #expect(accounts.map(\.emailAddresses) == [["ada@example.com"], ["otto@example.com"]])
    #expect(accounts[0].organizations.map(\.role) == ["org:admin"])
    #expect(accounts[1].organizations.map(\.slug) == ["harbour-books", "pine-street"])
    try await database.read { db in
      for table in WorldTables.all {
        let rows = try Row.fetchAll(
          db,
          sql: "SELECT * FROM \(table.name.quotedDatabaseIdentifier)"
        )
        for row in rows { try table.read(row) }
      }
      #expect(try Int.fetchOne(db, sql: "SELECT count FROM heartbeat") == 7)
      #expect(try MessageRecord.fetchCount(db) == 1)
      #expect(try ClerkSession.fetchCount(db) == 1)
    }
  }

  @Test(
    "an older database's upgrade is reported once, from which tables to which; a new one's is not",
    arguments: [("1-1", "1"), ("10-organization-invitations", "organization invitations")]
  )
  func upgrade(name: String, from: String) async throws {
    let database = try DatabaseQueue()
    let dump = try String(contentsOfFile: "\(ProjectFolder.schemas)/\(name).sql", encoding: .utf8)
    try await database.writeWithoutTransaction { db in try db.execute(sql: dump) }
    let newest = try #require(Schema.names.last)
    #expect(try Schema.migrate(database) == Worlds.Upgrade(from: from, to: newest))
    #expect(try Schema.migrate(database) == nil)
    #expect(try Schema.migrate(DatabaseQueue()) == nil)
  }

  @Test("stored accounts can be read right after their database was brought to today's tables")
  func readAtOnce() async throws {
    try await withTemporaryFolder { folder in
      let dump = try String(contentsOfFile: "\(ProjectFolder.schemas)/1-1.sql", encoding: .utf8)
      let older = try DatabasePool(path: "\(folder)/main.sqlite")
      try await older.writeWithoutTransaction { db in try db.execute(sql: dump) }
      try older.close()
      let database = try WorldDatabase.inFolder(folder, named: "main.sqlite")
      let accounts = try await database.read { db in try Account.fetchAll(db) }
      #expect(accounts.map(\.id) == ["user_ada", "user_otto"])
      try database.close()
    }
  }

  @Test(
    "a file with foreign tables, or in no known state, is refused and left as it is",
    arguments: [
      "CREATE TABLE account (name TEXT)", "CREATE TABLE notes (name TEXT)",
      "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY); INSERT INTO grdb_migrations VALUES ('v1')",
      """
      CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
      INSERT INTO grdb_migrations VALUES ('1'), ('entra')
      """,
    ]
  )
  func foreign(sql: String) async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/main.sqlite"
      let other = try DatabaseQueue(path: path)
      try await other.writeWithoutTransaction { db in try db.execute(sql: sql) }
      try other.close()
      chmod(path, 0o644)
      let before = FileManager.default.contents(atPath: path)
      let error = #expect(throws: WorldsError.self) {
        try WorldDatabase.inFolder(folder, named: "main.sqlite")
      }
      #expect(
        error == .unusable(folder: folder, reason: "main.sqlite is not a database of this program")
      )
      #expect(FileManager.default.contents(atPath: path) == before)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o644)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["main.sqlite"])
    }
  }

  @Test("the methods that an account has registered become a key of the account, in their order")
  func registeredMethods() async throws {
    let database = try DatabaseQueue()
    let dump = try String(contentsOfFile: "\(ProjectFolder.schemas)/12-seed.sql", encoding: .utf8)
    try await database.writeWithoutTransaction { db in try db.execute(sql: dump) }
    try Schema.migrate(database)
    let accounts = try await database.read { db in try Account.fetchAll(db) }
    #expect(
      accounts.map(\.entra.methods) == [
        [
          .init(channel: .email, target: "ada@elsewhere.example"),
          .init(channel: .sms, target: "+12015550123"),
        ],
        [],
      ]
    )
  }

  @Test("a world in memory has the tables of one on disk, except the list of migrations")
  func inMemory() throws {
    let stored = try DatabaseQueue()
    try Schema.migrate(stored)
    var expected = try schema(of: stored)
    #expect(expected.removeValue(forKey: "grdb_migrations") != nil)
    #expect(try schema(of: WorldDatabase.inMemory()) == expected)
  }

  @Test("there is a dump for every migration but the newest")
  func dumped() {
    #expect(Self.names.count == Schema.migrations.count - 1)
  }

  @Test("an attempt that was stored with the whole contact goes on")
  func wholeContact() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin("ada@example.com")
    try await world.world.database.write { db in
      try db.execute(
        sql: """
          UPDATE signIn SET state = json_set(
            state, '$.subject.account.typed', json(?)
          ) WHERE id = ? AND state ->> '$.subject.account.typed.value' = 'ada@example.com'
          """,
        arguments: [
          """
          {"accountID":"user_ada","createdAt":1795616701324,"id":"idn_ada","isDefaultSecondFactor":false,\
          "isPrimary":true,"isSecondFactor":false,"kind":"email_address","position":0,"value":"ada@example.com"}
          """, begun.id,
        ]
      )
      #expect(db.changesCount == 1)
    }
    let answer = try await client.attemptFirst(
      begun.id,
      "password",
      ["password": "walk-right-in-42"]
    )
    #expect(answer.state == "complete")
  }

  @Test("a newer program's database is recognised without changing its folder")
  func seenToBeNewer() async throws {
    try await withTemporaryFolder { folder in
      #expect(Worlds.obstacle(in: "\(folder)/none", behind: .clerk) == nil)
      let world = try TestWorld(storage: .folder(folder))
      world.worlds.close()
      #expect(Worlds.obstacle(in: folder, behind: .clerk) == nil)
      let path = "\(folder)/main.sqlite"
      let database = try DatabaseQueue(path: path)
      try await database.write { db in
        try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('from the future')")
      }
      try database.close()
      let before = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      #expect(Worlds.obstacle(in: folder, behind: .clerk) == .newer(path: path))
      #expect(Worlds.obstacle(in: folder, behind: .entra) == nil)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == before)
    }
  }

  @Test("a newer program's database is refused with a one-line message")
  func newer() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "vestibule-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    do {
      let world = try TestWorld(storage: .folder(folder))
      try await world.world.database.write { db in
        try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('from the future')")
      }
    }
    let error = #expect(throws: WorldsError.self) { try TestWorld(storage: .folder(folder)) }
    #expect(error == .newer(path: "\(folder)/main.sqlite"))
    #expect(error?.description.contains("newer version") == true)
    #expect(error?.description.contains("\n") == false)
  }
}
