import Foundation
import Testing

@Suite("Links and citations in the documentation and in comments")
struct LinkTests {
  private static let endings: Set = ["swift", "md", "py", "h"]
  private let files: [TextFile]
  private let articles: Articles
  /// Compiled once: there are a hundred thousand lines to try them on.
  private let patterns = Patterns()

  init() throws {
    files =
      try TextFile.all(below: "Sources", endings: Self.endings)
      + TextFile.all(below: "Tests", endings: Self.endings)
    articles = Articles(of: files)
  }

  @Test("every link to an article leads to it, and to a heading that it has")
  func articleLinks() {
    var count = 0
    for file in files {
      for (number, line) in file.lines.enumerated() where line.contains("<doc:") {
        for link in line.matches(of: /<doc:([A-Za-z#][^>]*)>/).map(\.output.1)
        where link != "ARTICLE#Heading" {
          count += 1
          #expect(articles.hold(link), "\(file.path):\(number + 1) links to \(link)")
        }
      }
    }
    #expect(count > 50, "the links were not found")
  }

  @Test("no comment or title cites a numbered section of a document that is not here")
  func citations() {
    for file in files where !file.path.hasSuffix("/LinkTests.swift") && Self.mayCite(file) {
      var last: Substring = ""
      for (number, line) in file.lines.enumerated() {
        let isCited = patterns.citesNumber(line, after: last)
        #expect(!isCited, "\(file.path):\(number + 1): \(line)")
        last = line
      }
    }
  }

  private static let marks =
    (["ection ", "ections ", "hoice ", "hoices "] + (1...9).map { " (\($0)." })
    .map { Data($0.utf8) }

  /// Whether it is worth looking at the lines of a file: searching bytes is cheap.
  private static func mayCite(_ file: TextFile) -> Bool {
    let bytes = Data(file.text.utf8)
    return marks.contains { bytes.range(of: $0) != nil }
  }

  @Test("every document that is named is here")
  func documents() throws {
    let root = try FileManager.default.contentsOfDirectory(atPath: ".")
    let here = Set(root + files.map { String($0.path.split(separator: "/").last ?? "") })
    for file in files where Data(file.text.utf8).range(of: Data(".md".utf8)) != nil {
      for name in file.text.matches(of: /[A-Za-z-]+\.md\b/).map(\.output) {
        #expect(here.contains(String(name)), "\(file.path) names \(name)")
      }
    }
  }

  @Test("every rule that is cited is one of those in CONTRIBUTING.md, and each of those is cited")
  func rules() throws {
    let contributing = try TextFile("CONTRIBUTING.md").text
    let heading = try #require(contributing.firstRange(of: "## The rules that code and tests cite"))
    let listed = contributing[heading.upperBound...]
    let rules = Set(listed.matches(of: /(?:\*\*|·)\s([A-Z]\d+[a-z]?)\s/).map(\.output.1))
    let pages = Set(listed.matches(of: patterns.page).map(\.output))
    var count = 0
    var citedByTests: Set<Substring> = []
    var citedByPages: Set<Substring> = []
    for file in files {
      if file.path.hasPrefix("Sources/Pages/") {
        for line in file.lines where line.hasPrefix("/// Rules: ") {
          citedByPages.formUnion(line.matches(of: patterns.page).map(\.output))
        }
      }
      for piece in file.text.utf8.split(separator: UInt8(ascii: "(")).map(Substring.init) {
        for rule in patterns.rules(citedBefore: piece) {
          count += 1
          let isKnown = rules.contains(rule) || pages.contains(rule)
          #expect(isKnown, "\(file.path) cites \(rule)")
          if file.path.hasPrefix("Tests/") { citedByTests.insert(rule) }
        }
      }
    }
    #expect(count > 100, "the citations were not found")
    // SECURITY.md says what shows each of S, and has a test of its own.
    for rule in rules.sorted() where !rule.hasPrefix("S") {
      #expect(citedByTests.contains(rule), "no test cites \(rule)")
    }
    #expect(citedByPages == pages, "each page names its own rule, and no other")
  }

  @Test("no two articles have the same name")
  func names() {
    #expect(articles.repeatedNames.isEmpty)
  }

  @Test(
    "every link between the documents at the root leads to a file or a heading",
    arguments: ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]
  )
  func documentLinks(name: String) throws {
    let document = try TextFile(name)
    for link in document.text.matches(of: /\]\(([^)\s]+)\)/).map(\.output.1)
    where !link.contains("://") && !link.hasPrefix("mailto:") {
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let target = parts[0].isEmpty ? name : String(parts[0])
      #expect(FileManager.default.fileExists(atPath: target), "\(name) links to \(link)")
      guard parts.count == 2 else { continue }
      #expect(try Self.anchors(of: TextFile(target)).contains(String(parts[1])), "\(name): \(link)")
    }
  }

  @Test("every section of the README that a comment cites is there")
  func sections() throws {
    let headings = Set(
      try TextFile("README.md").lines.filter { $0.hasPrefix("##") }
        .map { $0.drop { $0 == "#" || $0 == " " } }
    )
    let mark = Data(#"README, ""#.utf8)
    for file in files where !file.path.hasSuffix("/LinkTests.swift") {
      guard Data(file.text.utf8).range(of: mark) != nil else { continue }
      for section in file.text.matches(of: #/README, "([^"]+)"/#).map(\.output.1) {
        #expect(headings.contains(section), "\(file.path) cites \(section)")
      }
    }
  }

  @Test("every file that CONTRIBUTING.md names exists, except for placeholders")
  func namedFiles() throws {
    let named = try TextFile("CONTRIBUTING.md").text
      .matches(of: /`((?:Sources|Tests|templates|Public)\/[^`\s]+)`/).map { String($0.output.1) }
      .filter { path in !["…", "FLOW", "ROOM", "NAME", "TAG"].contains { path.contains($0) } }
    #expect(named.count > 30)
    for path in named {
      #expect(FileManager.default.fileExists(atPath: path), "CONTRIBUTING.md names \(path)")
    }
  }

  /// The anchors that a repository's web page gives to headings.
  private static func anchors(of document: TextFile) -> Set<String> {
    Set(
      document.lines.filter { $0.hasPrefix("#") }.map { line in
        line.drop { $0 == "#" || $0 == " " }.lowercased()
          .filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
          .replacing(" ", with: "-")
      }
    )
  }
}

private struct Patterns {
  private let numbersInBrackets = /[a-z"] \(\d\.\d{1,2}(, | to | and |\))/
  private let numberedSection = /\b([Ss]ections?|[Cc]hoices?) \d/
  private let citation =
    /((?:[A-Z]\d+[a-z]?|P-[a-z]+)(?:(?:,| and| to) (?:[A-Z]\d+[a-z]?|P-[a-z]+))*)\)/
  private let rule = /[A-Z]\d+[a-z]?|P-[a-z]+/
  /// A page by its name among the rules.
  let page = /\bP-[a-z]+/

  /// Whether a line cites a section by its number, unless it is one of a public standard.
  func citesNumber(_ line: Substring, after last: Substring) -> Bool {
    if line.contains(numbersInBrackets) { return true }
    guard let citation = line.firstMatch(of: numberedSection) else { return false }
    let before = "\(last) \(line[..<citation.range.lowerBound])".replacing(". ", with: ";")
    let sentence = before.split(separator: ";").last ?? ""
    return !["RFC", "OpenID", "W3C", "WCAG", "Fetch"].contains { sentence.contains($0) }
  }

  /// The rules before a closing bracket, if there is nothing but ids of rules.
  func rules(citedBefore text: Substring) -> [Substring] {
    (text.prefixMatch(of: citation)?.output.1.matches(of: rule) ?? []).map(\.output)
  }
}
