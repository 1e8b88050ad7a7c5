internal import AuthFlow
internal import Pages

/// `/sign-out`: asks before it signs out.
struct SignOutHandler: FlowHandler {
  typealias Scene = Session

  func load(_ context: inout RequestContext) async throws(AuthError) -> FlowResult<Scene> {
    scene(context).map(FlowResult.show) ?? .redirect(.signIn, [.signedOut])
  }

  func scene(_ context: RequestContext) -> Scene? { context.visit.standingSession }

  func page(_ scene: Scene, typed: TypedValues) -> any Page {
    SignOutPage(identifier: scene.user.identifier, isSignedIn: scene.status == .active)
  }

  /// Signs out; somebody who is signed out already gets the same answer.
  func submit(_ context: inout RequestContext) async -> FlowResult<Scene> {
    context.visit.standingSession == nil ? .signedOut : await context.endSessions()
  }
}

extension RequestContext {
  /// Ends every session that the auth API has for this browser.
  ///
  /// Nobody is told that they are signed out before the auth API has confirmed it.
  mutating func endSessions<Scene>() async -> FlowResult<Scene> {
    do {
      try await provider.signOut(memory: &visit.memory)
      return .signedOut
    } catch {
      return .failed(error)
    }
  }
}

extension Visit {
  /// The session that the auth API keeps for this browser, whether or not it can go on.
  var standingSession: Session? {
    switch standing {
    case .signedIn(let signedIn): signedIn.session
    case .blocked(let block): block.session
    case .attempts, .locked: nil
    }
  }
}
