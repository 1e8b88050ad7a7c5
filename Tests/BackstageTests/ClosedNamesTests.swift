import AuthFlow
import Emulators
import Headless
import Pages
import Testing

@testable import Backstage

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

  @Test("the description of a story has them, and what a step may expect to be called and sent")
  func described() throws {
    let schemas = JSON(decoding: APIDescription.whole)?["components"]?["schemas"]
    let file = schemas?[NamedSchema.storyDocument.rawValue]?["properties"]
    let step = file?["steps"]?["items"]?["properties"]
    let expected = try #require(step?["expect"]?["properties"])
    func names(_ schema: JSON?) -> [String]? { schema?["enum"]?.array?.compactMap(\.string) }
    #expect(names(expected["page"]) == ClosedNames.pages.all)
    #expect(names(expected["step"]?["anyOf"]?[0]) == ClosedNames.steps.all)
    let call = expected["calls"]?["items"]?["properties"]
    #expect(call?.members?.map(\.name) == ["method", "path", "form"])
    let message = expected["messages"]?["items"]?["properties"]
    #expect(message?.members?.map(\.name) == ["to", "purpose", "channel"])
    let begun = file?["clock"]?["anyOf"]?[1]?["properties"]
    #expect(begun?.members?.map(\.name) == ["set", "freeze"])
  }
}
