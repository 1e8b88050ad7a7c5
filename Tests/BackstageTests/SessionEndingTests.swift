import Foundation
import Headless
import Pages
import Testing

@Suite("The forms that end sessions")
struct SessionEndingTests {
  @Test("a page's outline leaves out exactly the forms whose names say that they end sessions")
  func outline() throws {
    let twin = try #require(Atlas(renderer: .project()).twin(named: "account/sessions"))
    let page = try JSONDecoder().decode(PageSnapshot.self, from: Data(twin))
    let others = page.forms.map(\.name).filter { !$0.hasPrefix(Form.endingPrefix) }
    #expect(!others.isEmpty && others.count < page.forms.count)
    let told = page.outline.lines.filter { $0.hasPrefix("form ") }
      .map { String($0.split(separator: " ")[1]) }
    #expect(told.sorted() == others.sorted())
  }

  @Test("ending one other session is distinguished from ending all of them")
  func single() throws {
    let example = try #require(PageExample.all.first { $0.name == "account/sessions" })
    let forms = example.page.content(in: example.frame).forms.filter(\.endsSessions)
    #expect(forms.count == 4)
    #expect(forms.filter(\.endsOtherSession).map(\.name) == ["end-session-2", "end-session-3"])
  }
}
