/// The rules of working through a session's tasks, for any auth API.
public struct SessionTaskFlow: Sendable {
  let provider: any AuthProvider
  let clock: WallClock

  public init(provider: any AuthProvider, clock: WallClock) {
    self.provider = provider
    self.clock = clock
  }

  /// Advances the tasks by one input.
  ///
  /// The switch is the state diagram; an organization and a second factor have one of their own.
  public func advance(
    _ state: SessionTaskState,
    with input: SessionTaskInput,
    memory: inout ProviderMemory
  ) async -> Advance<SessionTaskState> {
    switch (state, input) {
    case (.resetPasswordTask(let session), .newPassword(let password, let signsOut)):
      guard let task = provider.resetPasswordTask else { return .misplaced }
      let outcome = await task.changePassword(
        of: session,
        to: password,
        signOutOfOtherSessions: signsOut,
        memory: &memory
      )
      return after(outcome, from: state, notices: [.passwordChanged])
    case (.chooseOrganizationTask(let session), .organization(let input)):
      return await advance(organizationOf: session, with: input, memory: &memory)
    case (.setUpSecondFactorTask(let session, let setup), .secondFactor(let input)):
      return await advance(setup, of: session, with: input, memory: &memory)

    case (.resetPasswordTask, .organization), (.resetPasswordTask, .secondFactor),
      (.chooseOrganizationTask, .newPassword), (.chooseOrganizationTask, .secondFactor),
      (.setUpSecondFactorTask, .newPassword), (.setUpSecondFactorTask, .organization),
      (.unsupported, .newPassword), (.unsupported, .organization), (.unsupported, .secondFactor),
      (.complete, .newPassword), (.complete, .organization), (.complete, .secondFactor):
      return .misplaced
    }
  }

  /// The result of a task that takes one step: after it, the next task is due.
  func after(
    _ outcome: Outcome<Session>,
    from state: SessionTaskState,
    notices: [Notice] = []
  ) -> Advance<SessionTaskState> {
    switch outcome {
    case .moved(let session):
      .moved(to: SessionTaskState(of: session), notices: notices)
    case .refused(let error, let session):
      .refused(error, at: session.map { SessionTaskState(of: $0) } ?? state)
    }
  }
}
