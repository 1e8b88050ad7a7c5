import AuthFlow
import Foundation
import Testing

@testable import Pages

@Suite("The notes on pages")
struct PageNotesTests {
  @Test("give every page with its steps and its fields; UPDATE_NOTES=1 writes them")
  func addresses() throws {
    let path = "\(Fixture.sources)/Pages/Pages.docc/PageAddresses.md"
    let notes = try String(contentsOfFile: path, encoding: .utf8)
    let start = try #require(notes.firstRange(of: "<!-- pages: written by a test -->\n\n"))
    let end = try #require(notes.firstRange(of: "<!-- pages: end -->"))
    let written = notes[start.upperBound..<end.lowerBound]
    guard ProcessInfo.processInfo.environment["UPDATE_NOTES"] == nil else {
      let updated = notes[..<start.upperBound] + Self.table + notes[end.lowerBound...]
      try String(updated).write(toFile: path, atomically: true, encoding: .utf8)
      return
    }
    #expect(written == Self.table)
  }

  /// The pages, and what the examples show of each.
  private static var table: String {
    let rows = Address.pages.map { address in
      let pages = PageExample.all.map(\.page).filter { $0.name == address.pageName }
      let steps = pages.map(\.step).once
      let fields = pages.flatMap(\.fields).map(\.name).once
      return "| `\(address.path)` | \(steps) | \(fields) |\n"
    }
    return "| path | steps | fields |\n|---|---|---|\n" + rows.joined() + "\n"
  }

  @Test("name every notice and every code of our own")
  func messages() throws {
    let named = try codes(in: "PageMessages")
    let own = Notice.allCases.map(\.rawValue) + SiteRefusal.allCases.map(\.rawValue)
    #expect(Set(own).subtracting(named).isEmpty)
  }

  /// What stands as code in an article.
  private func codes(in article: String) throws -> Set<String> {
    let text = try String(contentsOfFile: "Sources/Pages/Pages.docc/\(article).md", encoding: .utf8)
    return Set(text.matches(of: /`([^`\n]+)`/).map { String($0.output.1) })
  }
}

extension [String] {
  /// As code, each once, in the order in which they come.
  fileprivate var once: String {
    reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      .map { "`\($0)`" }.joined(separator: ", ")
  }
}
