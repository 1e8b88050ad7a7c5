import Foundation
import Testing

@Suite("SECURITY.md")
struct SecurityNotesTests {
  private static let begin = "<!-- every requirement: written by a test -->\n\n"
  private static let end = "<!-- every requirement: end -->"

  /// What shows a requirement besides tests, or instead of them.
  private static let besides = [
    "S31": "`make bench`, and CI's gate (`Tests/Benchmarks/gate.py`)",
    "S35": "`make sanitize`",
  ]

  /// What a command has measured on two cores, as it was when it was last written down.
  private struct Figure: Decodable {
    var requirement: String
    var command: String
    var figure: String
  }

  @Test("names the tests that show each requirement; UPDATE_NOTES=1 writes them")
  func everyRequirement() throws {
    let text = try String(contentsOfFile: "SECURITY.md", encoding: .utf8)
    let begin = try #require(text.firstRange(of: Self.begin))
    let end = try #require(text.firstRange(of: Self.end))
    let requirements = try Self.requirements()
    #expect(requirements.map(\.id) == (1...36).map { "S\($0)" })
    let tests = try Self.tests()
    let removals = try Self.removals()
    let figures = try Self.figures(guards: removals.values.reduce(0, +))
    let rows = requirements.map { id, title in
      var shown: [String] = []
      for name in tests.filter({ $0.ids.contains(id) }).map(\.name) where !shown.contains(name) {
        shown.append(name)
      }
      let measured = figures.filter { $0.requirement == id }
      for figure in measured { shown.append("`\(figure.command)`") }
      if let count = removals[id] {
        shown.append("`make mutants` removes \(count) guard\(count == 1 ? "" : "s")")
      }
      if let besides = Self.besides[id] { shown.append(besides) }
      #expect(!shown.isEmpty, "\(id) is shown by nothing")
      return "| \(id) | \(title) | \(shown.joined(separator: "<br>"))"
        + " | \(measured.map(\.figure).joined(separator: "<br>")) |\n"
    }
    let table =
      "| | requirement | shown by | figure |\n|---|---|---|---|\n\(rows.joined())\n"
    guard ProcessInfo.processInfo.environment["UPDATE_NOTES"] == nil else {
      let updated = text[..<begin.upperBound] + table + text[end.lowerBound...]
      try String(updated).write(toFile: "SECURITY.md", atomically: true, encoding: .utf8)
      return
    }
    #expect(text[begin.upperBound..<end.lowerBound] == table)
  }

  /// As CONTRIBUTING.md lists them.
  private static func requirements() throws -> [(id: String, title: String)] {
    let text = try String(contentsOfFile: "CONTRIBUTING.md", encoding: .utf8)
    let list = try #require(text.components(separatedBy: "**Security.** ").last)
    let paragraph = list.components(separatedBy: "\n\n")[0]
    let items = paragraph.replacing("\n", with: " ").trimmingCharacters(in: [".", " "])
    return items.components(separatedBy: " · ").compactMap { item in
      item.wholeMatch(of: #/(S\d+) (.+)/#).map { (String($0.1), String($0.2)) }
    }
  }

  @Test("the figure of make mutants has the number of guards, and every removal was noticed")
  func guards() throws {
    let count = try Self.removals().values.reduce(0, +)
    let figures = try Self.figures(guards: count)
    let figure = try #require(figures.first(where: { $0.command == "make mutants" })?.figure)
    let told = try #require(
      figure.wholeMatch(of: #/(\d+) of (\d+) guards removed, (\d+) noticed/#),
      "\(figure)"
    )
    let removed = try #require(Int(told.1))
    #expect(Int(told.2) == count)
    #expect((1...count).contains(removed), "more were removed than the list has")
    #expect(Int(told.3) == removed)
  }

  /// Each by a command that exists, with today's number of guards in the place of `{guards}`.
  ///
  /// What was measured stays as it was, but the number of guards changes as soon as one is added to
  /// the list.
  private static func figures(guards: Int) throws -> [Figure] {
    let data = try Data(contentsOf: URL(fileURLWithPath: "Tests/Benchmarks/figures.json"))
    let makefile = try String(contentsOfFile: "Makefile", encoding: .utf8)
    var figures = try JSONDecoder().decode([Figure].self, from: data)
    for index in figures.indices {
      let target = figures[index].command.replacing("make ", with: "")
      #expect(makefile.contains("\n\(target):"), "\(figures[index].command)")
      figures[index].figure = figures[index].figure.replacing("{guards}", with: "\(guards)")
    }
    return figures
  }

  /// How many guards of a requirement are removed in turn.
  private static func removals() throws -> [String: Int] {
    let text = try String(contentsOfFile: "Tests/Mutants/mutants.py", encoding: .utf8)
    return text.matches(of: #/Mutant\(\s*"(S\d+)"/#).reduce(into: [:]) { counts, match in
      counts[String(match.1), default: 0] += 1
    }
  }

  /// Tests and suites whose names cite requirements, in the order of their files.
  private static func tests() throws -> [(name: String, ids: Set<String>)] {
    let files = FileManager.default.enumerator(atPath: "Tests")
    let paths = (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }
    return try paths.sorted().flatMap { path in
      let text = try String(contentsOfFile: "Tests/\(path)", encoding: .utf8)
      return text.matches(of: #/@(?:Test|Suite)\(\s*"((?:[^"\\]|\\.)*\bS\d+\b(?:[^"\\]|\\.)*)"/#)
        .map {
          let ids = Set($0.1.matches(of: #/\bS\d+\b/#).map { String($0.0) })
          let name = $0.1.replacing(#/ ?\([A-Z0-9a-z, ]*\bS\d+[^)]*\)/#, with: "")
          return ("\(name) (`\(path.split(separator: "/").first ?? "")`)", ids)
        }
    }
  }
}
