internal import AuthFlow
internal import Pages

extension Site {
  /// Answers a refusal: the same page again, or the page that the refusal leads to.
  ///
  /// The visit already stands where the refusal left the attempt.
  func refuse(_ error: AuthError, _ turn: inout Turn) async -> Answer {
    turn.refusals += error.problems.map(\.reason)
    if turn.visit.session == nil, error.contains(where: { $0 == .alreadySignedIn }) {
      return await adoptSession(because: error, &turn)
    }
    if let elsewhere = leave(for: error, &turn) { return elsewhere }
    var shown = turn
    if case .page(let page, _) = await page(&shown) { return .refused(page, error) }
    let place = turn.visit.standing(in: turn.route.flow)
    events.refused(error, turn)
    turn.tell([], error: error, on: place)
    return .seeOther(place)
  }

  /// The refusals that have a page of their own, or end the attempt (R3).
  func leave(for error: AuthError, _ turn: inout Turn) -> Answer? {
    for problem in error.problems {
      switch problem.reason {
      case .locked(let until):
        events.refused(error, turn)
        turn.visit.dropAttempts()
        turn.visit.lock = Lock(problem: problem, until: until, traceID: error.traceID)
        return .seeOther(.locked)
      case .banned, .noUsableMethod, .protectionPolicyRequired, .deviceRequirementUnmet:
        events.refused(error, turn)
        turn.visit.dropAttempts()
        turn.visit.block = Block(error: error, offersSignOut: turn.visit.session != nil)
        return .seeOther(.blocked)
      case .attemptEnded where turn.visit.session == nil:
        events.refused(error, turn)
        let start = turn.route.flow.start
        turn.visit.dropAttempt(of: turn.route.flow)
        turn.tell([], error: error, on: start)
        return .seeOther(start)
      case .attemptEnded where turn.visit.session?.status == .pending:
        return beginTaskAnew(because: error, &turn)
      case .signInAgain, .attemptEnded:
        events.refused(error, turn)
        // Who was not in yet has lost an attempt rather than a session.
        return signInAgain(because: turn.visit.session == nil ? .ended : nil, &turn)
      case .browserUnknown, .extraVerificationRequired, .consentRequired:
        events.refused(error, turn)
        return signInAgain(because: error, &turn)
      case .passwordResetRequired:
        events.refused(error, turn)
        return resetPassword(because: error, &turn)
      case .alreadySignedIn:
        turn.tell([.alreadySignedIn], on: .account)
        return turn.visit.session == nil ? nil : .seeOther(.account)
      case .cancelled:
        let start = turn.route.flow.start
        turn.visit.dropAttempt(of: turn.route.flow)
        turn.tell([.cancelled], on: start)
        return .seeOther(start)
      default: continue
      }
    }
    return nil
  }

  /// What was under way in a task is gone, the session is not: the task begins anew.
  private func beginTaskAnew(because error: AuthError, _ turn: inout Turn) -> Answer? {
    guard let place = turn.visit.session?.route else { return nil }
    events.refused(error, turn)
    turn.visit.secondFactorSetup = nil
    turn.tell([], error: error, on: place)
    return .seeOther(place)
  }

  /// The session is over: back to the start, the return address kept (R3a).
  func signInAgain(because error: AuthError? = nil, _ turn: inout Turn) -> Answer {
    forgetSession(&turn)
    turn.tell([.signInAgain], error: error, on: .signIn)
    return .seeOther(.signIn)
  }

  /// The password has to be changed first: on to the reset, with the reason.
  private func resetPassword(because error: AuthError, _ turn: inout Turn) -> Answer {
    forgetSession(&turn)
    turn.tell([], error: error, on: .forgotPassword)
    return .seeOther(.forgotPassword)
  }

  private func forgetSession(_ turn: inout Turn) {
    let identifier = turn.visit.identifier ?? turn.visit.session?.user.identifier
    let returnAddress = turn.visit.returnAddress
    turn.visit.forgetPerson()
    turn.visit.renewID(newVisitID())
    turn.visit.identifier = identifier
    turn.visit.returnAddress = returnAddress
  }

  /// Someone is in, or would be but for open tasks: a new id, and on to where they wanted to go.
  func finish(
    _ session: Session,
    notices: [Notice],
    toAccount: Bool = false,
    _ turn: inout Turn
  ) -> Answer {
    turn.visit.dropAttempts()
    turn.visit.session = session
    turn.visit.renewID(newVisitID())
    events.signedIn(session, turn)
    guard session.status == .active else {
      turn.tell(notices, on: session.route)
      return .seeOther(session.route)
    }
    let address = (toAccount ? nil : turn.visit.returnAddress) ?? Route.account.path
    turn.visit.returnAddress = nil
    turn.tell(notices, onPath: address.prefix { $0 != "?" }.description)
    return .seeOther(address)
  }

  /// Nobody signs in twice: whoever is in already is sent there.
  func alreadyIn(_ turn: inout Turn) -> Answer? {
    guard let session = turn.visit.session else { return nil }
    guard session.expiresAt > turn.now else { return nil }
    if session.status == .active { turn.tell([.alreadySignedIn], on: session.route) }
    return .seeOther(session.route)
  }
}
