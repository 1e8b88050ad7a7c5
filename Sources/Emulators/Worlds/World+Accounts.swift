public import Foundation
internal import GRDB

/// What an authenticator app shows now.
public struct AuthenticatorReading: Sendable, Hashable {
  public var code: String
  public var validUntil: Date
}

/// Why an account is not written.
public enum AccountRefusal: Error, Hashable, Sendable {
  /// An identifier, or the id, belongs to another account.
  case taken
}

/// The accounts of a world, as backstage shows and makes them.
extension World {
  /// The accounts, oldest first; or the one that has an identifier.
  ///
  /// - Throws: What SQLite reports.
  public func accounts(identifier: String? = nil) async throws -> [AccountDescription] {
    let now = Instant(clock.now)
    return try await database.read { db in
      guard let identifier else {
        return try Account.fetchAll(db, sql: "SELECT * FROM account ORDER BY createdAt, rowid")
          .map { try $0.description(at: now, db) }
      }
      let kind = Contact.Kind(ofTyped: identifier)
      guard let value = kind.normalized(identifier),
        let contact = try Account.contact(kind, value, db),
        let account = try Account.fetchOne(db, key: contact.accountID)
      else { return [] }
      return [try account.description(at: now, db)]
    }
  }

  /// The account of that id.
  ///
  /// - Throws: What SQLite reports.
  public func account(_ id: String) async throws -> AccountDescription? {
    let now = Instant(clock.now)
    return try await database.read { db in
      try Account.fetchOne(db, key: id)?.description(at: now, db)
    }
  }

  /// Makes an account.
  ///
  /// - Throws: `AccountRefusal`, or what SQLite reports.
  public func add(_ user: AccountDescription) async throws -> AccountDescription {
    let now = Instant(clock.now)
    let password = try await hash(user.password)
    do {
      return try await database.write { [random] db in
        try user.insert(password: password, at: now, random: random, db).description(at: now, db)
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      throw AccountRefusal.taken
    }
  }

  /// Writes a description over the account of its id; nil where there is none.
  ///
  /// - Throws: `AccountRefusal`, or what SQLite reports.
  public func replace(
    _ user: AccountDescription,
    changingPassword: Bool
  ) async throws -> AccountDescription? {
    let now = Instant(clock.now)
    let password = changingPassword ? try await hash(user.password) : nil
    do {
      return try await database.write { [random] db -> AccountDescription? in
        guard let id = user.id, let account = try Account.fetchOne(db, key: id) else { return nil }
        try user.update(
          account,
          password: changingPassword ? password : account.password,
          at: now,
          random: random,
          db
        )
        return try Account.fetchOne(db, key: id)?.description(at: now, db)
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      throw AccountRefusal.taken
    }
  }

  /// Deletes an account with its sessions.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: What SQLite reports.
  public func remove(_ id: String) async throws -> Bool {
    try await database.write { db in
      try Lockout.clear(id, db)
      return try Account.deleteOne(db, key: id)
    }
  }

  /// What the authenticator app of an account shows; nil where there is no such account or app.
  ///
  /// While an app is being set up, it is that one which is read.
  ///
  /// - Throws: What SQLite reports.
  public func authenticatorReading(of id: String) async throws -> AuthenticatorReading? {
    let now = Instant(clock.now)
    let secret = try await database.read { db in
      let account = try Account.fetchOne(db, key: id)
      return account?.totpSecret ?? account?.pendingTOTPSecret
    }
    guard let app = secret.flatMap(AuthenticatorCode.init(base32Secret:)) else { return nil }
    let step = AuthenticatorCode.step(at: now)
    return AuthenticatorReading(
      code: app.code(step: step),
      validUntil: Date(timeIntervalSince1970: Double((step + 1) * AuthenticatorCode.stepSeconds))
    )
  }

  private func hash(_ password: String?) async throws -> PasswordHash? {
    guard let password else { return nil }
    return try await hasher.derive(
      from: password,
      salt: Data(random.bytes(count: 16)),
      cost: seed.cost
    )
  }
}

extension Account {
  fileprivate func description(at now: Instant, _ db: Database) throws -> AccountDescription {
    let contacts = try Self.contacts(of: id, db)
    func values(_ kind: Contact.Kind, isSecondFactor: Bool = false) -> [String] {
      contacts.filter { $0.kind == kind && $0.isSecondFactor == isSecondFactor }.map(\.value)
    }
    let lockout = try Lockout.of(id, at: now, db)
    var user = AccountDescription()
    user.id = id
    user.emailAddresses = values(.emailAddress)
    user.phoneNumbers = values(.phoneNumber)
    user.secondFactorPhoneNumbers = values(.phoneNumber, isSecondFactor: true)
    user.username = values(.username).first
    user.firstName = firstName
    user.lastName = lastName
    user.passwordState = passwordState
    user.totpSecret = totpSecret
    user.backupCodes = unusedBackupCodes
    user.emailSecondFactor = hasEmailSecondFactor
    user.clientTrust = needsClientTrust
    user.banned = isBanned
    user.enterprise = isEnterprise
    user.emailLink = usesEmailLink
    user.locked =
      lockout.isLocked ? AccountDescription.Lock(seconds: lockout.secondsLeft(at: now)) : nil
    user.organizations = try Self.organizations(of: id, db)
    user.organizationInvitations = try Self.offers(.invitation, of: id, db)
    user.organizationSuggestions = try Self.offers(.suggestion, of: id, db)
    user.tasks = tasks
    user.entra = entra
    return user
  }
}
