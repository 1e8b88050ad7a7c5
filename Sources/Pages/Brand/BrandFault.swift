/// Something in a brand that cannot be.
public struct BrandProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where it is: the names of the keys that would have to change.
  public var keys: [String]
  public var description: String

  public init(at keys: [String], _ description: String) {
    self.keys = keys
    self.description = description
  }
}

/// Why a brand cannot be used: everything that is wrong with it.
public struct BrandFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// Never empty.
  public let problems: [BrandProblem]

  public init(_ problem: BrandProblem, _ others: [BrandProblem] = []) {
    problems = [problem] + others
  }

  init?(_ problems: [BrandProblem]) {
    guard !problems.isEmpty else { return nil }
    self.problems = problems
  }

  /// One line.
  public var description: String { problems.map(\.description).joined(separator: "; ") }
}
