public import AuthFlow

/// `/permissions`: some of the requested permissions for other services were not granted.
///
/// Rules: P-scopes.
public struct PermissionsPage: Page {
  private let prompt: PermissionsPrompt

  public init(prompt: PermissionsPrompt) { self.prompt = prompt }

  public var address: Address? { .permissions }
  public var step: String { "permissions" }
  public var flow: FlowName? { .signIn }
  public var fields: [Field] { [] }

  /// The value of the form's hidden field.
  public enum Choice: String, Sendable, CaseIterable {
    case goOn = "continue"
    case stop
  }

  public static let choiceField = Field(named: "choice")

  public func content(in frame: PageFrame) -> PageContent {
    PageContent(
      heading: .page(.permissionsHeading),
      identity: prompt.session.user.identifier,
      lead: [
        .page(prompt.granted.isEmpty && !isAboutMore ? .permissionsNone : .permissionsSome)
      ],
      details: [
        .init(.page(.permissionsGranted), list(prompt.granted)),
        .init(.page(.permissionsDeclined), list(prompt.declined)),
      ],
      forms: forms,
      links: isAboutMore ? [prompt.granted.isEmpty ? .account.at(.action) : .account] : [],
      facts: [
        .init("granted", .array(prompt.granted.map(JSONValue.string))),
        .init("declined", .array(prompt.declined.map(JSONValue.string))),
      ],
      setting: Setting(identifier: prompt.session.user.identifier)
    )
  }

  /// Whether a signed-in person asked for further permissions: they keep what they had, whatever is
  /// granted now.
  private var isAboutMore: Bool { prompt.session.access?.declined.isEmpty ?? false }

  private var forms: [Form] {
    if prompt.granted.isEmpty { return [form(.stop, isAboutMore ? .quiet : .primary)] }
    return [form(.goOn, .primary), form(.stop, .quiet)]
  }

  private func list(_ scopes: [String]) -> Phrase {
    scopes.isEmpty ? .page(.permissionsNothing) : .list(scopes.map(Words.permission), .comma)
  }

  private func form(_ choice: Choice, _ weight: Form.Weight) -> Form {
    Form(
      choice.rawValue,
      action: .permissions,
      fields: [.hidden(Self.choiceField, value: choice.rawValue)],
      button: .page(choice == .goOn ? .permissionsGoOn : .permissionsStop),
      weight: weight,
      purpose: weight == .primary ? nil : choice.rawValue
    )
  }
}

extension Words {
  /// The name of a permission, after an explanation if there is one.
  static func permission(_ scope: String) -> Phrase {
    let known: [String: PagePhrase] = [
      "openid": .permissionOpenid, "profile": .permissionProfile, "email": .permissionEmail,
      "offline_access": .permissionOfflineAccess,
    ]
    return known[scope.lowercased()].map { meaning in
      .page(.permissionNamed, ["meaning": .phrase(.page(meaning)), "name": .text(scope)])
    } ?? .verbatim(scope)
  }
}
