public import AuthFlow

/// A refusal without a page of its own.
///
/// Rules: P-errors.
public struct ErrorPage: Page {
  /// The HTTP status code of the answer.
  public let status: Int
  private let refusal: SiteRefusal
  private let retry: Address
  private let origin: String?

  /// Creates the page of a refusal.
  ///
  /// - Parameters:
  ///   - status: The HTTP status code of the answer.
  ///   - refusal: The refusal that the page is about.
  ///   - retry: Where to try again or go on, if that can help.
  ///   - origin: The origin that does serve pages, if the requested host name has none; nil if it
  ///     must not be disclosed.
  public init(
    status: Int,
    refusal: SiteRefusal,
    retry: Address = .signIn,
    origin: String? = nil
  ) {
    self.status = status
    self.refusal = refusal
    self.retry = retry
    self.origin = origin
  }

  public static let templateName = "error"

  public var address: Address? { nil }
  public var step: String { String(status) }
  public var flow: FlowName? { nil }
  public var fields: [Field] { [] }
  public var mayBeAboutErrors: Bool { true }

  public func content(in frame: PageFrame) -> PageContent {
    PageContent(
      heading: refusal.heading,
      outcome: refusal.outcome,
      links: links,
      concerns: [.refusal(refusal)],
      isErrorItself: true
    )
  }

  private var links: [Link] {
    if refusal.passes { return [again] }
    if refusal.isOfTheName { return origin.map { [Self.signIn(at: $0)] } ?? [] }
    // Somebody opened the address of a form, which browsers show when the form was refused.
    guard refusal == .methodNotAllowed, retry != .signIn else { return Self.starts }
    let page = Link("continue", href: retry.path, words: .common(.actionContinue), place: .action)
    return [page] + Self.starts.map { $0.at(.below) }
  }

  private var again: Link {
    Link("try-again", href: retry.path, words: .common(.actionTryAgain), place: .action)
  }

  private static func signIn(at origin: String = "") -> Link {
    Link(
      "sign-in",
      href: "\(origin)\(Address.signIn.path)",
      words: .common(.actionSignIn),
      place: .action
    )
  }

  private static let starts: [Link] = [
    Self.signIn(),
    .signUp(words: .common(.actionCreateAccount)),
    .forgotPassword,
  ]
}
