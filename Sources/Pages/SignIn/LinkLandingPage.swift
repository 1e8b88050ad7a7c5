public import AuthFlow

/// The page that a link in a message opens: `/sign-in/link` or `/sign-up/link`, with the link's
/// parameters.
///
/// Opening it has no effect, since mail scanners open every link; its button continues.
///
/// Rules: P-link.
public struct LinkLandingPage: Page {
  private let link: FollowedLink
  private let standing: LinkStanding
  private let isWaiting: Bool
  public let flow: FlowName?

  /// Shows whether the link can be used.
  ///
  /// - Parameters:
  ///   - link: The parameters in the address.
  ///   - standing: Whether the link can be used.
  ///   - flow: The flow that the link belongs to: a sign-in or a sign-up.
  ///   - isWaiting: Whether an attempt in this browser waits for a link.
  public init(link: FollowedLink, standing: LinkStanding, flow: FlowName, isWaiting: Bool) {
    self.link = link
    self.standing = standing
    self.flow = flow
    self.isWaiting = isWaiting
  }

  /// Why the link cannot be used; nil if it can.
  public var refusal: AuthError? {
    if case .refused(let error) = standing { error } else { nil }
  }

  public var address: Address? { place }
  public var step: String { "link" }
  public var fields: [Field] { [] }
  public var mayBeAboutErrors: Bool { true }

  public func content(in frame: PageFrame) -> PageContent {
    switch standing {
    case .ready:
      PageContent(
        heading: .page(
          flow == .signUp ? .linkLandingHeadingSignUp : .linkLandingHeadingSignIn
        ),
        lead: [
          .page(flow == .signUp ? .linkLandingLeadSignUp : .linkLandingLeadSignIn)
        ],
        forms: [
          Form(
            "continue",
            action: place,
            fields: link.parameters.map { .hidden(Field(named: $0.name), value: $0.value) },
            button: .common(.actionContinue)
          )
        ],
        // It may be refused again.
        links: frame.error == nil ? [] : [back]
      )
    case .verifiedElsewhere:
      PageContent(
        heading: .page(.linkLandingVerifiedHeading),
        outcome: .done,
        lead: [.page(.linkLandingVerified)],
        links: [start.at(.action)]
      )
    case .refused(let error):
      PageContent(
        heading: heading(of: error),
        outcome: .halt,
        links: [back.at(.action)],
        concerns: [.error(error)]
      )
    }
  }

  private var place: Address { flow == .signUp ? .signUpLink : .link }

  /// The link to the attempt that waits in this browser, or else to the start.
  private var back: Link {
    isWaiting
      ? Link("link", href: place.path, words: .common(.actionBack), purpose: "back") : start
  }

  private var start: Link {
    flow == .signUp
      ? Link(
        "sign-up",
        href: Address.signUp.path,
        words: .common(.actionBackToSignUp),
        purpose: "back"
      )
      : .signIn
  }

  private func heading(of error: AuthError) -> Phrase {
    for problem in error.problems {
      if problem.reason == .linkExpired { return .page(.linkLandingExpired) }
      if problem.reason == .linkUsed { return .page(.linkLandingUsed) }
      if problem.reason == .linkOtherBrowser { return .page(.linkLandingOtherBrowser) }
    }
    return .page(.linkLandingFailed)
  }
}
