public import AuthFlow

/// `/forgot-password`: whose password is to be reset.
///
/// Rules: P-forgot.
public struct ForgotPasswordPage: Page {
  private let instance: InstanceDescription
  private let identifier: String?

  public init(instance: InstanceDescription, identifier: String?) {
    self.instance = instance
    self.identifier = identifier
  }

  public var address: Address? { .forgotPassword }
  public var step: String { "identifier" }
  public var flow: FlowName? { .passwordReset }
  public var fields: [Field] { [.identifier] }

  public func content(in frame: PageFrame) -> PageContent {
    var field = FormField.identifier(instance.signInIdentifiers, value: identifier)
    field.hint = "We will send a code."
    return PageContent(
      heading: mustChange(in: frame) ? "Change your password" : "Forgot your password",
      lead: ["Tell us who you are, and set a new one with a code."],
      forms: [
        Form(
          "forgot-password",
          action: .forgotPassword,
          fields: [field],
          button: "Send code"
        )
      ],
      links: [.signIn],
      setting: Setting(
        identifiers: instance.signInIdentifiers,
        identifier: identifier,
        offersSignUp: instance.signUp.mode == .open,
        resetsPassword: true
      )
    )
  }

  /// Whether it was not forgotten: the auth API wants another one.
  private func mustChange(in frame: PageFrame) -> Bool {
    frame.error?.contains { $0 == .passwordResetRequired } ?? false
  }
}
