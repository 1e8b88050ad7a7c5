public import AuthFlow

/// A refusal without a page of its own.
///
/// Rules: P-errors.
public struct ErrorPage: Page {
  private let status: Int
  private let refusal: Refusal

  /// Tells why.
  ///
  /// - Parameters:
  ///   - status: The HTTP status code of the answer.
  ///   - refusal: What the page is about.
  public init(status: Int, refusal: Refusal) {
    self.status = status
    self.refusal = refusal
  }

  static let templateName = "error"

  public var address: Address? { nil }
  public var step: String { String(status) }
  public var flow: FlowName? { nil }
  public var fields: [Field] { [] }

  public func content(in frame: PageFrame) -> PageContent {
    PageContent(
      heading: refusal.heading,
      outcome: refusal.outcome,
      links: [
        Link("sign-in", href: Address.signIn.path, words: "Sign in", place: .action),
        .signUp(words: "Create an account"),
        .forgotPassword,
      ],
      concerns: [.refusal(refusal)],
      isErrorItself: true
    )
  }
}
