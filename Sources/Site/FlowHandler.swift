internal import AuthFlow
internal import Foundation
internal import Pages

/// Handles the pages and forms of one flow.
///
/// `load` and `submit` may ask the auth API; `scene` and `page` never do. So a forged, a throttled
/// and a refused form are all answered with the page that they came from, without a call.
protocol FlowHandler: Sendable {
  /// What a page of this flow is made of.
  associatedtype Scene: Sendable

  /// Whether the request itself opens the page, whatever the state of the visit, as a followed link
  /// does.
  func isEntryPoint(_ context: RequestContext) -> Bool

  /// Gets what the opened page needs.
  ///
  /// - Throws: `AuthError` where the auth API refuses or does not answer: the page is shown as far
  ///   as it is known.
  func load(_ context: inout RequestContext) async throws(AuthError) -> FlowResult<Scene>

  /// The page as far as it is known without a call; nil where it is not due.
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
  /// The handler of the address.
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
