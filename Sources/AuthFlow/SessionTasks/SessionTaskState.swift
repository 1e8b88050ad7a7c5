/// The state of a session with tasks: which one is due, and its progress.
public enum SessionTaskState: Hashable, Codable, Sendable {
  case resetPasswordTask(Session)
  case chooseOrganizationTask(Session)
  case setUpSecondFactorTask(Session, SecondFactorSetup)
  /// A task that these pages cannot do.
  case unsupported(Session, SessionTask)
  case complete(Session)

  /// The first open task decides; the auth API gives them in its order.
  ///
  /// - Parameters:
  ///   - session: The session as it was last seen.
  ///   - setup: The progress of a second factor; ignored unless that is the task that is due.
  public init(of session: Session, setup: SecondFactorSetup = .methodRequired) {
    self =
      switch session.tasks.first {
      case nil: .complete(session)
      case .resetPassword: .resetPasswordTask(session)
      case .chooseOrganization: .chooseOrganizationTask(session)
      case .setUpSecondFactor: .setUpSecondFactorTask(session, setup)
      case .unknown(let key): .unsupported(session, .unknown(key))
      }
  }

  public var session: Session {
    switch self {
    case .resetPasswordTask(let session), .chooseOrganizationTask(let session),
      .setUpSecondFactorTask(let session, _), .unsupported(let session, _), .complete(let session):
      session
    }
  }

  /// The progress of a second factor; nil where none is being set up.
  public var setup: SecondFactorSetup? {
    switch self {
    case .setUpSecondFactorTask(_, let setup): setup
    case .resetPasswordTask, .chooseOrganizationTask, .unsupported, .complete: nil
    }
  }
}

extension SessionTaskState: MessageAwaiting {
  var awaitsMessage: Bool {
    if case .codeRequired? = setup { return true }
    return false
  }
}

/// What a person does on the pages of a task.
public enum SessionTaskInput: Sendable {
  case newPassword(Password, signOutOfOtherSessions: Bool)
  case organization(OrganizationInput)
  case secondFactor(SecondFactorSetupInput)
}

/// What a person does about the organization of their session.
public enum OrganizationInput: Sendable {
  case choose(OrganizationChoice)
  /// Without a slug the auth API derives one from the name.
  case create(name: String, slug: String?)
  case acceptInvitation(id: String)
  case askToJoin(suggestionID: String)
}

/// What a person does while they set up a second factor.
public enum SecondFactorSetupInput: Sendable {
  case method(SecondFactorMethod)
  /// Back to the choice of methods.
  case otherMethod
  case phoneNumber(String)
  case code(VerificationCode)
  case resendCode
  case backupCodesSaved
}
