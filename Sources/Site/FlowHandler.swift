internal import AuthFlow
internal import Foundation
internal import Pages

/// Answers for the pages and forms of one flow.
///
/// Asking and showing are apart: `load` and `submit` may ask the auth API, `scene` and `page` never
/// do, so that a forged form, one that is throttled and one that is refused are all answered by the
/// page that they came from without a call.
protocol FlowHandler: Sendable {
  /// What a page of this flow is made of.
  associatedtype Scene: Sendable

  /// Whether the address itself says something to which the page is open wherever the visit stands.
  func isEntryPoint(_ context: RequestContext) -> Bool

  /// Learns what the page needs that is opened.
  ///
  /// - Throws: `AuthError` where the auth API refuses or does not answer: the page is shown as far
  ///   as it is known.
  func load(_ context: inout RequestContext) async throws(AuthError) -> FlowResult<Scene>

  /// The page as far as it is known without asking; nil where it is not due.
  func scene(_ context: RequestContext) -> Scene?

  /// The same after a refusal, which may call for another page at the same address.
  func scene(_ context: RequestContext, refusedBy error: AuthError) -> Scene?

  func page(_ scene: Scene, typed: TypedValues) -> any Page

  /// The HTTP status of that page where nothing was refused.
  func status(of scene: Scene, at now: Date) -> Int

  /// Does what a form asks for; it is genuine, and its page is due.
  func submit(_ context: inout RequestContext) async -> FlowResult<Scene>
}

extension FlowHandler {
  func isEntryPoint(_ context: RequestContext) -> Bool { false }

  /// Most pages need no more than is known.
  func load(_ context: inout RequestContext) async throws(AuthError) -> FlowResult<Scene> {
    scene(context).map(FlowResult.show) ?? .misplaced
  }

  func scene(_ context: RequestContext, refusedBy error: AuthError) -> Scene? { scene(context) }

  func status(of scene: Scene, at now: Date) -> Int { 200 }
}

extension Address {
  /// Who answers there.
  var handler: any FlowHandler { part.handler }
}

extension Address.Part {
  /// The site's table of contents.
  fileprivate var handler: any FlowHandler {
    switch self {
    case .signIn: SignInHandler()
    case .signInLink, .signUpLink: EmailLinkHandler()
    case .signUp: SignUpHandler()
    case .passwordReset: PasswordResetHandler()
    case .resetPasswordTask: ResetPasswordTaskHandler()
    case .chooseOrganizationTask: ChooseOrganizationTaskHandler()
    case .setUpSecondFactorTask: SetUpSecondFactorTaskHandler()
    case .account: AccountHandler()
    case .signOut: SignOutHandler()
    case .standstill: StandstillHandler()
    }
  }
}
