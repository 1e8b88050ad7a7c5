@testable import Backstage
import Pages
import Testing

@Suite("The map of the flows")
struct FlowMapTests {
  /// The page of a path, as both are named after each other.
  private func page(_ path: String) -> String {
    String(path.dropFirst().map { $0 == "/" ? "-" : $0 })
  }

  @Test("has every page that the pages' own examples show, once")
  func complete() {
    let steps = FlowMap.flows.flatMap(\.steps).map { page($0.path) }
    #expect(Set(steps).count == steps.count)
    // A refusal has no place in a flow.
    let shown = Set(Atlas.names.map { String($0.prefix { $0 != "/" }) }).subtracting(["error"])
    #expect(Set(steps) == shown)
  }

  @Test("leads only to pages that it has")
  func closed() {
    let paths = Set(FlowMap.flows.flatMap(\.steps).map(\.path))
    for step in FlowMap.flows.flatMap(\.steps) {
      #expect(paths.isSuperset(of: step.next), "\(step.path)")
    }
  }
}
