@testable import Backstage
import Foundation
import Headless
import Pages
import Testing
import TestSupport

@Suite("The map of the flows")
struct FlowMapTests {
  private static let overClerk = FlowMap(.arrows(WalkedArrows.overClerk))
  private static let maps = [overClerk, FlowMap(.arrows(WalkedArrows.overEntra))]

  private static func chart(
    of flow: (name: String, pages: [String]),
    _ map: FlowMap,
    standingAt places: [String] = []
  ) -> FlowChart {
    FlowChart(name: flow.name, pages: flow.pages, arrows: map.arrows, standingAt: places)
  }

  @Test("has every page that the pages' own examples show, once")
  func complete() {
    let pages = FlowMap.flows.flatMap(\.pages)
    #expect(Set(pages).count == pages.count)
    // A refusal has no place in a flow.
    let shown = Set(Atlas.names.map { String($0.prefix { $0 != "/" }) }).subtracting(["error"])
    #expect(Set(pages) == shown)
  }

  @Test("has the pages of each flow in the order of their addresses, its start first")
  func derived() {
    #expect(FlowMap.flows.map(\.name) == ["Sign in", "Sign up", "Password reset", "Session"])
    #expect(FlowMap.flows.flatMap(\.pages) == Address.pages.map(\.pageName))
    #expect(
      FlowMap.flows.compactMap(\.pages.first) == [
        "sign-in", "sign-up", "forgot-password", "tasks-reset-password",
      ]
    )
  }

  @Test("leads only to pages that it has, and has no page without an arrow")
  func closed() {
    let known = Set(FlowMap.flows.flatMap(\.pages))
    for map in Self.maps {
      let ends = Set(map.arrows.flatMap { [$0.source, $0.target] })
      #expect(known.isSuperset(of: ends))
      #expect(Set(map.flows.flatMap(\.pages)) == ends)
      #expect(Set(map.arrows.map { "\($0.source) \($0.target)" }).count == map.arrows.count)
    }
    // What one API does not have is not on its map.
    #expect(!Self.overClerk.flows.flatMap(\.pages).contains("permissions"))
  }

  @Test("is drawn with a box for each page, each leading to the atlas, and an arrow for each way")
  func drawn() {
    for map in Self.maps {
      for flow in map.flows {
        let chart = Self.chart(of: flow, map, standingAt: ["/sign-in/code"])
        #expect(Set(chart.boxes.map(\.page)).isSuperset(of: flow.pages))
        #expect(chart.lines.map(\.arrow) == flow.pages.flatMap(map.arrows))
        for box in chart.boxes {
          #expect(FlowChart.address(of: box.page) != nil)
          #expect(box.isHere == (box.page == "sign-in-code"))
        }
      }
    }
    #expect(Self.overClerk.mermaid.hasPrefix("stateDiagram-v2\n"))
    #expect(Self.overClerk.mermaid.contains("sign_in --> sign_in_code: sign-in → code_sent"))
  }

  @Test("names the walks that did not finish, and is empty if nobody walks")
  func gaps() {
    let map = FlowMap(FlowWalker.Findings(strayed: ["lou", "mia"]))
    let content = map.content(standingAt: [], after: WalkedWay(pages: []))
    #expect(content.lead.last == "Not finished: lou, mia.")
    #expect(content.charts.isEmpty && content.lists.isEmpty)
    let whole = Self.overClerk.content(standingAt: [], after: WalkedWay(pages: []))
    #expect(!whole.lead.contains { $0.hasPrefix("Not finished") })
  }

  @Test("is read as lists, to each of which its chart leads, and whose arrows are not read")
  func lists() async throws {
    let html = try await BackstageClient().workbench().open("map").html
    for flow in Self.overClerk.flows {
      let id = FlowMap.listID(of: flow.name)
      #expect(html.contains("<a class=\"chip\" href=\"#\(id)\">\(flow.name), as a list</a>"))
      #expect(html.contains("<h2 id=\"\(id)\">\(flow.name)</h2>"))
    }
    let arrows = html.ranges(of: "<g aria-hidden=\"true\"><title>").count
    #expect(arrows > 0 && arrows == html.ranges(of: "<g").count)
  }

  /// The rectangle that something occupies.
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
    for (flow, map) in Self.maps.flatMap({ map in map.flows.map { ($0, map) } }) {
      let chart = Self.chart(of: flow, map)
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

  @Test("an arrow is labelled with the code that the page shows, or with the form that is sent")
  func labels() throws {
    func label(_ source: String, _ target: String, _ map: FlowMap) throws -> String? {
      Self.chart(of: try #require(map.flows.first), map).lines
        .first { $0.arrow.source == source && $0.arrow.target == target }?.label.text
    }
    #expect(try label("sign-in", "locked", Self.overClerk) == "user_locked")
    #expect(try label("sign-in", "sign-in-second-factor", Self.overClerk) == "sign-in")
    #expect(try label("sign-in-password", "sign-in", Self.overClerk) == "change → sign-in")
    #expect(try label("sign-in", "blocked", Self.maps[1]) == "protection_policy_required")
  }

  @Test("the arrows that a browser has walked are marked, and a page shown again is not a step")
  func walked() {
    let way = WalkedWay(pages: ["sign-in", "sign-in", "sign-in-code", "account"])
    let walked = Self.overClerk.arrows.filter(way.has).map { "\($0.source) \($0.target)" }
    #expect(Set(walked) == ["sign-in sign-in-code", "sign-in-code account"])
    #expect(!Self.overClerk.arrows.contains(where: WalkedWay(pages: ["sign-in"]).has))
  }
}

extension FlowWalker.Findings {
  /// The findings that these arrows describe.
  static func arrows(_ texts: [String]) -> Self {
    let ways = texts.flatMap { text -> [FlowWalker.Way] in
      let (ends, reasons) = text.halves(at: " | ")
      let (source, target) = ends.halves(at: " → ")
      return reasons.components(separatedBy: " or ").map { reason in
        let (control, codes) = reason.halves(at: ": ")
        return FlowWalker.Way(
          from: source,
          to: target,
          by: control,
          telling: codes.isEmpty ? [] : codes.components(separatedBy: ", ")
        )
      }
    }
    return Self(ways: Set(ways))
  }
}

extension String {
  fileprivate func halves(at separator: String) -> (String, String) {
    guard let range = range(of: separator) else { return (self, "") }
    return (String(self[..<range.lowerBound]), String(self[range.upperBound...]))
  }
}
