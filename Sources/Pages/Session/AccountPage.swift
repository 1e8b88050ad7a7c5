public import AuthFlow

/// `/` and `/account`: who is signed in.
///
/// Source: form-pages, P-signedin.
public struct AccountPage: Page {
  private let session: Session

  public init(session: Session) { self.session = session }

  public var name: String { Path.pageName(of: Path.account) }
  public var step: String { "signed-in" }
  public var flow: FlowName? { .session }
  public var fields: [Field] { [] }

  public func content(in frame: PageFrame) -> PageContent {
    let user = session.user
    let times = Times(now: frame.now, timeZone: frame.timeZone)
    let fullName = [user.firstName, user.lastName].compactMap(\.self).joined(separator: " ")
    return PageContent(
      heading: fullName.isEmpty ? "You are signed in" : "Welcome, \(fullName)",
      lead: ["You are signed in as \(strong: user.identifier)."],
      details: [
        .init("Session", "\(session.id)"),
        .init("Status", Prose(statusWords)),
        .init("Ends", times.from(session.expiresAt)),
      ] + (session.organization.map { [.init("Organisation", Prose($0.name))] } ?? []),
      forms: [.signOut(weight: .primary)],
      facts: facts,
      setting: Setting(identifier: user.identifier)
    )
  }

  private var statusWords: String {
    switch session.status {
    case .active: "Active"
    case .pending: "Pending: something is left to do"
    }
  }

  private var facts: [JSONValue.Member] {
    let user = session.user
    return [
      .init(
        "user",
        .object([
          .init("id", .string(user.id)),
          .init("identifier", .string(user.identifier)),
          .init("first_name", .string(orNull: user.firstName)),
          .init("last_name", .string(orNull: user.lastName)),
        ])
      ),
      .init(
        "session",
        .object([
          .init("id", .string(session.id)),
          .init("status", .string(session.status.rawValue)),
          .init("expires_at", .time(orNull: session.expiresAt)),
        ])
      ),
      .init("organization", session.organization.map(Self.json) ?? .null),
      .init("tasks", .array(session.tasks.map { .string(Self.key(of: $0)) })),
    ]
  }

  private static func json(_ organization: Session.Organization) -> JSONValue {
    .object([
      .init("id", .string(organization.id)),
      .init("name", .string(organization.name)),
      .init("slug", .string(orNull: organization.slug)),
    ])
  }

  /// The task by the name that its path has.
  private static func key(of task: SessionTask) -> String {
    switch task {
    case .resetPassword: "reset-password"
    case .chooseOrganization: "choose-organization"
    case .setUpSecondFactor: "setup-mfa"
    case .unknown(let key): key
    }
  }
}
