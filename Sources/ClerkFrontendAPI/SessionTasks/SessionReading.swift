internal import AuthFlow
internal import Foundation

extension Session {
  /// The session, if it is active or pending; nil also if it names no user or no end.
  init?(_ resource: SessionResource) {
    guard resource.isSignedIn, let user = User(resource), let expiresAt = resource.expiresAt
    else { return nil }
    self.init(
      id: resource.id,
      user: user,
      tasks: resource.openTasks,
      expiresAt: expiresAt,
      organization: Organization(resource)
    )
    hasBackupCodes = resource.user?.hasBackupCodes
  }
}

extension SessionResource {
  /// Whether the person counts as signed in with it: it is active, or becomes active once its tasks
  /// are done (<doc:ClerkSessionsAndTasks#The-session-resource>).
  var isSignedIn: Bool {
    switch status {
    case .known(.active), .known(.pending): true
    case .known(.ended), .known(.removed), .known(.revoked), .known(.expired), .known(.abandoned),
      .known(.replaced), .unknown:
      false
    }
  }

  /// The tasks that have to be done first.
  ///
  /// A pending session without a task is not active either: it has an unnamed one.
  fileprivate var openTasks: [SessionTask] {
    let tasks = taskKeys.map(SessionTask.init(key:))
    return tasks.isEmpty && status.known == .pending ? [.unnamed] : tasks
  }
}

extension Session {
  /// Whether it is pending without a task: a touch may make it active.
  var awaitsTouch: Bool { tasks == [.unnamed] }
}

extension Session.User {
  /// The user of the session; nil if the session does not say.
  init?(_ session: SessionResource) {
    guard let id = session.publicUser?.userID ?? session.user?.id else { return nil }
    let publicUser = session.publicUser
    self.init(
      id: id,
      identifier: publicUser?.identifier ?? session.user?.identifier ?? publicUser?.username ?? id,
      firstName: publicUser?.firstName ?? session.user?.firstName,
      lastName: publicUser?.lastName ?? session.user?.lastName
    )
  }
}

extension Session.Organization {
  /// The active organization, under the name that the user's memberships give it, else its id.
  fileprivate init?(_ session: SessionResource) {
    guard let id = session.organizationID else { return nil }
    let membership = session.user?.memberships.first { $0.organization.id == id }
    self.init(
      id: id,
      name: membership?.organization.name ?? id,
      slug: membership?.organization.slug
    )
  }
}

extension SessionTask {
  /// The task of a pending session that names none.
  fileprivate static let unnamed = SessionTask.unknown(SessionResource.Status.pending.rawValue)

  /// The task of that key.
  ///
  /// Source: <doc:ClerkSessionsAndTasks#Tasks>.
  init(key: String) {
    self =
      switch key {
      case "reset-password": .resetPassword
      case "choose-organization": .chooseOrganization
      case "setup-mfa": .setUpSecondFactor
      default: .unknown(key)
      }
  }
}

extension ClientResource {
  /// The session that was used last, if it is still valid; otherwise the newest one that is.
  var standingSession: Session? {
    lastActiveSessionID.flatMap(session) ?? sessions.reversed().lazy.compactMap(Session.init).first
  }

  /// The session with that id, if it is still valid.
  func session(_ id: String) -> Session? {
    sessions.first { $0.id == id }.flatMap(Session.init)
  }
}
