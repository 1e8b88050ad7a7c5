internal import Emulators

/// The pages that a browser was shown in a visit, in their order.
struct WalkedWay: Sendable {
  private var steps: Set<[String]>

  /// - Parameter pages: By their names; one that is shown again is no step.
  init(pages: [String]) {
    steps = Set(zip(pages, pages.dropFirst()).filter { $0 != $1 }.map { [$0, $1] })
  }

  /// The way of the visit that asks, as far as its traces are kept.
  init(_ context: WorkbenchContext) {
    let traces = context.world.traces
    let visit = context.visitName.flatMap(traces.visit(named:))
    self.init(
      pages: visit == nil
        ? [] : traces.all.reversed().filter { $0.visit == visit }.compactMap { $0.answer?.page }
    )
  }

  func has(_ arrow: FlowMap.Arrow) -> Bool { steps.contains([arrow.source, arrow.target]) }
}
