@testable import Backstage
import Pages
import Testing

@Suite("The map of the flows")
struct FlowMapTests {
  @Test("has every page that the pages' own examples show, once")
  func complete() {
    let pages = FlowMap.flows.flatMap(\.pages)
    #expect(Set(pages).count == pages.count)
    // A refusal has no place in a flow.
    let shown = Set(Atlas.names.map { String($0.prefix { $0 != "/" }) }).subtracting(["error"])
    #expect(Set(pages) == shown)
  }

  @Test("leads only to pages that it has, and from each page but where nobody can go on")
  func closed() {
    let pages = Set(FlowMap.flows.flatMap(\.pages))
    for arrow in FlowMap.arrows { #expect(pages.isSuperset(of: [arrow.source, arrow.target])) }
    #expect(Set(FlowMap.arrows.map { "\($0.source) \($0.target)" }).count == FlowMap.arrows.count)
    #expect(Set(FlowMap.arrows.map(\.source)) == pages)
  }

  @Test("is drawn with a box for each page, each leading to the atlas, and an arrow for each way")
  func drawn() {
    for flow in FlowMap.flows {
      let chart = FlowChart(name: flow.name, pages: flow.pages, standingAt: ["/sign-in/code"])
      #expect(Set(chart.boxes.map(\.page)).isSuperset(of: flow.pages))
      #expect(Set(chart.boxes.map { "\($0.x) \($0.y)" }).count == chart.boxes.count)
      for box in chart.boxes {
        #expect(FlowChart.address(of: box.page) != nil)
        #expect(box.isHere == (box.page == "sign-in-code"))
      }
    }
    #expect(FlowMap.mermaid.hasPrefix("stateDiagram-v2\n"))
    #expect(FlowMap.mermaid.contains("sign_in --> sign_in_code: sign-in → code_sent"))
  }

  @Test("the way that a browser has walked is told apart, and a page shown again is no step")
  func walked() {
    let way = WalkedWay(pages: ["sign-in", "sign-in", "sign-in-code", "account"])
    let walked = FlowMap.arrows.filter(way.has).map { "\($0.source) \($0.target)" }
    #expect(Set(walked) == ["sign-in sign-in-code", "sign-in-code account"])
    #expect(!FlowMap.arrows.contains(where: WalkedWay(pages: ["sign-in"]).has))
  }
}
