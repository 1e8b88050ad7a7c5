/// Where a session stands that has open tasks: which one is due.
public enum SessionTaskState: Hashable, Codable, Sendable {
  case newPasswordRequired(Session)
  /// A task that these pages cannot do.
  case unsupported(Session, SessionTask)
  case complete(Session)

  /// The first open task decides; the auth API gives them in its order.
  public init(of session: Session) {
    self =
      switch session.tasks.first {
      case nil: .complete(session)
      case .resetPassword: .newPasswordRequired(session)
      case .chooseOrganization: .unsupported(session, .chooseOrganization)
      case .setUpSecondFactor: .unsupported(session, .setUpSecondFactor)
      case .unknown(let key): .unsupported(session, .unknown(key))
      }
  }
}

/// What a person does on the pages of a task.
public enum SessionTaskInput: Sendable {
  case newPassword(Password, signOutOfOtherSessions: Bool)
}

/// The rules of working through a session's tasks, for whichever auth API.
public struct SessionTaskFlow: Sendable {
  private let provider: any AuthProvider

  public init(provider: any AuthProvider) { self.provider = provider }

  /// Moves the tasks by one input.
  ///
  /// The switch is the state diagram.
  public func advance(
    _ state: SessionTaskState,
    with input: SessionTaskInput,
    memory: inout ProviderMemory
  ) async -> Advance<SessionTaskState> {
    switch (state, input) {
    case (.newPasswordRequired(let session), .newPassword(let password, let signsOut)):
      switch await provider.changePassword(
        of: session,
        to: password,
        signOutOfOtherSessions: signsOut,
        memory: &memory
      )
      {
      case .moved(let session):
        return .moved(to: SessionTaskState(of: session), notices: [.passwordChanged])
      case .refused(let error, let at):
        return .refused(error, at: at.map(SessionTaskState.init(of:)) ?? state)
      }
    case (.unsupported, .newPassword), (.complete, .newPassword):
      return .misplaced
    }
  }
}
