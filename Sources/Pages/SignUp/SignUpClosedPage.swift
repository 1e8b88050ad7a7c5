public import AuthFlow

/// `/sign-up` where nobody can sign up by themselves.
///
/// Rules: P-signup, state closed.
public struct SignUpClosedPage: Page {
  private let mode: SignUpForm.Mode
  private let error: AuthError?
  private let emailAddress: String?

  /// What the waiting list's form says by a hidden field: whoever sends it wants to be on the list,
  /// whatever is known of the instance by then.
  public static let waitingList = Field(named: "waiting_list")

  /// Tells why not.
  ///
  /// - Parameters:
  ///   - mode: How accounts are given instead.
  ///   - error: What the auth API said, where it was asked.
  ///   - emailAddress: What was typed for the waiting list.
  public init(mode: SignUpForm.Mode, error: AuthError?, emailAddress: String? = nil) {
    self.mode = mode
    self.error = error
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
      lead: error == nil ? [lead] : [],
      forms: forms,
      links: [mode == .waitlist ? .haveAccount : .signIn.at(.action)],
      concerns: error.map { [.error($0)] } ?? []
    )
  }

  private var outcome: PageContent.Outcome? {
    switch mode {
    case .open, .restricted: .halt
    // What the form says by itself; else why it is there.
    case .waitlist: error == nil ? nil : .wait
    }
  }

  /// Whoever waits gives an address and nothing else.
  private var forms: [Form] {
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
        fields: [.hidden(Self.waitingList, value: "1"), field],
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
