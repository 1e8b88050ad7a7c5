public import AuthFlow

/// `/sign-in`: asks for the identifier and, if the instance asks for both at once, the password.
///
/// Rules: P-signin.
public struct SignInPage: Page {
  private let instance: InstanceDescription
  public var typedText: TypedText?
  private let hasAttempt: Bool

  /// Asks who is signing in.
  ///
  /// - Parameters:
  ///   - instance: Which identifiers the instance accepts, and whether it asks for the password at
  ///     once.
  ///   - identifier: The identifier that was typed or is prefilled.
  ///   - hasAttempt: Whether an attempt already offers other methods.
  public init(instance: InstanceDescription, identifier: String?, hasAttempt: Bool) {
    self.instance = instance
    typedText = identifier.map(TypedText.init)
    self.hasAttempt = hasAttempt
  }

  public var address: Address? { .signIn }
  public var step: String { "identifier" }
  public var flow: FlowName? { .signIn }
  public var fields: [Field] { asksForPassword ? [.identifier, .password] : [.identifier] }

  public func content(in frame: PageFrame) -> PageContent {
    let identifierField = FormField.identifier(instance.signInIdentifiers, typed: typedText)
    return PageContent(
      heading: .page(.signInHeading),
      forms: [
        Form(
          "sign-in",
          action: .signIn,
          fields: asksForPassword ? [identifierField, .currentPassword] : [identifierField],
          button: .common(asksForPassword ? .actionSignIn : .actionContinue)
        )
      ],
      links: links,
      setting: Setting(
        identifiers: instance.signInIdentifiers,
        typed: typedText,
        offersOtherMethods: hasAttempt,
        offersSignUp: instance.signUp.mode == .open
      )
    )
  }

  private var asksForPassword: Bool {
    switch instance.signInForm {
    case .identifierAndPassword: true
    case .identifierFirst: false
    }
  }

  private var links: [Link] {
    let methods = hasAttempt ? [Link.methods(at: .methods)] : []
    let signUp: [Link] =
      switch instance.signUp.mode {
      case .open:
        [
          .signUp(words: .page(.signInCreateOne), carrying: typedText).at(
            .foot(.page(.signInNoAccount))
          )
        ]
      case .closed(.waitlist):
        [.signUp(words: .common(.actionJoinWaitingList)).at(.foot(.page(.signInNoAccount)))]
      case .closed(.restricted): []
      }
    let forgot = asksForPassword ? Link.forgotPasswordBeside : .forgotPassword
    return (instance.offersPasswordReset ? [forgot] : []) + methods + signUp
  }
}
