internal import AuthFlow
internal import Foundation
internal import HTTPExchange
internal import Pages

/// `/account`: who is in, and tokens of the session.
struct AccountHandler: FlowHandler {
  typealias Scene = Session

  /// The auth API is asked each time, since a session may have ended elsewhere.
  func load(_ context: inout RequestContext) async throws(AuthError) -> FlowResult<Scene> {
    guard case .signedIn(let signedIn) = context.visit.standing else {
      // Who types the bare address has not asked for an account yet.
      return .redirect(.signIn, context.request.path == "/" ? [] : [.signInAgain])
    }
    // They are shown on one page only, and nobody gets in past them.
    if case .secondFactor(.backupCodesOffered)? = signedIn.pending {
      return .redirect(signedIn.session.address)
    }
    let current = try await context.provider.currentSession(
      signedIn.session,
      memory: &context.visit.memory
    )
    context.visit.enter(current, pending: signedIn.pending)
    return current.status == .active ? .show(current) : .redirect(current.address)
  }

  func scene(_ context: RequestContext) -> Scene? {
    context.visit.session.flatMap { $0.status == .active ? $0 : nil }
  }

  func page(_ scene: Scene, typed: TypedValues) -> any Page {
    AccountPage(session: scene, scopes: typed[.scopes], claims: typed[.claims])
  }

  /// Gets a token for the scopes and claims that were typed, and shows on the page what it is good for.
  func submit(_ context: inout RequestContext) async -> FlowResult<Scene> {
    guard let session = scene(context), session.access != nil,
      let tokens = context.provider.accessTokens
    else { return .misplaced }
    guard !context.form.isTooLong(.scopes) else { return .tooLong(.scopes) }
    let typed = context.form[Field.scopes.name] ?? ""
    let claims = context.form.trimmed(.claims)
    let outcome = await tokens.renewAccess(
      of: session,
      scopes: typed.split(whereSeparator: \.isWhitespace).map(String.init),
      claims: claims,
      memory: &context.visit.memory
    )
    switch outcome {
    case .moved(to: .complete(let session)):
      context.visit.enter(session)
      return .redirect(.account, [.tokenRenewed])
    case .moved(let state):
      state.enter(&context.visit)
      return .redirect(state.address)
    case .refused(let error, _):
      return .refused(error)
    }
  }
}
