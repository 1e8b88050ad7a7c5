public import AuthFlow

/// `/sign-up` where nobody can sign up by themselves.
///
/// Rules: P-signup, state closed.
public struct SignUpClosedPage: Page {
  private let mode: SignUpForm.Mode
  private let problem: Problem?
  private let emailAddress: String?

  /// Tells why not.
  ///
  /// - Parameters:
  ///   - mode: How accounts are given instead.
  ///   - problem: What the auth API said, where it was asked.
  ///   - emailAddress: What was typed for the waiting list.
  public init(mode: SignUpForm.Mode, problem: Problem?, emailAddress: String? = nil) {
    self.mode = mode
    self.problem = problem
    self.emailAddress = emailAddress
  }

  public var address: Address? { .signUp }
  public var step: String { "closed" }
  public var flow: FlowName? { .signUp }
  public var fields: [Field] { mode == .waitlist ? [.emailAddress] : [] }

  public func content(in frame: PageFrame) -> PageContent {
    PageContent(
      heading: heading,
      outcome: mode == .waitlist ? nil : .halt,
      lead: problem == nil ? [lead] : [],
      forms: waitingList,
      links: [.haveAccount],
      concerns: problem.map { [.error(AuthError($0))] } ?? []
    )
  }

  /// Whoever waits gives an address and nothing else.
  private var waitingList: [Form] {
    guard mode == .waitlist else { return [] }
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
        fields: [field],
        button: "Join the waiting list"
      )
    ]
  }

  private var heading: String {
    switch mode {
    case .open: "This account cannot be created"
    case .restricted: "Sign-up is by invitation only"
    case .waitlist: "Sign-up has a waiting list"
    }
  }

  private var lead: Prose {
    switch mode {
    case .open: "Contact support to have an account made."
    case .restricted: "New accounts are by invitation only. Contact support to be invited."
    case .waitlist:
      "New accounts are given from a waiting list. Leave your address, and we will write to you."
    }
  }
}
