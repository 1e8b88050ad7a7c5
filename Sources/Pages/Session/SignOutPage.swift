public import AuthFlow

/// `GET /sign-out`: asks before it signs out.
///
/// Rules: P-signedout.
public struct SignOutPage: Page {
  private let identifier: String
  private let isSignedIn: Bool

  /// Asks somebody whether to sign out.
  ///
  /// - Parameters:
  ///   - identifier: The identifier of the person.
  ///   - isSignedIn: False while the session still has tasks to do.
  public init(identifier: String, isSignedIn: Bool = true) {
    self.identifier = identifier
    self.isSignedIn = isSignedIn
  }

  public var address: Address? { .signOut }
  public var step: String { "sign-out" }
  public var flow: FlowName? { .session }
  public var fields: [Field] { [] }

  public func content(in frame: PageFrame) -> PageContent {
    PageContent(
      heading: .page(.signOutHeading),
      identity: identifier,
      forms: [.signOut(weight: .primary)],
      links: [
        Link(
          "account",
          href: Address.account.path,
          words: .page(isSignedIn ? .signOutStay : .signOutGoOn),
          purpose: "back"
        )
      ],
      setting: Setting(identifier: identifier)
    )
  }
}
