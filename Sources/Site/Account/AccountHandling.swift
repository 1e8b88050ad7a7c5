internal import AuthFlow
internal import HTTPExchange
internal import Pages

extension Site {
  /// Who is in; the auth API is asked each time, since a session may have ended elsewhere.
  func accountPage(_ turn: inout Turn) async -> Answer {
    guard let session = turn.visit.session else {
      // Who types the bare address has not asked for an account yet.
      return turn.signInFirst(turn.request.path == "/" ? nil : .signInAgain)
    }
    guard session.expiresAt > turn.now else { return signInAgain(&turn) }
    // They are shown on one page only, and nobody gets in past them.
    if turn.visit.offersBackupCodes { return .seeOther(session.route) }
    do {
      let current = try await turn.provider.currentSession(session, memory: &turn.visit.memory)
      turn.visit.session = current
      guard current.status == .active else { return .seeOther(current.route) }
      return .page(AccountPage(session: current, scopes: turn.form[Field.scopes.name]))
    } catch {
      let isIn = error.contains { $0 == .alreadySignedIn }
      if !isIn, let elsewhere = leave(for: error, &turn) { return elsewhere }
      guard session.status == .active else { return .seeOther(session.route) }
      return .refused(AccountPage(session: session), error)
    }
  }

  func signOutPage(_ turn: inout Turn) -> Answer {
    guard let session = turn.visit.session else { return turn.signInFirst(.signedOut) }
    return .page(
      SignOutPage(
        identifier: session.user.identifier,
        isSignedIn: session.status == .active
      )
    )
  }

  /// Signs out; whoever is out already sees the same page.
  func signOut(_ turn: inout Turn) async -> Answer {
    turn.visit.session == nil ? leaveSignedOut(&turn) : await stop(&turn)
  }

  /// Ends whatever the auth API holds for this browser, and forgets the person.
  func stop(_ turn: inout Turn) async -> Answer {
    do {
      try await turn.provider.signOut(memory: &turn.visit.memory)
    } catch {
      if !error.contains(where: { $0 == .signInAgain || $0 == .attemptEnded }) {
        return await refuse(error, &turn)
      }
    }
    events.signedOut(turn)
    return leaveSignedOut(&turn)
  }

  private func leaveSignedOut(_ turn: inout Turn) -> Answer {
    turn.visit.forgetPerson()
    turn.visit.renewID(newVisitID())
    turn.tell([.signedOut], on: .signIn)
    return .seeOther(.signIn)
  }
}
