public import Headless

/// Which page leads to which, found out by walking there.
public actor WalkedFlows {
  private let walk: @Sendable () async -> FlowWalker.Findings
  private var task: Task<FlowWalker.Findings, Never>?

  /// - Parameter walk: Walks all that is told of the flows.
  public init(_ walk: @escaping @Sendable () async -> FlowWalker.Findings) { self.walk = walk }

  /// What was found; walked once, and again where nobody could walk.
  func findings() async -> FlowWalker.Findings {
    if let task { return await task.value }
    let task = Task { [walk] in await walk() }
    self.task = task
    let findings = await task.value
    if findings.ways.isEmpty { self.task = nil }
    return findings
  }
}
