import AuthFlow
import Foundation
import Testing

@testable import Pages

@Suite("The notes on pages")
struct PageNotesTests {
  @Test("give every page with its steps and its fields; UPDATE_NOTES=1 writes them")
  func addresses() throws { try hold(Self.table, to: "PageAddresses", "pages") }

  @Test("give every name that templates of pages can say; UPDATE_NOTES=1 writes them")
  func names() throws { try hold(Self.vocabulary(), to: "PageTemplates", "names") }

  /// Compares a table with what is between the marks in an article, or writes it there.
  private func hold(_ table: String, to article: String, _ mark: String) throws {
    let path = "\(Fixture.sources)/Pages/Pages.docc/\(article).md"
    let notes = try String(contentsOfFile: path, encoding: .utf8)
    let start = try #require(notes.firstRange(of: "<!-- \(mark): written by a test -->\n\n"))
    let end = try #require(notes.firstRange(of: "<!-- \(mark): end -->"))
    guard ProcessInfo.processInfo.environment["UPDATE_NOTES"] == nil else {
      let updated = notes[..<start.upperBound] + table + notes[end.lowerBound...]
      try String(updated).write(toFile: path, atomically: true, encoding: .utf8)
      return
    }
    #expect(notes[start.upperBound..<end.lowerBound] == table)
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

  /// What a page is about, what the sections on it are about, and so on.
  private static func vocabulary() throws -> String {
    var table =
      "| about | texts | asked alone | sections, and what each is about |\n" + "|---|---|---|---|\n"
    var waiting: [any TemplateView.Type] = [PageView.self]
    var seen: Set<String> = []
    while !waiting.isEmpty {
      let view = waiting.removeFirst()
      guard seen.insert(title(of: view)).inserted else { continue }
      let (cells, inner) = try names(of: view)
      table += "| \(([title(of: view)] + cells).joined(separator: " | ")) |\n"
      waiting += inner
    }
    return table + "\n"
  }

  /// The names of one view by what can be done with them, and the views of its sections.
  private static func names<View: TemplateView>(
    of view: View.Type
  ) throws -> (cells: [String], inner: [any TemplateView.Type]) {
    var (texts, flags, sections): ([String], [String], [String]) = ([], [], [])
    var inner: [any TemplateView.Type] = []
    for name in View.Name.allCases {
      let code = "`\(name.rawValue)`"
      switch View.word(for: name).meaning {
      case .text, .value: texts.append(code)
      case .flag: flags.append(code)
      case .section(let section):
        let views = try #require(section as? any SectionOfViews).views
        let title = title(of: views)
        sections.append(title == name.rawValue ? code : "\(code) (\(title))")
        inner.append(views)
      }
    }
    return ([texts, flags, sections].map { $0.joined(separator: ", ") }, inner)
  }

  /// `form wait` of `Pages.FormView.Wait`.
  private static func title(of view: any TemplateView.Type) -> String {
    let name = String(reflecting: view).split(separator: ".").dropFirst()
      .map { $0.hasSuffix("View") ? $0.dropLast(4) : $0 }.joined()
    return String(
      name.replacing(/[A-Z]/) { " \($0.output.lowercased())" }.trimmingPrefix(" ")
    )
  }

  @Test("name every notice, and no other")
  func notices() throws {
    let named = Set(try codes(of: "Notice codes", in: "PageMessages"))
    #expect(named == Set(Notice.allCases.map(\.rawValue)))
  }

  @Test("name every code of our own, and none that is gone")
  func messages() throws {
    let named = Set(try codes(ofRows: "Own error codes", in: "PageMessages"))
    let site = SiteRefusal.allCases.map(\.rawValue)
    // What the flows and the providers find themselves.
    let found = OwnCode.allCases.map(\.rawValue)
    #expect(named == Set(site + found))
  }

  /// What is marked as code in a section of an article.
  private func codes(of section: String, in article: String) throws -> [String] {
    codes(in: try text(of: section, in: article))
  }

  /// The same, in the first cells of its table alone.
  private func codes(ofRows section: String, in article: String) throws -> [String] {
    try text(of: section, in: article).split(separator: "\n").filter { $0.hasPrefix("| `") }
      .compactMap { $0.split(separator: "|").first }.flatMap { codes(in: String($0)) }
  }

  private func codes(in text: String) -> [String] {
    text.matches(of: /`([^`\n]+)`/).map { String($0.output.1) }
  }

  private func text(of section: String, in article: String) throws -> String {
    let path = "\(Fixture.sources)/Pages/Pages.docc/\(article).md"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let sections = text.components(separatedBy: "\n## ")
    return try #require(sections.first { $0.hasPrefix("\(section)\n") })
  }
}

/// A section whose views' type is known.
private protocol SectionOfViews {
  var views: any TemplateView.Type { get }
}

extension ViewsOfSection: SectionOfViews {
  fileprivate var views: any TemplateView.Type { Inner.self }
}

extension [String] {
  /// As code, each once, in the order in which they come.
  fileprivate var once: String {
    reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      .map { "`\($0)`" }.joined(separator: ", ")
  }
}
