public import AuthFlow

/// `/blocked`: nobody gets on from here, and trying again does not help.
///
/// Rules: P-blocked.
public struct BlockedPage: Page {
  private let error: AuthError
  private let offersSignOut: Bool

  public init(error: AuthError, offersSignOut: Bool) {
    self.error = error
    self.offersSignOut = offersSignOut
  }

  public var address: Address? { .blocked }
  public var step: String { "blocked" }
  public var flow: FlowName? { .signIn }
  public var fields: [Field] { [] }
  public var mayBeAboutErrors: Bool { true }

  /// Whether the obstacle is a step that these pages do not support, rather than the account.
  private var isUnderWay: Bool { offersSignOut || error.contains { $0 == .stepUnsupported } }

  public func content(in frame: PageFrame) -> PageContent {
    PageContent(
      heading: .page(isUnderWay ? .blockedHeadingSignedIn : .blockedHeading),
      outcome: .halt,
      forms: offersSignOut ? [.signOut(weight: .primary)] : [],
      links: offersSignOut ? [] : [.signIn.at(.action)],
      concerns: [.error(error)],
      isErrorItself: true
    )
  }
}
