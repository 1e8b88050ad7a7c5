public import AuthFlow

/// `GET /sign-out`: asks before it signs out.
///
/// Source: form-pages, P-signedout.
public struct SignOutPage: Page {
  private let identifier: String

  public init(identifier: String) { self.identifier = identifier }

  public var name: String { Path.pageName(of: Path.signOut) }
  public var step: String { "sign-out" }
  public var flow: FlowName? { .session }
  public var fields: [Field] { [] }

  public func content(in frame: PageFrame) -> PageContent {
    PageContent(
      heading: "Sign out?",
      lead: ["You are signed in as \(strong: identifier)."],
      forms: [.signOut(weight: .primary)],
      links: [Link("account", href: Path.account, words: "Stay signed in", purpose: "back")],
      setting: Setting(identifier: identifier)
    )
  }
}
