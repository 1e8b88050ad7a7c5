import AuthFlow
import Foundation
import Testing

@testable import Pages

@Suite("The notes on pages")
struct PageNotesTests {
  @Test("give every page with its address and its steps")
  func addresses() throws {
    let named = try codes(in: "PageAddresses")
    #expect(Set(Address.pages.map(\.path)).subtracting(named).isEmpty)
    for page in PageExample.all.map(\.page) where page.name != "error" {
      // A page with one step calls it like itself, which needs no saying.
      #expect(named.contains(page.step) || page.name.hasSuffix(page.step), "\(page.name)")
    }
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
