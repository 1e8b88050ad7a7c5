import Emulators
import Foundation
import Testing

@Suite("The notes on settings and accounts")
struct SettingsNotesTests {
  @Test("name every setting, and no other")
  func settings() throws {
    #expect(try keys(in: "EmulatorSettings") == names(of: InstanceSettings().json))
  }

  @Test("name every key of an account, and no other")
  func accounts() throws {
    var account = AccountDescription()
    account.organizationInvitations = [.init(name: "Harbour", slug: "harbour")]
    account.organizationSuggestions = account.organizationInvitations
    let shown = account.json
    let own = names(of: shown).union(["password"])
    #expect(try keys(in: "AccountKeys") == own.union(names(of: shown["entra"])))
  }

  @Test("give the default of every setting, and every value of a choice")
  func values() throws {
    let usual = InstanceSettings().json
    let rows = try rows(in: "EmulatorSettings")
    for key in InstanceSettings.keys {
      let row = try #require(rows.first { codes(in: $0[0]).contains(key.name) }, "\(key.name)")
      let told = row[1].trimmingCharacters(in: .whitespaces)
      let expected = words(for: try #require(usual[key.name]))
      #expect(expected.contains(told), "\(key.name) is \(expected), not \(told)")
      let chosen = codes(in: row[1...].joined(separator: "|"))
      #expect(chosen.isSuperset(of: key.shape.choices), "\(key.name)")
    }
  }

  @Test("say which settings only one of the auth APIs uses")
  func asked() throws {
    let article = try text(of: "EmulatorSettings")
    func unasked(by api: EmulatedAPI) -> Set<String> {
      Set(InstanceSettings.keys.map(\.name).filter { !InstanceSettings.isAsked($0, by: api) })
    }
    let list = article.components(separatedBy: "Over Entra nothing of this is asked or told:")
    try #require(list.count == 2)
    #expect(codes(in: list[1].prefix { $0 != "." }) == unasked(by: .entra))
    let sections = article.components(separatedBy: "\n## Entra alone\n")
    try #require(sections.count == 2)
    let named = sections[1].split(separator: "\n").filter { $0.hasPrefix("| `") }
      .compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
    #expect(Set(named) == unasked(by: .clerk))
  }

  /// The ways in which the article may write a default.
  private func words(for value: JSON) -> Set<String> {
    switch value {
    case .null: ["null", "absent"]
    case .bool(let flag): ["\(flag)"]
    case .integer(let number): ["\(number)"]
    case .string(let text): text.hasPrefix("https://example.com/") ? ["examples"] : ["`\(text)`"]
    case .array(let elements): elements.isEmpty ? ["none"] : []
    case .number, .object: []
    }
  }

  private func names(of json: JSON?) -> Set<String> {
    guard case .object(let members)? = json else { return [] }
    return Set(members.map(\.name))
  }

  /// The words written as code in the first cells of an article's tables.
  private func keys(in article: String) throws -> Set<String> {
    Set(
      try rows(in: article).compactMap(\.first)
        .flatMap { $0.split(separator: "`").filter { !$0.contains(/[ ,]/) } }.map(String.init)
    )
  }

  /// The rows of an article's tables that begin with code, split into cells.
  private func rows(in article: String) throws -> [[Substring]] {
    try text(of: article).split(separator: "\n").filter { $0.hasPrefix("| `") }
      .map { $0.dropFirst(2).split(separator: "|") }
  }

  private func text(of article: String) throws -> String {
    try String(
      contentsOfFile: "Sources/Emulators/Emulators.docc/\(article).md",
      encoding: .utf8
    )
  }

  private func codes(in text: some StringProtocol) -> Set<String> {
    Set(String(text).matches(of: /`([^`]+)`/).map { String($0.output.1) })
  }
}

extension ValueShape {
  /// The values to choose from; empty if any value is allowed.
  fileprivate var choices: [String] {
    switch self {
    case .choice(let values), .choices(let values): values
    case .optional(let shape): shape.choices
    case .flag, .number, .text, .texts, .object, .list, .json: []
    }
  }
}
