public import AuthFlow
public import Foundation

/// `/locked`: the account is locked for a while, or until support unlocks it.
///
/// If the auth API does not say which, neither does the page.
///
/// Rules: P-locked.
public struct LockedPage: Page {
  private let problem: Problem
  private let until: Date?
  private let traceID: String?

  /// Tells of a lock.
  ///
  /// - Parameters:
  ///   - problem: The reason, with the auth API's code.
  ///   - until: When the lock ends; nil if support has to end it, or it is unknown.
  ///   - traceID: The auth API's identifier of its answer.
  public init(problem: Problem, until: Date?, traceID: String?) {
    self.problem = problem
    self.until = until
    self.traceID = traceID
  }

  /// Whether the lock has ended, so that the page is good news.
  public func isOver(at now: Date) -> Bool { until.map { $0 <= now } ?? false }

  public var address: Address? { .locked }
  public var step: String { "locked" }
  public var flow: FlowName? { .signIn }
  public var fields: [Field] { [] }
  public var mayBeAboutErrors: Bool { true }

  public func content(in frame: PageFrame) -> PageContent {
    let facts = [JSONValue.Member("until", .time(orNull: until?.roundedUpToSecond))]
    if isOver(at: frame.now) {
      return PageContent(
        heading: .page(.lockedOverHeading),
        outcome: .done,
        lead: [.page(.lockedOver)],
        links: [
          Link("sign-in", href: Address.signIn.path, words: .common(.actionSignIn), place: .action)
        ],
        facts: facts
      )
    }
    return PageContent(
      heading: .page(.lockedHeading),
      outcome: lock.reason == .locked(until: nil) ? .halt : .wait,
      links: [
        Link(
          "try-again",
          href: Address.signIn.path,
          words: .common(.actionTryAgain),
          place: .action
        )
      ],
      facts: facts,
      concerns: [.error(AuthError(lock, traceID: traceID))],
      isErrorItself: true
    )
  }

  /// The problem with the end that is known of, so that page, banner and twin tell the same.
  private var lock: Problem {
    Problem(
      problem.reason == .lockedForNow ? .lockedForNow : .locked(until: until),
      at: problem.field,
      code: problem.code,
      message: problem.message,
      detail: problem.detail
    )
  }
}
