public import Foundation

/// A refusal: its problems, in the order of the answer, and what may help.
///
/// There is always at least one problem.
public struct AuthError: Error, Hashable, Codable, Sendable {
  public internal(set) var problems: [Problem]
  public internal(set) var advice: RetryAdvice
  /// The auth API's identifier of this answer, which support asks for.
  public let traceID: String?
  /// What else the provider knows, for logs and traces; no page shows it, and it holds no secret.
  public var diagnosis: String?
  /// What is to blame instead of the input; nil where the input is, or where that is unknown.
  public var blame: Blame?

  /// What an auth API may blame instead of the input.
  public enum Blame: String, Hashable, Codable, Sendable {
    /// The configuration of this program, such as an app that the API does not know: it fails for
    /// everybody.
    case setUp = "set-up"
  }

  public init(
    _ first: Problem,
    _ others: [Problem] = [],
    advice: RetryAdvice? = nil,
    traceID: String? = nil,
    diagnosis: String? = nil
  ) {
    problems = [first] + others
    self.advice = advice ?? first.reason.usualAdvice
    self.traceID = traceID
    self.diagnosis = diagnosis
  }

  /// Combines the problems into one error; nil where there are none.
  public init?(_ problems: [Problem], advice: RetryAdvice? = nil, traceID: String? = nil) {
    guard let first = problems.first else { return nil }
    self.init(first, Array(problems.dropFirst()), advice: advice, traceID: traceID)
  }

  /// The same refusal with its problems changed, and everything else kept.
  ///
  /// The advice is that of the first problem, where that has another reason now.
  @_spi(Provider) public func mapProblems(_ change: (inout Problem) -> Void) -> AuthError {
    var error = self
    for place in error.problems.indices { change(&error.problems[place]) }
    if let reason = error.problems.first?.reason, reason != problems.first?.reason {
      error.advice = reason.usualAdvice
    }
    return error
  }

  private enum Key: String, CodingKey { case problems, advice, traceID, diagnosis, blame }

  /// The number of problems that keep their details when encoded: a visit has little room.
  private static let keptDetailCount = 2

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    let kept = problems.enumerated().map { place, problem in
      var problem = problem
      if place >= Self.keptDetailCount { problem.detail = nil }
      return problem
    }
    try container.encode(kept, forKey: .problems)
    try container.encode(advice, forKey: .advice)
    try container.encodeIfPresent(traceID, forKey: .traceID)
    try container.encodeIfPresent(diagnosis, forKey: .diagnosis)
    try container.encodeIfPresent(blame, forKey: .blame)
  }

  /// Whether the reason of any problem satisfies the predicate.
  public func contains(where isMeant: (Reason) -> Bool) -> Bool {
    problems.indices.contains { isMeant(problems[$0].reason) }
  }

  /// The session that is in the way; nil where the auth API means whichever one this browser has.
  public var sessionInTheWay: SessionInTheWay? {
    problems.lazy.compactMap(\.sessionInTheWay).first
  }

  /// Whether it says nothing about the input, so that the attempt is as it was before.
  public var isOfTheMoment: Bool { problems.allSatisfy(\.reason.isOfTheMoment) }
}

/// What a person can do about a refusal.
public enum RetryAdvice: Hashable, Codable, Sendable {
  case correctInput
  case requestNewCode
  /// Until that time; nil where it is unknown.
  case wait(until: Date?)
  case chooseAnotherMethod
  case resetPassword
  case startOver
  case interactiveSignIn
  case contactSupport
  case tryAgain
}
