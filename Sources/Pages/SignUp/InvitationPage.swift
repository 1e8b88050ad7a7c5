public import AuthFlow

/// Where the link of an invitation leads: `/sign-up`, or `/sign-in` where it is known that there is an account, with
/// the invitation in its address.
///
/// Looking at it does nothing, since scanners of mail and other sites' pages open links too; its
/// button goes on.
///
/// Rules: P-signup, state invitation; S14.
public struct InvitationPage: Page {
  private let invitation: Invitation
  public let flow: FlowName?

  /// - Parameters:
  ///   - invitation: In the address of the page.
  ///   - flow: At whose start it is opened, `signUp` or `signIn`; its form goes to the sign-up either way.
  public init(invitation: Invitation, openedAt flow: FlowName = .signUp) {
    self.invitation = invitation
    self.flow = flow
  }

  public var address: Address? { flow?.start }
  public var step: String { "invitation" }
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
