public import AuthFlow

/// The page that an invitation's link opens: `/sign-up`, or `/sign-in` if an account is known to
/// exist.
///
/// Opening it has no effect, since mail scanners and other sites' pages open links too; its button
/// continues.
///
/// Rules: P-signup, state invitation; S14.
public struct InvitationPage: Page {
  private let invitation: Invitation
  public let flow: FlowName?

  /// - Parameters:
  ///   - invitation: The invitation in the page's address.
  ///   - flow: The flow whose start opened it, `signUp` or `signIn`; its form is posted to the
  ///     sign-up either way.
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
