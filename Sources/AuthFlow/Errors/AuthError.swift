public import Foundation

/// A refusal: what is wrong, in the answer's order, and what may help.
///
/// There is always at least one problem.
public struct AuthError: Error, Hashable, Codable, Sendable {
  public internal(set) var problems: [Problem]
  public internal(set) var advice: RetryAdvice
  /// The auth API's own name for this answer: what support asks for.
  public let traceID: String?
  /// What the provider knows besides, for logs and traces: no page shows it, and it has no secret.
  public var diagnosis: String?
  /// Nil where it is about what was sent, or nobody knows.
  public var blame: Blame?

  /// Whom the auth API blames in place of whoever filled in a form.
  public enum Blame: String, Hashable, Codable, Sendable {
    /// How this program is set up, such as an app that the API does not know: it breaks for everybody.
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

  /// All of them as one error; nil where there is none.
  public init?(_ problems: [Problem], advice: RetryAdvice? = nil, traceID: String? = nil) {
    guard let first = problems.first else { return nil }
    self.init(first, Array(problems.dropFirst()), advice: advice, traceID: traceID)
  }

  /// The same refusal with its problems changed: all else that is known of it stays.
  ///
  /// What helps is said by the first problem, where that has another reason now.
  @_spi(Provider) public func mapProblems(_ change: (inout Problem) -> Void) -> AuthError {
    var error = self
    for place in error.problems.indices { change(&error.problems[place]) }
    if let reason = error.problems.first?.reason, reason != problems.first?.reason {
      error.advice = reason.usualAdvice
    }
    return error
  }

  private enum Key: String, CodingKey { case problems, advice, traceID, diagnosis, blame }

  /// Of how many problems the details are kept in a visit, which has little room.
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

  /// Whether any problem has a reason of that sort.
  public func contains(where isMeant: (Reason) -> Bool) -> Bool {
    problems.indices.contains { isMeant(problems[$0].reason) }
  }

  /// Which session is in the way; nil where the auth API means whichever this browser has.
  public var sessionInTheWay: SessionInTheWay? {
    problems.lazy.compactMap(\.sessionInTheWay).first
  }

  /// Whether nothing is said of what was sent: what stood before stands as it did.
  public var isOfTheMoment: Bool { problems.allSatisfy(\.reason.isOfTheMoment) }
}

/// What a person can do about a refusal.
public enum RetryAdvice: Hashable, Codable, Sendable {
  case correctInput
  case requestNewCode
  /// Until then, or for an unknown time.
  case wait(until: Date?)
  case chooseAnotherMethod
  case resetPassword
  case startOver
  case interactiveSignIn
  case contactSupport
  case tryAgain
}
