public import Headless

/// Which page leads to which, found out by walking there.
public struct WalkedFlows: Sendable {
  private let walk: @Sendable () async -> FlowWalker.Findings
  private let found = FoundOnce<FlowWalker.Findings>()

  /// - Parameter walk: Walks all flows.
  public init(_ walk: @escaping @Sendable () async -> FlowWalker.Findings) { self.walk = walk }

  /// The findings.
  ///
  /// The walk is made once, and again if nothing could be walked.
  func findings() async -> FlowWalker.Findings {
    await found.value(walk) { $0.ways.isEmpty }
  }
}
