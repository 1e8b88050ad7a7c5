internal import Emulators

/// The steps from page to page that a browser took in a visit.
struct WalkedWay: Sendable {
  private var steps: Set<[String]>

  /// - Parameter pages: The pages' names in order; a page that is shown again right away is not a
  ///   step.
  init(pages: [String]) {
    steps = Set(zip(pages, pages.dropFirst()).filter { $0 != $1 }.map { [$0, $1] })
  }

  /// The way of the requesting browser's visit, as far as its traces are kept.
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
