@testable import Emulators
import GRDB
import Testing

@Suite("The tables of a world")
struct WorldTablesTests {
  @Test("every table belongs to the world or to the installation")
  func complete() async throws {
    let names = try await TestWorld().world.database.read { db in
      try String.fetchSet(
        db,
        sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
      )
    }
    #expect(names == WorldTables.ofTheInstallation.union(WorldTables.named.keys))
  }

  @Test("every column listed as JSON is a column of its table")
  func columns() async throws {
    try await TestWorld().world.database.read { db in
      for table in WorldTables.all {
        let columns = Set(try db.columns(in: table.name).map(\.name))
        #expect(table.jsonColumns.isSubset(of: columns), "\(table.name)")
      }
    }
  }
}
