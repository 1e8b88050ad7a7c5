internal import GRDB

/// Source: <doc:ClerkSessionsAndTasks>.
extension ClerkTransaction {
  /// The whole client as it is now, or null.
  func clientJSON() throws -> JSON {
    guard let client else { return .null }
    let sessions = try ClerkSession.all(of: client.id, db)
    let isActive = sessions.contains { $0.id == client.lastActiveSessionID && $0.isLive(at: now) }
    return [
      "object": "client",
      "id": .string(client.id),
      "sessions": .array(try sessions.map(sessionJSON)),
      "sign_in": try presentSignIn(of: client).map(signInJSON) ?? .null,
      "sign_up": try presentSignUp(of: client).map(signUpJSON) ?? .null,
      "last_active_session_id": isActive ? .optional(client.lastActiveSessionID) : .null,
      "last_authentication_strategy": .optional(client.lastStrategy?.rawValue),
      "cookie_expires_at": .null,
      "captcha_bypass": false,
      "created_at": .instant(client.createdAt),
      "updated_at": .instant(client.updatedAt),
    ]
  }

  /// The tasks that are left before a session is active.
  ///
  /// Source: <doc:ClerkOrganizationCalls>; the order is that of Clerk's
  /// own tests.
  func tasks(
    of session: ClerkSession,
    _ account: Account,
    _ contacts: [Contact]
  ) -> [AccountDescription.Task] {
    AccountDescription.Task.allCases.filter { task in
      let isKept = account.tasks.contains(task)
      return switch task {
      case .resetPassword: isKept || account.passwordState == .compromised
      case .chooseOrganization:
        (isKept || settings.organizationsRequired) && session.organizationID == nil
          && !(settings.allowsPersonalAccounts && session.isPersonal)
      case .setUpSecondFactor:
        (isKept || settings.mfaRequired) && !settings.asksSecondFactor(of: account, contacts)
      }
    }
  }

  func sessionJSON(_ session: ClerkSession) throws -> JSON {
    guard let account = try Account.fetchOne(db, key: session.accountID) else {
      throw ClerkRefusal.resourceNotFound
    }
    let contacts = try Account.contacts(of: account.id, db)
    let tasks = tasks(of: session, account, contacts)
    func age(_ verifiedAt: EpochMilliseconds?) -> JSON {
      .integer(verifiedAt.map { max(0, (now.rawValue - $0.rawValue) / 60_000) } ?? -1)
    }
    return [
      "object": "session",
      "id": .string(session.id),
      "status": .string(session.status(at: now, tasks: tasks).rawValue),
      "expire_at": .instant(session.expireAt),
      "abandon_at": .instant(session.abandonAt),
      "last_active_at": .instant(session.lastActiveAt),
      "last_active_organization_id": .optional(session.organizationID),
      "last_active_token": try lastActiveToken(of: session, account, tasks),
      "actor": .null,
      "tasks": tasks.isEmpty
        ? .null : .array(tasks.map { ["key": .string($0.rawValue)] }),
      "factor_verification_age": [age(session.firstFactorAt), age(session.secondFactorAt)],
      "public_user_data": publicUserDataJSON(account, contacts),
      "user": try userJSON(account, contacts),
      "created_at": .instant(session.createdAt),
      "updated_at": .instant(session.updatedAt),
    ]
  }

  /// The token that the application would ask for next; null for another client's or an ended session.
  private func lastActiveToken(
    of session: ClerkSession,
    _ account: Account,
    _ tasks: [AccountDescription.Task]
  ) throws -> JSON {
    guard session.clientID == client?.id, session.isLive(at: now) else { return .null }
    return ["object": "token", "jwt": .string(try lastToken(of: session, account, tasks))]
  }

  func publicUserDataJSON(_ account: Account, _ contacts: [Contact]) -> JSON {
    func primary(_ kind: Contact.Kind) -> String? {
      contacts.first { $0.kind == kind && $0.isPrimary }?.value
    }
    let username = primary(.username)
    return [
      "user_id": .string(account.id),
      "first_name": .optional(account.firstName),
      "last_name": .optional(account.lastName),
      "image_url": "",
      "has_image": false,
      "identifier": .string(
        primary(.emailAddress) ?? username ?? primary(.phoneNumber) ?? account.id
      ),
      "username": .optional(username),
    ]
  }
}
