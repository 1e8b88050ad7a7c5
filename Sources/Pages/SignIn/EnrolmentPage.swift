public import AuthFlow

/// `/sign-in/enrolment`: asks for a contact to register as a strong method; a `CodePage` asks for
/// its code.
///
/// Rules: P-enrolment.
public struct EnrolmentPage: Page {
  private let prompt: EnrolmentPrompt
  private let method: String?
  private let contact: String?

  /// Asks for a contact.
  ///
  /// - Parameters:
  ///   - prompt: The methods that can be registered.
  ///   - method: The name of the method chosen before.
  ///   - contact: The contact typed before.
  public init(prompt: EnrolmentPrompt, method: String? = nil, contact: String? = nil) {
    self.prompt = prompt
    self.method = method
    self.contact = contact
  }

  public var address: Address? { .enrolment }
  public var step: String { "contact" }
  public var flow: FlowName? { .signIn }
  public var fields: [Field] { [.secondFactorMethod, .contact] }

  public func content(in frame: PageFrame) -> PageContent {
    PageContent(
      heading: .page(.enrolmentHeading),
      identity: prompt.attempt.identifier.text,
      lead: [.page(.enrolmentLead)],
      forms: [
        Form(
          Address.enrolment.lastPart,
          action: .enrolment,
          fields: [methods, contactField],
          button: .common(.actionContinue)
        ),
        .restart(.signIn),
      ],
      endsAt: prompt.attempt.endsAt,
      setting: Setting(
        identifier: prompt.attempt.identifier.text,
        values: contact.map { [.contact: $0] } ?? [:],
        offersOtherMethods: prompt.methods.count > 1,
        contact: contactKind
      )
    )
  }

  /// The name of the method that was chosen, or else of the first; nil where what was chosen is none of them.
  private var chosen: String? {
    guard let method else { return prompt.choices.first?.name }
    return prompt.choices.first { $0.name == method }?.name
  }

  private var contactKind: Identifier.Kind? {
    prompt.choices.first { $0.name == chosen }
      .map { $0.factor.kind == .phoneCode ? .phoneNumber : .emailAddress }
  }

  private var methods: FormField {
    FormField(
      .secondFactorMethod,
      kind: .radio,
      label: .field(.fieldLabelContactMethod),
      value: chosen,
      choices: prompt.choices.map { choice in
        FormField.Choice(choice.name, label: Words.enrolment(of: choice.factor.kind))
      }
    )
  }

  private var contactField: FormField {
    let kinds = Set(prompt.methods.map(\.kind))
    return FormField(
      .contact,
      kind: kinds == [.emailCode] ? .email : kinds == [.phoneCode] ? .tel : .text,
      label: Words.enrolmentContact(of: kinds),
      hint: kinds.contains(.phoneCode)
        ? .field(.fieldHintContact, Words.phoneExample) : nil,
      autocomplete: kinds == [.emailCode] ? "email" : kinds == [.phoneCode] ? "tel" : "on",
      value: contact ?? suggestion,
      isVerbatim: true
    )
  }

  /// A contact that is known already; one that is masked would only be in the way.
  private var suggestion: String? {
    prompt.methods.compactMap(\.destination).first { !$0.contains("*") && !$0.contains("•") }
  }
}

extension Words {
  fileprivate static func enrolment(of kind: Factor.Kind) -> Phrase {
    .page(kind == .phoneCode ? .enrolmentByPhone : .enrolmentByEmail)
  }

  fileprivate static func enrolmentContact(of kinds: Set<Factor.Kind>) -> Phrase {
    switch kinds {
    case [.phoneCode]: .field(.fieldLabelContactPhone)
    case [.emailCode]: .field(.fieldLabelContactEmail)
    default: .field(.fieldLabelContactEither)
    }
  }
}
