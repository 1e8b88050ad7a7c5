public import AuthFlow

/// `/sign-up` for someone who has just joined the waiting list; they can only add another address.
///
/// Rules: P-signup, state waiting list.
public struct WaitingListPage: Page {
  public init() {}

  public var address: Address? { .signUp }
  public var step: String { "joined" }
  public var flow: FlowName? { .signUp }
  public var fields: [Field] { [] }

  public func content(in frame: PageFrame) -> PageContent {
    PageContent(
      heading: .page(.signUpJoinedHeading),
      outcome: .done,
      lead: frame.notices.contains(.waitlistJoined) ? [] : [.outcome(.noticeWaitlistJoined)],
      forms: [.restart(.signUp, button: .common(.actionStartAgain))],
      links: [.signIn.at(.action)]
    )
  }
}
