public import AuthFlow
public import Foundation

/// `/tasks/choose-organization`: asks for the organisation of the session.
///
/// Rules: P-org.
public struct OrganizationPage: Page {
  public enum Step: String, Sendable {
    case choose, create
  }

  /// The value that a form sends for the personal account.
  public static let personalAccount = "personal"

  private let options: OrganizationOptions?
  private let identifier: String
  private let chosen: String?
  private let values: [Field: String]
  private let asked: Step
  private let endsAt: Date?

  /// Asks for an organization.
  ///
  /// - Parameters:
  ///   - options: The choices; nil if they cannot be loaded at present.
  ///   - identifier: The identifier of the person.
  ///   - step: What the person is doing; with nothing to choose from, it is creating one.
  ///   - chosen: The organisation whose radio button is selected.
  ///   - values: The values typed for a new one.
  ///   - endsAt: When the session ends.
  public init(
    options: OrganizationOptions?,
    identifier: String,
    step: Step,
    chosen: String? = nil,
    values: [Field: String] = [:],
    endsAt: Date? = nil
  ) {
    self.options = options
    self.identifier = identifier
    asked = step
    self.chosen = chosen
    self.values = values
    self.endsAt = endsAt
  }

  public var address: Address? { .chooseOrganizationTask }
  public var step: String { due.rawValue }
  public var flow: FlowName? { .task }

  public var fields: [Field] {
    switch due {
    case .create: [.organizationName] + (options?.hasSlugs ?? false ? [.organizationSlug] : [])
    case .choose: choices.isEmpty ? [] : [.organization]
    }
  }

  private var due: Step {
    guard let options, options.mayCreate else { return .choose }
    return options.isEmpty ? .create : asked
  }

  private var isDeadEnd: Bool { options.map { $0.isEmpty && !$0.mayCreate } ?? false }

  public func content(in frame: PageFrame) -> PageContent {
    let main = mainForms
    return PageContent(
      heading: heading,
      identity: identifier,
      lead: lead,
      details: waiting,
      forms: main + [.signOut(weight: main.isEmpty ? .primary : .quiet)],
      links: links,
      facts: facts,
      endsAt: endsAt,
      setting: Setting(identifier: identifier, values: values)
    )
  }

  private var heading: Phrase {
    if isDeadEnd { return .page(.organizationHeadingNeeded) }
    return switch due {
    case .choose: .page(.organizationHeadingChoose)
    case .create: .page(.organizationHeadingCreate)
    }
  }

  private var lead: [Phrase] {
    guard isDeadEnd else { return [] }
    return [.page(.organizationNeeded)]
  }

  private var mainForms: [Form] {
    switch due {
    case .create: [creating]
    case .choose: (choices.isEmpty ? [] : [choosing]) + joining + asking
    }
  }

  // MARK: Choosing

  private var choices: [FormField.Choice] {
    guard let options else { return [] }
    let organizations = options.memberships.map { membership in
      FormField.Choice(
        membership.organization.id,
        label: Self.words(for: membership)
      )
    }
    return organizations
      + (options.offersPersonalAccount
        ? [FormField.Choice(Self.personalAccount, label: .page(.organizationPersonalAccount))] : [])
  }

  private static func words(for membership: OrganizationOptions.Membership) -> Phrase {
    let name = membership.organization.name
    return membership.role.map { role in
      .page(.organizationMembership, ["organization": .text(name), "role": .text(role)])
    } ?? .verbatim(name)
  }

  private var choosing: Form {
    Form(
      Address.chooseOrganizationTask.lastPart,
      action: .chooseOrganizationTask,
      fields: [
        FormField(
          .organization,
          kind: .radio,
          label: .field(.fieldLabelOrganizations),
          value: chosen,
          choices: choices
        )
      ],
      button: .common(.actionContinue)
    )
  }

  private var joining: [Form] {
    (options?.invitations ?? []).enumerated().map { index, invitation in
      Form(
        Self.name("join", index),
        action: .chooseOrganizationTask,
        fields: [.hidden(.invitation, value: invitation.id)],
        button: .page(
          .organizationJoin,
          ["organization": .text(invitation.organizationName)]
        ),
        weight: .choice
      )
    }
  }

  private var asking: [Form] {
    (options?.suggestions ?? []).filter { !$0.isRequested }.enumerated().map { index, suggestion in
      Form(
        Self.name("ask-to-join", index),
        action: .chooseOrganizationTask,
        fields: [.hidden(.suggestion, value: suggestion.id)],
        button: .page(
          .organizationAsk,
          ["organization": .text(suggestion.organizationName)]
        ),
        weight: .choice
      )
    }
  }

  private var waiting: [PageContent.Detail] {
    guard due == .choose else { return [] }
    return (options?.suggestions ?? []).filter(\.isRequested).map {
      PageContent.Detail(.verbatim($0.organizationName), .page(.organizationWaiting))
    }
  }

  /// A second form of a kind ends in `-2`.
  private static func name(_ kind: String, _ index: Int) -> String {
    index == 0 ? kind : "\(kind)-\(index + 1)"
  }

  // MARK: Creating

  private var creating: Form {
    Form(
      "create-organization",
      action: .chooseOrganizationTask,
      fields: [
        FormField(
          .organizationName,
          kind: .text,
          label: .field(.fieldLabelOrganizationName),
          autocomplete: "organization",
          value: values[.organizationName]
        )
      ] + (options?.hasSlugs ?? false ? [slug] : []),
      button: .page(.organizationCreate)
    )
  }

  private var slug: FormField {
    FormField(
      .organizationSlug,
      kind: .text,
      label: .field(.fieldLabelOrganizationSlug),
      hint: .field(.fieldHintOrganizationSlug),
      autocomplete: "off",
      isRequired: false,
      value: values[.organizationSlug],
      isVerbatim: true
    )
  }

  private var links: [Link] {
    switch due {
    case .create: options?.isEmpty ?? true ? [] : [.back(to: .chooseOrganizationTask)]
    case .choose:
      options?.mayCreate ?? false
        ? [
          Link(
            "create",
            href: "\(Address.chooseOrganizationTask.path)?create",
            words: .page(.organizationCreateLink),
            purpose: "alternative"
          )
        ]
        : [
          Link(
            "check",
            href: Address.chooseOrganizationTask.path,
            words: .common(.actionCheckAgain)
          )
        ]
    }
  }

  // MARK: Facts

  private var facts: [JSONValue.Member] {
    guard let options else { return [] }
    return [
      .init("organizations", .array(options.memberships.map(Self.json))),
      .init("invitations", .array(options.invitations.map(Self.json))),
      .init("suggestions", .array(options.suggestions.map(Self.json))),
      .init("may_create", .bool(options.mayCreate)),
      .init("personal_account", .bool(options.offersPersonalAccount)),
    ]
  }

  private static func json(_ membership: OrganizationOptions.Membership) -> JSONValue {
    .object([
      .init("id", .string(membership.organization.id)),
      .init("name", .string(membership.organization.name)),
      .init("slug", .string(orNull: membership.organization.slug)),
      .init("role", .string(orNull: membership.role)),
    ])
  }

  private static func json(_ invitation: OrganizationOptions.Invitation) -> JSONValue {
    .object([
      .init("id", .string(invitation.id)), .init("name", .string(invitation.organizationName)),
    ])
  }

  private static func json(_ suggestion: OrganizationOptions.Suggestion) -> JSONValue {
    .object([
      .init("id", .string(suggestion.id)), .init("name", .string(suggestion.organizationName)),
      .init("status", .string(suggestion.isRequested ? "requested" : "offered")),
    ])
  }
}

extension Field {
  /// The invitation that is accepted.
  public static let invitation = Field(named: "invitation_id")
  /// The suggested organisation to ask for membership.
  public static let suggestion = Field(named: "suggestion_id")
}
