internal import HTTPExchange
internal import AuthFlow
internal import Pages

extension Site {
  /// The page of a task, if it is the one that is due.
  func taskPage(_ task: Route.TaskRoute, _ turn: inout Turn) async -> Answer {
    guard let state = turn.visit.taskState else { return turn.movedOn() }
    guard state.session.expiresAt > turn.now else { return signInAgain(&turn) }
    switch (state, task) {
    case (.newPasswordRequired(let session), .resetPassword):
      return await taskPasswordPage(of: session, turn)
    case (.organizationRequired(let session), .chooseOrganization):
      return await organizationPage(of: session, &turn)
    case (.secondFactorRequired(let session, let setup), .setUpSecondFactor):
      return await secondFactorSetupPage(setup, of: session, &turn)
    case (.newPasswordRequired, .chooseOrganization), (.newPasswordRequired, .setUpSecondFactor),
      (.organizationRequired, .resetPassword), (.organizationRequired, .setUpSecondFactor),
      (.secondFactorRequired, .resetPassword), (.secondFactorRequired, .chooseOrganization),
      (.unsupported, .resetPassword), (.unsupported, .chooseOrganization),
      (.unsupported, .setUpSecondFactor), (.complete, .resetPassword),
      (.complete, .chooseOrganization), (.complete, .setUpSecondFactor):
      return turn.movedOn()
    }
  }

  /// Where a refusal leads that came while a task's page was opened.
  ///
  /// A page that cannot begin is not begun anew: it would only send the reader in circles.
  func leaveTask(for error: AuthError, _ turn: inout Turn) -> Answer? {
    error.contains { $0 == .attemptEnded } ? nil : leave(for: error, &turn)
  }

  private func taskPasswordPage(of session: Session, _ turn: Turn) async -> Answer {
    let (instance, error) = await instance(turn)
    let page = NewPasswordPage(
      variant: .task,
      identifier: session.user.identifier,
      rules: instance.passwordRules
    )
    return error.map { .refused(page, $0) } ?? .page(page)
  }

  func submitTaskPassword(_ turn: inout Turn) async -> Answer {
    guard case .newPasswordRequired? = turn.visit.taskState else { return turn.movedOn() }
    guard let password = Password(typed: turn.form["password"] ?? "") else {
      return await refuseMissing(.password, &turn)
    }
    // The old password may be in other hands: whoever came in by it goes.
    return await advanceTask(with: .newPassword(password, signOutOfOtherSessions: true), &turn)
  }

  func advanceTask(with input: SessionTaskInput, _ turn: inout Turn) async -> Answer {
    guard let state = turn.visit.taskState else { return turn.movedOn() }
    let advance = await turn.sessionTaskFlow.advance(
      state,
      with: input,
      memory: &turn.visit.memory
    )
    return await take(advance, from: state, &turn)
  }

  /// Seals what became of a task into the visit, and goes to its page, or to the next one's.
  func take(
    _ advance: Advance<SessionTaskState>,
    from before: SessionTaskState,
    _ turn: inout Turn
  ) async -> Answer {
    switch advance {
    case .misplaced:
      return turn.movedOn()
    case .refused(let error, let state):
      turn.visit.stand(at: state)
      return await refuse(error, &turn)
    case .moved(let state, let notices):
      guard state.session == before.session else {
        return finish(state.session, notices: notices, &turn)
      }
      turn.visit.stand(at: state)
      turn.tell(notices, on: state.session.route)
      return .seeOther(state.session.route)
    }
  }
}

extension Visit {
  /// Where the session's tasks stand; nil where nobody is in.
  var taskState: SessionTaskState? {
    session.map { SessionTaskState(of: $0, setup: secondFactorSetup ?? .methodRequired) }
  }

  /// Whether the second factor works, and its backup codes are still to be kept.
  var offersBackupCodes: Bool {
    if case .backupCodesOffered? = taskState?.setup { return true }
    return false
  }

  mutating func stand(at state: SessionTaskState) {
    session = state.session
    secondFactorSetup = state.setup == .methodRequired ? nil : state.setup
  }
}
