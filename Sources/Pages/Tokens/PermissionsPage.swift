public import AuthFlow

/// `/permissions`: some of what was asked of other services was not granted.
///
/// Rules: P-scopes.
public struct PermissionsPage: Page {
  private let prompt: PermissionsPrompt

  public init(prompt: PermissionsPrompt) { self.prompt = prompt }

  public var address: Address? { .permissions }
  public var step: String { "permissions" }
  public var flow: FlowName? { .signIn }
  public var fields: [Field] { [] }

  /// What the form's hidden field says.
  public enum Choice: String, Sendable, CaseIterable {
    case goOn = "continue"
    case stop
  }

  public static let choiceField = Field(named: "choice")

  public func content(in frame: PageFrame) -> PageContent {
    PageContent(
      heading: "Some permissions were not granted",
      identity: prompt.session.user.identifier,
      lead: [
        prompt.granted.isEmpty
          ? "Nothing that was asked for was granted, so there is nothing to go on with."
          : "You can go on without what is missing. It is not asked for again by itself."
      ],
      details: [
        .init("Granted", list(prompt.granted)), .init("Not granted", list(prompt.declined)),
      ],
      forms: prompt.granted.isEmpty
        ? [form(.stop, .primary)] : [form(.goOn, .primary), form(.stop, .quiet)],
      facts: [
        .init("granted", .array(prompt.granted.map(JSONValue.string))),
        .init("declined", .array(prompt.declined.map(JSONValue.string))),
      ],
      setting: Setting(identifier: prompt.session.user.identifier)
    )
  }

  private func list(_ scopes: [String]) -> Prose {
    scopes.isEmpty ? "Nothing" : Prose(scopes.map(Words.permission).joined(separator: ", "))
  }

  private func form(_ choice: Choice, _ weight: Form.Weight) -> Form {
    Form(
      choice.rawValue,
      action: .permissions,
      fields: [.hidden(Self.choiceField, value: choice.rawValue)],
      button: choice == .goOn ? "Continue without them" : "Stop and sign out",
      weight: weight,
      purpose: weight == .primary ? nil : choice.rawValue
    )
  }
}

extension Words {
  /// A permission's own name, behind words for people where we know them.
  static func permission(_ scope: String) -> String {
    let friendly: [String: String] = [
      "openid": "sign you in", "profile": "see your name", "email": "see your e-mail address",
      "offline_access": "keep you signed in",
    ]
    return friendly[scope.lowercased()].map { "\($0) (\(scope))" } ?? scope
  }
}
