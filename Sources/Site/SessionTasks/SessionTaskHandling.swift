internal import HTTPExchange
internal import AuthFlow
internal import Pages

extension Site {
  func taskPage(_ task: Route.TaskRoute, _ turn: inout Turn) async -> Answer {
    guard let session = turn.visit.session else { return turn.movedOn() }
    guard session.expiresAt > turn.now else { return signInAgain(&turn) }
    switch (SessionTaskState(of: session), task) {
    case (.newPasswordRequired, .resetPassword):
      let (instance, error) = await instance(turn)
      let page = NewPasswordPage(
        variant: .task,
        identifier: session.user.identifier,
        rules: instance.passwordRules
      )
      return error.map { .refused(page, $0) } ?? .page(page)
    case (.organizationRequired, .chooseOrganization),
      (.secondFactorRequired, .setUpSecondFactor):
      let error = AuthError(Problem(.noUsableMethod, code: task.rawValue))
      return .page(BlockedPage(error: error, offersSignOut: true), status: 403)
    case (.newPasswordRequired, .chooseOrganization), (.newPasswordRequired, .setUpSecondFactor),
      (.organizationRequired, .resetPassword), (.organizationRequired, .setUpSecondFactor),
      (.secondFactorRequired, .resetPassword), (.secondFactorRequired, .chooseOrganization),
      (.unsupported, .resetPassword), (.unsupported, .chooseOrganization),
      (.unsupported, .setUpSecondFactor), (.complete, .resetPassword),
      (.complete, .chooseOrganization), (.complete, .setUpSecondFactor):
      return turn.movedOn()
    }
  }

  func submitTaskPassword(_ turn: inout Turn) async -> Answer {
    guard let session = turn.visit.session,
      case .newPasswordRequired = SessionTaskState(of: session)
    else { return turn.movedOn() }
    guard let password = Password(typed: turn.form["password"] ?? "") else {
      return await refuseMissing(.password, &turn)
    }
    // The old password may be in other hands: whoever came in by it goes.
    let input = SessionTaskInput.newPassword(password, signOutOfOtherSessions: true)
    let flow = SessionTaskFlow(provider: turn.provider, clock: turn.front.clock)
    switch await flow.advance(
      SessionTaskState(of: session),
      with: input,
      memory: &turn.visit.memory
    )
    {
    case .misplaced:
      return turn.movedOn()
    case .refused(let error, let state):
      turn.visit.session = state.session
      return await refuse(error, &turn)
    case .moved(let state, let notices):
      return finish(state.session, notices: notices, &turn)
    }
  }
}
