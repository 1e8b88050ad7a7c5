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

  /// Signs out; whoever is out already sees the same page.
  func submit(_ context: inout RequestContext) async -> FlowResult<Scene> {
    context.visit.standingSession == nil ? .signedOut : await context.endSessions()
  }
}

extension RequestContext {
  /// Ends whatever the auth API holds for this browser.
  ///
  /// Nobody is told that they are out before the auth API has said so.
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
