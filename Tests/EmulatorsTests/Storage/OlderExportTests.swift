@testable import Emulators
import Foundation
import GRDB
import HTTPExchange
import Testing
import TestSupport

@Suite("A world that an older program exported")
struct OlderExportTests {
  /// What the program that left the dump would have exported.
  private func export(of name: String) async throws -> JSON {
    let database = try DatabaseQueue()
    let dump = try String(
      contentsOfFile: "\(ProjectFolder.schemas)/\(name).sql",
      encoding: .utf8
    )
    try await database.writeWithoutTransaction { db in try db.execute(sql: dump) }
    return try await database.read { db in
      let migrations = try String.fetchSet(db, sql: "SELECT identifier FROM grdb_migrations")
      let names = try String.fetchAll(
        db,
        sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
      )
      let tables = try names.filter {
        $0 != "grdb_migrations" && !WorldTables.ofTheInstallation.contains($0)
      }
      .map { name in
        let rows = try Row.fetchAll(db, sql: "SELECT * FROM \(name) ORDER BY rowid")
        return JSON.Member(
          name,
          .array(rows.map { row in .object(row.map { JSON.Member($0, JSON($1)) }) })
        )
      }
      return [
        "vestibule_world": 1, "schema": .strings(Schema.names.filter(migrations.contains)),
        "instance": [:], "clock": ["now": 1_767_225_600_000, "offset_seconds": 0, "frozen": false],
        "faults": [], "traces": [], "tables": .object(tables),
      ]
    }
  }

  private func replace(_ world: World, with document: JSON) async throws {
    try await world.replace(
      with: WorldDocument(.whole(document.encoded)),
      faults: [],
      traces: []
    )
  }

  @Test("takes the place of any world, with all that was in it", arguments: SchemaTests.names)
  func imports(name: String) async throws {
    let world = try TestWorld().world
    try await replace(world, with: export(of: name))
    let now = EpochMilliseconds(rawValue: 1_767_225_600_000)
    try await world.database.read { db in
      let accounts = try AccountDescription.all(of: Account.fetchAll(db), at: now, db)
      #expect(accounts.map(\.emailAddresses) == [["ada@example.com"], ["otto@example.com"]])
      #expect(accounts.last?.organizations.map(\.slug) == ["harbour-books", "pine-street"])
      #expect(try MessageRecord.fetchCount(db) == 1)
      #expect(try ClerkSession.fetchCount(db) == 1)
    }
  }

  @Test("keeps its attribute rules, without the parts that were silently ignored")
  func attributeRules() async throws {
    let world = try TestWorld().world
    var document = try await export(of: "1-1")
    let rules: JSON = [
      ["name": "city", "type": "foo", "options": ["regexp": "^Paris$"]], ["name": "city"],
      ["name": "state", "required": false, "options": "x"],
      ["name": "country", "type": "Boolean", "options": ["regex": "("]],
      ["name": "postalCode", "options": ["regex": "^[0-9]+$", "hint": "digits"]],
      ["name": "DisplayName "], ["name": "displayName"], ["name": " "], ["name": "a\nb"],
    ]
    document["instance"]?["entra_required_attributes"] = rules
    try await replace(world, with: document)
    #expect(
      world.settings.entraRequiredAttributes == [
        .init(name: "city"), .init(name: "state", isRequired: false),
        .init(name: "country", kind: .boolean),
        .init(name: "postalCode", options: .init(regex: "^[0-9]+$")),
        .init(name: "displayName"),
      ]
    )
  }

  @Test(
    "is refused if its rows do not fit a world, and changes nothing",
    arguments: [
      ("account", "tasks", #""[""#), ("account", "tasks", #""[\"dance\"]""#),
      ("account", "createdAt", "9223372036854775807"), ("account", "createdAt", "null"),
      ("account", "more", "1"), ("session", "accountID", #""user_nobody""#),
      ("message", "sequence", #""x""#),
    ]
  )
  func refuses(table: String, column: String, value: String) async throws {
    let world = try TestWorld().world
    let odd = try #require(JSON(decoding: Array(value.utf8)))
    let before = try await world.database.read { db in try Account.fetchAll(db).map(\.id) }
    for name in SchemaTests.names {
      var document = try await export(of: name)
      guard case .array(var rows)? = document["tables"]?[table] else {
        Issue.record("no rows of \(table)")
        continue
      }
      rows[0][column] = odd
      document["tables"]?[table] = .array(rows)
      let changed = document
      await #expect(throws: DocumentError.self, "\(name)") {
        try await replace(world, with: changed)
      }
    }
    let after = try await world.database.read { db in try Account.fetchAll(db).map(\.id) }
    #expect(after == before)
  }

  @Test("is kept in a temporary file while it is brought up to date")
  func isSpooled() async throws {
    var document = try await export(of: "1-1")
    let message = try #require(document["tables"]?["message"]?[0])
    let text = String(repeating: "x", count: 1_000_000)
    document["tables"]?["message"] = .array(
      (1...8).map { number in
        var message = message
        message["sequence"] = .integer(Int64(number))
        message["text"] = .string(text)
        return message
      }
    )
    let read = try WorldDocument(.whole(document.encoded))
    let lacking = try #require(Schema.migrations(after: read.schema))
    let tables = try OlderTables(of: read, lacking: lacking)
    try withExtendedLifetime(tables) {
      let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").map {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) ?? ""
      }
      // SQLite's names for temporary files that nobody else is to open.
      #expect(files.contains { $0.contains("/etilqs_") && $0.hasSuffix(" (deleted)") })
    }
  }

  @Test("is refused if a newer or unknown program wrote it, or if it lacks its tables")
  func otherVersions() async throws {
    let world = try TestWorld().world
    for (schema, words) in [
      (Schema.names + ["more"], "a newer version"), (["more"], "another version"),
      (Array(Schema.names.dropLast()), "does not have the tables"),
    ] {
      var document = try await export(of: "1-1")
      document["schema"] = .strings(schema)
      let changed = document
      let error = await #expect(throws: DocumentError.self) {
        try await replace(world, with: changed)
      }
      #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }
  }
}
