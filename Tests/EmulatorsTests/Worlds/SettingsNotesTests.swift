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

  private func names(of json: JSON?) -> Set<String> {
    guard case .object(let members)? = json else { return [] }
    return Set(members.map(\.name))
  }

  /// What stands as code in the first cells of an article's tables.
  private func keys(in article: String) throws -> Set<String> {
    let path = "Sources/Emulators/Emulators.docc/\(article).md"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let cells = text.split(separator: "\n").filter { $0.hasPrefix("| `") }
      .compactMap { $0.dropFirst(2).split(separator: "|").first }
    return Set(
      cells.flatMap { $0.split(separator: "`").filter { !$0.contains(/[ ,]/) } }.map(String.init)
    )
  }
}
