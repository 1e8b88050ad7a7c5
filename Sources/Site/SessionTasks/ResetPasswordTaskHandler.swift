internal import AuthFlow
internal import HTTPExchange
internal import Pages

/// `/tasks/reset-password`: a new password before the session counts.
struct ResetPasswordTaskHandler: FlowHandler {
  struct Scene: Sendable {
    var session: Session
    var rules: PasswordRules
  }

  func load(_ context: inout RequestContext) async throws(AuthError) -> FlowResult<Scene> {
    try await context.instance()
    return scene(context).map(FlowResult.show) ?? .misplaced
  }

  func scene(_ context: RequestContext) -> Scene? {
    guard case .resetPasswordTask(let session)? = context.visit.taskState else { return nil }
    return Scene(session: session, rules: context.knownInstance.passwordRules)
  }

  func page(_ scene: Scene, typed: TypedValues) -> any Page {
    NewPasswordPage(
      variant: .task,
      identifier: scene.session.user.identifier,
      rules: scene.rules,
      endsAt: scene.session.expiresAt
    )
  }

  func submit(_ context: inout RequestContext) async -> FlowResult<Scene> {
    guard let password = Password(typed: context.form["password"] ?? "") else {
      return .missing(.password)
    }
    // Others may know the old password: end the sessions that were opened with it.
    return await context.advanceTask(
      with: .newPassword(password, signOutOfOtherSessions: true)
    )
  }
}

extension RequestContext {
  var taskFlow: SessionTaskFlow { SessionTaskFlow(provider: provider, clock: world.clock) }

  /// Advances the session's tasks by one input.
  mutating func advanceTask<Scene>(with input: SessionTaskInput) async -> FlowResult<Scene> {
    guard let state = visit.taskState else { return .misplaced }
    return settle(await taskFlow.advance(state, with: input, memory: &visit.memory))
  }
}

extension Visit {
  /// The state of the session's tasks; nil where nobody is signed in.
  var taskState: SessionTaskState? {
    if case .signedIn(let signedIn) = standing { return signedIn.taskState }
    return nil
  }
}
