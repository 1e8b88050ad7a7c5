public import Headless

/// Which page leads to which, found out by walking there.
public struct WalkedFlows: Sendable {
  private let walk: @Sendable () async -> FlowWalker.Findings
  private let found = FoundOnce<FlowWalker.Findings>()

  /// - Parameter walk: Walks all that is told of the flows.
  public init(_ walk: @escaping @Sendable () async -> FlowWalker.Findings) { self.walk = walk }

  /// What was found; walked once, and again where nobody could walk.
  func findings() async -> FlowWalker.Findings {
    await found.value(walk) { $0.ways.isEmpty }
  }
}
