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
  public var mayBeAboutErrors: Bool { true }

  public func content(in frame: PageFrame) -> PageContent {
    PageContent(
      heading: heading,
      outcome: outcome,
      lead: problem == nil ? [lead] : [],
      forms: waitingList,
      links: [mode == .waitlist ? .haveAccount : .signIn.at(.action)],
      concerns: problem.map { [.error(AuthError($0))] } ?? []
    )
  }

  private var outcome: PageContent.Outcome? {
    switch mode {
    case .open, .restricted: .halt
    // What the form says by itself; else why it is there.
    case .waitlist: problem == nil ? nil : .wait
    }
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
        button: .common(.actionJoinWaitingList)
      )
    ]
  }

  private var heading: Phrase {
    switch mode {
    case .open: .page(.signUpClosedHeading)
    case .restricted: .page(.signUpRestrictedHeading)
    case .waitlist: .page(.signUpWaitingListHeading)
    }
  }

  private var lead: Phrase {
    switch mode {
    case .open: .page(.signUpClosed)
    case .restricted: .page(.signUpRestricted)
    case .waitlist: .page(.signUpWaitingList)
    }
  }
}
