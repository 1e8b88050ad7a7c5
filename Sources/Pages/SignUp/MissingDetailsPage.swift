public import AuthFlow

/// `/sign-up/continue`: what the auth API still wants to know.
///
/// Rules: P-profile.
public struct MissingDetailsPage: Page {
  private let prompt: MissingDetailsPrompt
  private let rules: PasswordRules
  private let documents: [LegalDocument]
  private let values: [Field: String]
  private let acceptsTerms: Bool

  public init(
    prompt: MissingDetailsPrompt,
    rules: PasswordRules,
    documents: [LegalDocument] = [],
    values: [Field: String],
    acceptsTerms: Bool = false
  ) {
    self.prompt = prompt
    self.rules = rules
    self.documents = documents
    self.values = values
    self.acceptsTerms = acceptsTerms
  }

  public var address: Address? { .missingDetails }
  public var step: String { "details" }
  public var flow: FlowName? { .signUp }
  public var fields: [Field] { prompt.fields }

  public func content(in frame: PageFrame) -> PageContent {
    PageContent(
      heading: .page(.signUpDetailsHeading),
      details: known,
      forms: [
        Form(
          Address.missingDetails.lastPart,
          action: .missingDetails,
          fields: usernameHelper
            + prompt.entries.map { entry in
              .detail(
                entry,
                value: values[entry.field],
                isTicked: acceptsTerms,
                rules: rules,
                documents: frame.documents(orElse: documents),
                emailIsLogin: !prompt.fields.contains(.username),
                in: frame
              )
            },
          button: .common(.actionContinue)
        ),
        .restart(.signUp, button: .common(.actionStartAgain)),
      ],
      endsAt: prompt.attempt.endsAt,
      setting: Setting(
        values: prompt.attempt.values.merging(values) { $1 },
        of: prompt.entries,
        in: frame
      )
    )
  }

  /// For password managers, if a password is asked for and its identifier was given before.
  private var usernameHelper: [FormField] {
    let names: [Field] = [.username, .emailAddress, .phoneNumber]
    guard prompt.fields.contains(.password), !names.contains(where: prompt.fields.contains),
      let name = names.lazy.compactMap({ prompt.attempt.values[$0] }).first
    else { return [] }
    return [.usernameHelper(name)]
  }

  /// What was given already, as text, in the order that people expect.
  private var known: [PageContent.Detail] {
    let order: [Field] = [.firstName, .lastName, .username, .emailAddress, .phoneNumber]
    return order.filter { !prompt.fields.contains($0) }.compactMap { field in
      prompt.attempt.values[field].map { value in
        .init(.label(Words.name(of: field, in: Setting())), .verbatim(value))
      }
    }
  }
}
