internal import AuthFlow
internal import Pages

extension Site {
  /// Takes over the session that the auth API has for this browser while the visit has none.
  ///
  /// That is what is left where an answer got lost on its way. Nobody could sign in again beside
  /// it: so it is adopted, or, where it cannot be found, given up, and the person starts anew.
  func adoptSession(because error: AuthError, _ turn: inout Turn) async -> Answer {
    events.refused(error, turn)
    do {
      if let session = try await turn.provider.standingSession(memory: &turn.visit.memory) {
        return finish(session, notices: [.alreadySignedIn], toAccount: true, &turn)
      }
      try await turn.provider.signOut(memory: &turn.visit.memory)
    } catch {
      let isOver = error.contains {
        $0 == .signInAgain || $0 == .attemptEnded || $0 == .alreadySignedIn
      }
      if !isOver { return await refuse(error, &turn) }
    }
    let start = turn.route.flow.start
    turn.visit.dropAttempt(of: turn.route.flow)
    turn.tell([], error: .ended, on: start)
    return .seeOther(start)
  }
}
