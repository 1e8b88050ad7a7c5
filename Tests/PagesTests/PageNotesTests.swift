import AuthFlow
import Foundation
import Testing

@testable import Pages

@Suite("The notes on pages")
struct PageNotesTests {
  @Test("give an address for every page that has examples")
  func addresses() throws {
    let named = Set(
      try codes(in: "PageAddresses").filter { $0.hasPrefix("/") }
        .map { String($0.dropFirst()).replacing("/", with: "-") }
    )
    let pages = Set(PageExample.all.map(\.page.name)).subtracting(["error"])
    #expect(pages.subtracting(named).isEmpty)
  }

  @Test("name every notice and every code of our own")
  func messages() throws {
    let named = try codes(in: "PageMessages")
    let own = Notice.allCases.map(\.rawValue) + Refusal.allCases.map(\.rawValue)
    #expect(Set(own).subtracting(named).isEmpty)
  }

  /// What stands as code in an article.
  private func codes(in article: String) throws -> Set<String> {
    let text = try String(contentsOfFile: "Sources/Pages/Pages.docc/\(article).md", encoding: .utf8)
    return Set(text.matches(of: /`([^`\n]+)`/).map { String($0.output.1) })
  }
}
