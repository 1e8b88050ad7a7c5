import AuthFlow
import Emulators
import Headless
import Pages
import Testing

@Suite("The closed names of stories")
struct ClosedNamesTests {
  @Test("pages, steps and flows are those of the pages, and of an address elsewhere")
  func pages() {
    let examples = PageExample.all.filter { $0.page.address != nil }
    #expect(Set(ClosedNames.pages.all) == Set(PageRenderer.pageNames + ["elsewhere"]))
    #expect(Set(ClosedNames.steps.all) == Set(examples.map(\.page.step) + ["redirect"]))
    #expect(ClosedNames.flows.all == FlowName.allCases.map(\.rawValue))
    #expect(Set(examples.map(\.pageName)).isSubset(of: ClosedNames.pages.all))
  }

  @Test("notices are those of the flows; purposes and channels are those of messages")
  func messages() {
    #expect(ClosedNames.notices.all == Notice.allCases.map(\.rawValue))
    #expect(ClosedNames.purposes.all == Message.Purpose.allCases.map(\.rawValue))
    #expect(ClosedNames.channels.all == Message.Channel.allCases.map(\.rawValue))
  }

  @Test("no name is listed twice")
  func once() {
    let lists = [
      ClosedNames.pages, .steps, .flows, .notices, .purposes, .channels, .methods,
    ]
    for list in lists { #expect(Set(list.all).count == list.all.count) }
  }
}
