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
      #expect(chart.lines.map(\.arrow) == flow.pages.flatMap(FlowMap.arrows))
      for box in chart.boxes {
        #expect(FlowChart.address(of: box.page) != nil)
        #expect(box.isHere == (box.page == "sign-in-code"))
      }
    }
    #expect(FlowMap.mermaid.hasPrefix("stateDiagram-v2\n"))
    #expect(FlowMap.mermaid.contains("sign_in --> sign_in_code: sign-in → code_sent"))
  }

  /// A rectangle that something takes up.
  private struct Room: CustomStringConvertible {
    var name: String
    var x: ClosedRange<Int>
    var y: ClosedRange<Int>

    func overlaps(_ other: Room) -> Bool { x.overlaps(other.x) && y.overlaps(other.y) }
    var description: String { name }
  }

  private static func rooms(of line: FlowChart.Line) -> (
    label: Room, straight: [Room], bends: [Room]
  ) {
    let name = "\(line.arrow.source) → \(line.arrow.target)"
    let label = Room(
      name: "label \(name)",
      x: line.label.x...line.label.x + line.label.width,
      y: line.label.y - 9...line.label.y + 2
    )
    let parts = zip(line.points, line.points.dropFirst()).map { from, to in
      Room(
        name: name,
        x: min(from.x, to.x)...max(from.x, to.x),
        y: min(from.y, to.y)...max(from.y, to.y)
      )
    }
    let numbered = parts.enumerated()
    return (
      label, numbered.filter { $0.offset.isMultiple(of: 2) }.map(\.element),
      numbered.filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
    )
  }

  @Test("is drawn so that it can be read: nothing lies on a label or on another page's box")
  func readable() {
    for flow in FlowMap.flows {
      let chart = FlowChart(name: flow.name, pages: flow.pages, standingAt: [])
      let boxes = chart.boxes.map {
        Room(name: $0.page, x: $0.x...$0.x + $0.width, y: $0.y...$0.y + $0.height)
      }
      let lines = chart.lines.map(Self.rooms)
      let still = boxes + lines.map(\.label)
      for (index, one) in still.enumerated() {
        for other in still[(index + 1)...] { #expect(!one.overlaps(other), "\(one), \(other)") }
        #expect(one.x.upperBound < chart.width && one.y.upperBound < chart.height)
        #expect(one.x.lowerBound > 0 && one.y.lowerBound > 0)
      }
      for line in lines {
        for part in line.straight {
          #expect(part.y.count == 1, "\(part) is straight")
          for label in lines.map(\.label) { #expect(!label.overlaps(part), "\(label), \(part)") }
        }
        for part in line.bends {
          for room in still { #expect(!room.overlaps(part), "\(room), \(part)") }
        }
        // It touches the boxes at its own ends.
        let crossed = boxes.filter { box in line.straight.contains(where: box.overlaps) }
        #expect(crossed.count <= 2, "\(crossed)")
      }
      let rows = lines.flatMap(\.straight)
      for (index, one) in rows.enumerated() {
        for other in rows[(index + 1)...] where one.name != other.name {
          #expect(!one.overlaps(other), "\(one) on \(other)")
        }
      }
    }
  }

  @Test("an arrow has the code that is told above it, else the form that is sent")
  func labels() throws {
    let pages = try #require(FlowMap.flows.first).pages
    let lines = FlowChart(name: "Sign in", pages: pages, standingAt: []).lines
    func label(_ source: String, _ target: String) -> String? {
      lines.first { $0.arrow.source == source && $0.arrow.target == target }?.label.text
    }
    #expect(label("sign-in", "locked") == "user_locked")
    #expect(label("sign-in", "blocked") == "protection_policy_required")
    #expect(label("sign-in", "sign-in-second-factor") == "sign-in")
    #expect(label("sign-in-code", "sign-in") == "restart → sign-in")
  }

  @Test("the way that a browser has walked is told apart, and a page shown again is no step")
  func walked() {
    let way = WalkedWay(pages: ["sign-in", "sign-in", "sign-in-code", "account"])
    let walked = FlowMap.arrows.filter(way.has).map { "\($0.source) \($0.target)" }
    #expect(Set(walked) == ["sign-in sign-in-code", "sign-in-code account"])
    #expect(!FlowMap.arrows.contains(where: WalkedWay(pages: ["sign-in"]).has))
  }
}
