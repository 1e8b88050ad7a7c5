public import AuthFlow

/// `/` and `/account`: who is signed in.
///
/// Rules: P-signedin.
public struct AccountPage: Page {
  private let session: Session
  private let scopes: String?
  private let claims: String?

  /// Shows who is in.
  ///
  /// - Parameters:
  ///   - session: Theirs.
  ///   - scopes: What was typed as the scopes of a token.
  ///   - claims: What was typed as its claims.
  public init(session: Session, scopes: String? = nil, claims: String? = nil) {
    self.session = session
    self.scopes = scopes
    self.claims = claims
  }

  public var address: Address? { .account }
  public var step: String { "signed-in" }
  public var flow: FlowName? { .session }
  public var fields: [Field] { session.access == nil ? [] : [.scopes, .claims] }

  public func content(in frame: PageFrame) -> PageContent {
    let user = session.user
    let times = Times(now: frame.now, timeZone: frame.timeZone)
    let fullName = [user.firstName, user.lastName].compactMap(\.self).joined(separator: " ")
    return PageContent(
      heading: "Signed in",
      lead: [
        fullName.isEmpty
          ? "You are signed in as \(strong: user.identifier)."
          : "Welcome, \(fullName). You are signed in as \(strong: user.identifier)."
      ],
      details: [
        .init("Session", "\(session.id)"),
        .init("Status", Prose(statusWords)),
        .init("Ends", times.end(session.expiresAt)),
      ] + (session.organization.map { [.init("Organisation", Prose($0.name))] } ?? [])
        + (session.access.map { access($0, times) } ?? []),
      forms: [.signOut(weight: .primary)] + (session.access == nil ? [] : [tokenForm]),
      facts: facts,
      setting: Setting(identifier: user.identifier)
    )
  }

  private func access(_ access: Access, _ times: Times) -> [PageContent.Detail] {
    [
      .init("Permissions", Prose(access.scopes.map(Words.permission).joined(separator: ", "))),
      .init("Token ends", times.end(access.expiresAt)),
    ]
  }

  /// Always gets a new token, so that one can see what becomes of it.
  private var tokenForm: Form {
    Form(
      "get-token",
      action: .accountToken,
      fields: [
        FormField(
          .scopes,
          kind: .text,
          label: "Permissions to ask for (optional)",
          hint: "Separated by blanks. Left empty, the ones of the sign-in.",
          isRequired: false,
          value: scopes ?? session.access?.scopes.joined(separator: " "),
          isVerbatim: true
        ),
        FormField(
          .claims,
          kind: .text,
          label: "Claims to ask for (optional)",
          hint: "A JSON object, such as {\"access_token\": {\"acrs\": {\"value\": \"c2\"}}}.",
          isRequired: false,
          value: claims,
          isVerbatim: true
        ),
      ],
      button: "Get a token",
      weight: .quiet,
      purpose: "get-token"
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
    ] + (session.access.map(Self.facts(of:)) ?? [])
  }

  private static func facts(of access: Access) -> [JSONValue.Member] {
    [
      .init("scopes", .array(access.scopes.map(JSONValue.string))),
      .init("token_expires_at", .time(orNull: access.expiresAt)),
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
