internal import AuthFlow
internal import Foundation
internal import Pages

/// `/locked` and `/blocked`: where nothing is left to do but wait, or ask somebody.
struct StandstillHandler: FlowHandler {
  /// Held by reference: the prompts of its pages are large, and handed on several times.
  indirect enum Scene: Sendable {
    case locked(Lock)
    case blocked(Block)
  }

  func load(_ context: inout RequestContext) async throws(AuthError) -> FlowResult<Scene> {
    scene(context).map(FlowResult.show)
      ?? .redirect(context.visit.places.first ?? .signIn, [.movedOn])
  }

  func scene(_ context: RequestContext) -> Scene? {
    switch (context.visit.standing, context.address) {
    case (.locked(let lock), .locked): .locked(lock)
    case (.blocked(let block), .blocked): .blocked(block)
    case (.signedIn(let signedIn), .blocked): Block(ofTaskIn: signedIn.session).map(Scene.blocked)
    case (.attempts, _), (.locked, _), (.blocked, _), (.signedIn, _): nil
    }
  }

  func page(_ scene: Scene, typed: TypedValues) -> any Page {
    switch scene {
    case .locked(let lock):
      LockedPage(problem: lock.problem, until: lock.until, traceID: lock.traceID)
    case .blocked(let block):
      BlockedPage(error: block.error, offersSignOut: block.session != nil)
    }
  }

  func status(of scene: Scene, at now: Date) -> Int {
    if case .locked(let lock) = scene, let until = lock.until, until <= now { return 200 }
    return 403
  }

  /// There is no form here.
  func submit(_ context: inout RequestContext) async -> FlowResult<Scene> { .misplaced }
}
