public import AuthFlow

/// `/forgot-password`: whose password is to be reset.
///
/// Rules: P-forgot.
public struct ForgotPasswordPage: Page {
  private let instance: InstanceDescription
  public var typedText: TypedText?
  private let mustChange: Bool

  /// The hidden field of a form for a password that was not forgotten but has to change: the page
  /// keeps saying so after a refusal.
  public static let change = Field(named: "change")

  /// - Parameters:
  ///   - instance: Which identifiers may be typed.
  ///   - identifier: The identifier that was typed before.
  ///   - mustChange: Whether the form that is shown again said that the password has to change.
  public init(instance: InstanceDescription, identifier: String?, mustChange: Bool = false) {
    self.instance = instance
    typedText = identifier.map(TypedText.init)
    self.mustChange = mustChange
  }

  public var address: Address? { .forgotPassword }
  public var step: String { "identifier" }
  public var flow: FlowName? { .passwordReset }
  public var fields: [Field] { [.identifier] }

  public func content(in frame: PageFrame) -> PageContent {
    var field = FormField.identifier(instance.signInIdentifiers, typed: typedText)
    field.hint = .field(.fieldHintResetIdentifier)
    let mustChange = mustChange || isToldToChange(in: frame)
    return PageContent(
      heading: .page(mustChange ? .resetHeadingChange : .resetHeading),
      lead: [.page(.resetLead)],
      forms: [
        Form(
          "forgot-password",
          action: .forgotPassword,
          fields: (mustChange ? [.hidden(Self.change, value: "1")] : []) + [field],
          button: .page(.resetSendCode)
        )
      ],
      links: [.signIn],
      setting: Setting(
        identifiers: instance.signInIdentifiers,
        typed: typedText,
        offersSignUp: instance.signUp.mode == .open,
        resetsPassword: true
      )
    )
  }

  /// Whether the auth API has just said that it wants another one.
  private func isToldToChange(in frame: PageFrame) -> Bool {
    frame.error?.contains { $0 == .passwordResetRequired } ?? false
  }
}
