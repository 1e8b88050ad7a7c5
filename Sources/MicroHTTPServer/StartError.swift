/// Why a server did not start.
public struct StartError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the library logged, one line each; the only diagnosis of a bad certificate that it gives.
  public var reasons: [String]

  public var description: String {
    reasons.isEmpty
      ? "the server did not start" : "the server did not start: \(reasons.joined(separator: "; "))"
  }
}
