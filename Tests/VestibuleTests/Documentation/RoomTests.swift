import Foundation
import Testing
import TestSupport

@Suite("The rooms, as the article about them says")
struct RoomTests {
  /// The libraries of `Package.swift`, each with those that it imports.
  private let libraries: [String: Set<String>]
  /// The table of the article: the libraries that a row is about, and what they may not import.
  private let rows: [(libraries: [String], forbidden: String)]

  init() throws {
    func text(_ name: String) throws -> String {
      try String(contentsOfFile: "\(ProjectFolder.root)/\(name)", encoding: .utf8)
    }
    var imports: [String: [String]] = [:]
    for room in try text("Package.swift").components(separatedBy: "Room(").dropFirst()
    where !room.contains("kind:") {
      let name = try #require(room.firstMatch(of: /name: "(\w+)"/)).output.1
      let list = room.firstMatch(of: /rooms: \[([^\]]*)\]/)?.output.1 ?? ""
      imports[String(name)] = list.matches(of: /"(\w+)"/).map { String($0.output.1) }
    }
    let names = Set(imports.keys)
    // What is imported from C is not a room of its own.
    libraries = imports.mapValues { names.intersection($0) }
    let table = try text("Sources/Vestibule/Vestibule.docc/Rooms.md").components(
      separatedBy: "| room | may not import | so that |"
    )
    let lines = try #require(table.last).split(separator: "\n").dropFirst()
      .prefix { $0.hasPrefix("|") }
    rows = lines.map { line in
      let cells = line.split(separator: "|").map(String.init)
      return (Self.words(of: cells[0]).filter(names.contains), cells[1])
    }
  }

  private static func words(of cell: String) -> [String] {
    cell.split { !$0.isLetter }.map(String.init)
  }

  @Test("every library has a row that says what it may not import")
  func completeness() {
    #expect(libraries.count >= 20, "the rooms were not found")
    let told = rows.flatMap(\.libraries)
    #expect(told.sorted() == libraries.keys.sorted())
  }

  @Test("none imports what its row forbids")
  func imports() throws {
    let providers: Set = ["ClerkFrontendAPI", "EntraNativeAuth"]
    let groups: [String: Set<String>] = [
      "HTTP": ["HTTPExchange"], "provider": providers, "either": providers, "each": providers,
      "emulator": ["Emulators"],
    ]
    for row in rows {
      let words = Self.words(of: row.forbidden)
      let named = words.reduce(into: Set(words).intersection(libraries.keys)) {
        $0.formUnion(groups[$1] ?? [])
      }
      for name in row.libraries {
        let imported = try #require(libraries[name])
        let isGood =
          words.first == "any" ? imported.isSubset(of: named) : imported.isDisjoint(with: named)
        #expect(isGood, "\(name) imports \(imported.sorted()): \(row.forbidden)")
      }
    }
  }
}
