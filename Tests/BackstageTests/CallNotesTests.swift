import Emulators
import Foundation
import HTTPTypes
import Pages
import Testing

@testable import Backstage

@Suite("The notes on backstage's calls and on the JSON of pages")
struct CallNotesTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  /// What is marked as code in a text.
  private static func codes(in text: some StringProtocol) -> [String] {
    String(text).matches(of: /`([^`\n]+)`/).map { String($0.output.1) }
  }

  @Test("name every call, and no call that does not exist")
  func calls() throws {
    let article = try Self.text("Sources/Backstage/Backstage.docc/BackstageCalls.md")
    var named: [(method: String, path: [String])] = []
    for code in Self.codes(in: article) {
      guard let call = code.wholeMatch(of: /([A-Z]+) ([a-z][^ ?]*).*/) else { continue }
      named.append((String(call.output.1), call.output.2.split(separator: "/").map(String.init)))
    }
    for route in BackstageRouter.routes {
      let isNamed = named.contains {
        $0.method == route.method.rawValue && route.leads(to: $0.path)
      }
      #expect(isNamed, "\(route.method.rawValue) \(route.path.joined(separator: "/"))")
    }
    for call in named {
      let isAnswered = BackstageRouter.routes.contains {
        $0.method.rawValue == call.method && $0.leads(to: call.path)
      }
      #expect(isAnswered, "\(call.method) \(call.path.joined(separator: "/"))")
    }
  }

  @Test("the README has a row for each thing that calls are about, and for no other")
  func readme() throws {
    let parts = try Self.text("README.md").components(separatedBy: "| below `/backstage/api/` |")
    try #require(parts.count == 2)
    let rows = parts[1].split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
      .prefix { $0.hasPrefix("|") }
    let named = rows.compactMap { $0.split(separator: "|").first }
      .flatMap { row -> [String] in Self.codes(in: row) }
      .compactMap { $0.split(separator: "/").first.map(String.init) }
    let answered = BackstageRouter.routes.compactMap { $0.path.first.map(String.init) }
    #expect(Set(named) == Set(answered))
  }

  @Test("name the facts of each page, and no others")
  func facts() throws {
    let article = try Self.text("Sources/Pages/Pages.docc/PagesAsJSON.md")
    let section = try #require(
      article.components(separatedBy: "\n## ").first { $0.hasPrefix("Facts\n") }
    )
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
      .filter { $0.count == 2 }
    func told(_ page: String) throws -> Set<String> {
      let row = try #require(rows.first { $0[0] == page }, "\(page) has no row")
      return Set(Self.codes(in: row[1]).filter { $0.wholeMatch(of: /[a-z_]+/) != nil })
    }
    for address in Address.pages {
      let facts = TwinSchemas.facts(on: address).json.propertyNames
      guard !facts.isEmpty else { continue }
      if facts.isSubset(of: ["last_used"]) {
        #expect(try facts == told("pages of methods"))
      } else if facts.isSubset(of: ["sent_to", "expires_at", "code_length"]) {
        #expect(try facts.isSubset(of: told("pages that wait for a message")))
      } else {
        #expect(try facts == told("`\(address.path)`"), "\(address.path)")
      }
    }
  }
}

extension JSON {
  /// The names of all properties that a schema has, at whatever depth.
  fileprivate var propertyNames: Set<String> {
    switch self {
    case .object(let members):
      members.reduce(Set<String>()) { names, member in
        let own = member.name == "properties" ? member.value.members ?? [] : []
        return names.union(own.map(\.name)).union(member.value.propertyNames)
      }
    case .array(let elements):
      elements.reduce(Set<String>()) { names, element in names.union(element.propertyNames) }
    case .null, .bool, .integer, .number, .string: []
    }
  }
}
