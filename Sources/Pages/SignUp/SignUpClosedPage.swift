public import AuthFlow

/// `/sign-up` where nobody can sign up by themselves.
///
/// Rules: P-signup, state closed.
public struct SignUpClosedPage: Page {
  private let closure: SignUpForm.Closure
  private let error: AuthError?
  private let emailAddress: String?

  /// What the waiting list's form says by a hidden field: whoever sends it wants to be on the list,
  /// whatever is known of the instance by then.
  public static let waitingList = Field(named: "waiting_list")

  /// Tells why not.
  ///
  /// - Parameters:
  ///   - closure: How accounts are given instead.
  ///   - error: What the auth API said, where it was asked.
  ///   - emailAddress: What was typed for the waiting list.
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
      forms: forms,
      links: [closure == .waitlist ? .haveAccount() : .signIn.at(.action)],
      concerns: error.map { [.error($0)] } ?? []
    )
  }

  private var outcome: PageContent.Outcome? {
    switch closure {
    case .restricted: .halt
    // What the form says by itself; else why it is there.
    case .waitlist: error == nil ? nil : .wait
    }
  }

  /// Whoever waits gives an address and nothing else.
  private var forms: [Form] {
    guard closure == .waitlist else { return [] }
    let field = FormField.detail(
      SignUpForm.Entry(.emailAddress, isRequired: true),
      value: emailAddress,
      isTicked: false,
      rules: InstanceDescription.unknown.passwordRules,
      emailIsLogin: false
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
