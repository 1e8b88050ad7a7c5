public import AuthFlow

/// `/` and `/account`: who is signed in.
///
/// Rules: P-signedin.
public struct AccountPage: Page {
  private let session: Session
  private let provenFactors: [Factor.Kind]
  let sessions: SessionOverview
  private let home: String?
  private let scopes: String?
  private let claims: String?

  /// Shows who is signed in.
  ///
  /// - Parameters:
  ///   - session: Their session.
  ///   - provenFactors: The factors they signed in with, in order; empty if unknown.
  ///   - sessions: All sessions of the person.
  ///   - home: The address of the application; nil if none is configured.
  ///   - scopes: The scopes typed for a token.
  ///   - claims: The claims typed for a token.
  public init(
    session: Session,
    provenFactors: [Factor.Kind] = [],
    sessions: SessionOverview = .unavailable,
    home: String? = nil,
    scopes: String? = nil,
    claims: String? = nil
  ) {
    self.session = session
    self.provenFactors = provenFactors
    self.sessions = sessions
    self.home = home
    self.scopes = scopes
    self.claims = claims
  }

  public var address: Address? { .account }
  public var step: String { "signed-in" }
  public var flow: FlowName? { .session }
  public var fields: [Field] { session.access == nil ? [] : [.scopes, .claims] }

  public func content(in frame: PageFrame) -> PageContent {
    PageContent(
      heading: .page(.accountHeading),
      // The notice already names the person.
      lead: frame.notices.contains(.alreadySignedIn) ? [] : [welcome],
      details: methods + [
        .init(.page(.accountStatus), statusWords),
        .init(.page(.accountEnds), .moment(session.expiresAt, .end)),
      ]
        + (session.organization.map { [.init(.page(.accountOrganization), .verbatim($0.name))] }
          ?? [])
        + (session.access.map(access) ?? []),
      supportDetails: [.init(.page(.accountSession), .verbatim(session.id))],
      sessions: sessionList,
      forms: [.signOut(weight: .primary)] + endings + (session.access == nil ? [] : [tokenForm]),
      links: links(in: frame),
      facts: facts + sessionFacts,
      setting: Setting(identifier: session.user.identifier)
    )
  }

  private var welcome: Phrase {
    let user = session.user
    let fullName = [user.firstName, user.lastName].compactMap(\.self).joined(separator: " ")
    return fullName.isEmpty
      ? .page(.accountLead, ["identifier": .strong(user.identifier)])
      : .page(
        .accountWelcome,
        ["name": .text(fullName), "identifier": .strong(user.identifier)]
      )
  }

  /// What was used to get in.
  private var methods: [PageContent.Detail] {
    provenFactors.isEmpty
      ? []
      : [
        .init(
          .page(.accountSignedInWith),
          .label(.list(provenFactors.map(Words.name(ofProven:)), .comma))
        )
      ]
  }

  /// Links to go on with, so that the page is not a dead end.
  private func links(in frame: PageFrame) -> [Link] {
    [home.flatMap { .application($0, called: frame.applicationName) }].compactMap(\.self)
      + sessionLinks + (frame.emulation?.inboxPath.map { [.inbox(at: $0), .workbench] } ?? [])
  }

  private func access(_ access: Access) -> [PageContent.Detail] {
    [
      .init(
        .page(.accountPermissions),
        .list(access.scopes.map(Words.permission), .comma)
      ),
      .init(.page(.accountTokenEnds), .moment(access.expiresAt, .end)),
    ]
  }

  /// Always requests a new token, so that its effect can be seen.
  private var tokenForm: Form {
    Form(
      "get-token",
      action: .accountToken,
      fields: [
        FormField(
          .scopes,
          kind: .text,
          label: .field(.fieldLabelPermissions),
          hint: .field(.fieldHintPermissions),
          isRequired: false,
          value: scopes ?? session.access?.scopes.joined(separator: " "),
          isVerbatim: true
        ),
        FormField(
          .claims,
          kind: .text,
          label: .field(.fieldLabelClaims),
          hint: .field(.fieldHintClaims, ["example": .text(Self.claimsExample)]),
          isRequired: false,
          value: claims,
          isVerbatim: true
        ),
      ],
      button: .page(.accountGetToken),
      weight: .quiet,
      purpose: "get-token"
    )
  }

  private static let claimsExample = #"{"access_token": {"acrs": {"value": "c2"}}}"#

  private var statusWords: Phrase {
    switch session.status {
    case .active: .page(.accountStatusActive)
    case .pending: .page(.accountStatusPending)
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
      .init("factors", .array(provenFactors.map { .string($0.rawValue) })),
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
