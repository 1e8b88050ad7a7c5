public import AuthFlow

/// `/sign-up` of an instance where people cannot sign up by themselves.
///
/// Rules: P-signup, state closed.
public struct SignUpClosedPage: Page {
  private let closure: SignUpForm.Closure
  private let error: AuthError?
  private let emailAddress: String?

  /// The hidden field of the waiting list's form: it marks a wish to join, even if the instance's
  /// settings are unknown when it is posted.
  public static let waitingList = Field(named: "waiting_list")

  /// Creates the page that says so.
  ///
  /// - Parameters:
  ///   - closure: How people get accounts instead.
  ///   - error: The auth API's refusal, if it was asked.
  ///   - emailAddress: The address typed for the waiting list.
  public init(_ closure: SignUpForm.Closure, error: AuthError?, emailAddress: String? = nil) {
    self.closure = closure
    self.error = error
    self.emailAddress = emailAddress
  }

  public var address: Address? { .signUp }
  public var step: String { "closed" }
  public var flow: FlowName? { .signUp }
  public var fields: [Field] { closure == .waitlist ? [.emailAddress] : [] }
  public var mayBeAboutErrors: Bool { true }

  public func content(in frame: PageFrame) -> PageContent {
    PageContent(
      heading: heading,
      outcome: outcome,
      lead: error == nil ? [lead] : [],
      forms: forms(in: frame),
      links: [closure == .waitlist ? .haveAccount() : .signIn.at(.action)],
      concerns: error.map { [.error($0)] } ?? []
    )
  }

  private var outcome: PageContent.Outcome? {
    switch closure {
    case .restricted: .halt
    // The form speaks for itself; after an error, the sign shows why it is there.
    case .waitlist: error == nil ? nil : .wait
    }
  }

  /// The form of the waiting list, which asks for an email address only.
  private func forms(in frame: PageFrame) -> [Form] {
    guard closure == .waitlist else { return [] }
    let field = FormField.detail(
      SignUpForm.Entry(.emailAddress, isRequired: true),
      value: emailAddress,
      isTicked: false,
      rules: InstanceDescription.unknown.passwordRules,
      emailIsLogin: false,
      in: frame
    )
    return [
      Form(
        "waiting-list",
        action: .signUp,
        fields: [.hidden(Self.waitingList, value: "1"), field],
        button: .common(.actionJoinWaitingList)
      )
    ]
  }

  private var heading: Phrase {
    switch closure {
    case .restricted: .page(.signUpRestrictedHeading)
    case .waitlist: .page(.signUpWaitingListHeading)
    }
  }

  private var lead: Phrase {
    switch closure {
    case .restricted: .page(.signUpRestricted)
    case .waitlist: .page(.signUpWaitingList)
    }
  }
}
