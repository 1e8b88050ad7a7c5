public import AuthFlow

/// Where the link of an invitation leads: `/sign-up`, with the invitation in its address.
///
/// Looking at it does nothing, since scanners of mail and other sites' pages open links too; its
/// button goes on.
///
/// Rules: P-signup, state invitation; S14.
public struct InvitationPage: Page {
  private let invitation: Invitation

  public init(invitation: Invitation) { self.invitation = invitation }

  public var address: Address? { .signUp }
  public var step: String { "invitation" }
  public var flow: FlowName? { .signUp }
  public var fields: [Field] { [] }

  public func content(in frame: PageFrame) -> PageContent {
    PageContent(
      heading: .page(.signUpInvitationHeading),
      lead: [.page(.signUpInvitation)],
      forms: [
        Form(
          "invitation",
          action: .signUp,
          fields: [.hidden(Field(named: invitation.parameter), value: invitation.ticket)],
          button: .common(.actionContinue)
        )
      ],
      links: [.haveAccount()]
    )
  }
}
