internal import Foundation
internal import GRDB

/// The accounts that a fresh world begins with.
///
/// The demo users share one published password. It is derived once, with one salt for the whole
/// seed: a salt each would cost a fresh data folder two seconds and hide nothing that the README
/// does not say. Passwords that people set get a salt of their own.
final class Seed: Sendable {
  let users: [AccountDescription]
  let cost: PasswordHash.Cost
  private let salt: Data
  private let hashes = Locked<[String: PasswordHash]>([:])

  init(users: [AccountDescription], cost: PasswordHash.Cost, random: RandomSource) {
    self.users = users
    self.cost = cost
    salt = Data(random.bytes(count: 16))
  }

  /// Writes the accounts.
  ///
  /// - Throws: `WorldsError.seedRefused` if two accounts claim the same identifier.
  func plant(at now: Instant, random: RandomSource, _ db: Database) throws {
    for user in users {
      do {
        let password = try user.password.map(hash)
        try user.insert(password: password, at: now, random: random, db)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        let name = user.id ?? user.emailAddresses.first ?? user.username ?? "without a name"
        throw WorldsError.seedRefused("an identifier of '\(name)' belongs to an earlier account")
      }
    }
  }

  private func hash(_ password: String) throws -> PasswordHash {
    try hashes.withLock { hashes in
      if let hash = hashes[password] { return hash }
      let hash = try PasswordHash.derive(from: password, salt: salt, cost: cost)
      hashes[password] = hash
      return hash
    }
  }
}

extension AccountDescription {
  /// Writes the account with its contacts and its lock.
  @discardableResult
  func insert(
    password: PasswordHash?,
    at now: Instant,
    random: RandomSource,
    _ db: Database
  ) throws -> Account {
    let account = Account(
      id: id ?? random.identifier("user"),
      firstName: firstName,
      lastName: lastName,
      password: password,
      passwordState: passwordState,
      passwordUpdatedAt: password == nil ? nil : now,
      totpSecret: totpSecret,
      totpUsedSteps: [],
      backupCodes: backupCodes.map { Account.BackupCode(code: $0, isUsed: false) },
      hasEmailSecondFactor: emailSecondFactor,
      needsClientTrust: clientTrust,
      isBanned: banned,
      isEnterprise: enterprise,
      usesEmailLink: emailLink,
      organizations: organizations,
      tasks: tasks,
      entra: entra,
      unsafeMetadata: "{}",
      createdAt: now,
      updatedAt: now,
      lastSignInAt: nil,
      legalAcceptedAt: nil
    )
    try account.insert(db)
    for contact in contacts(of: account.id, at: now, random: random) { try contact.insert(db) }
    if let locked {
      let until = locked.seconds.map { now.adding(seconds: $0) }
      try Lockout(subject: account.id, isLocked: true, lockedUntil: until).insert(db)
    }
    return account
  }

  private func contacts(of accountID: String, at now: Instant, random: RandomSource) -> [Contact] {
    let described: [(Contact.Kind, String, isSecondFactor: Bool)] =
      emailAddresses.map { (.emailAddress, $0, false) }
      + phoneNumbers.map { (.phoneNumber, $0, false) }
      + secondFactorPhoneNumbers.map { (.phoneNumber, $0, true) }
      + (username.map { [(.username, $0, false)] } ?? [])
    var kinds: Set<Contact.Kind> = []
    return described.enumerated().map { position, contact in
      Contact(
        id: random.identifier("idn"),
        accountID: accountID,
        kind: contact.0,
        value: contact.1,
        isPrimary: kinds.insert(contact.0).inserted,
        isSecondFactor: contact.isSecondFactor,
        isDefaultSecondFactor: contact.isSecondFactor
          && contact.1 == secondFactorPhoneNumbers.first,
        createdAt: now,
        position: position
      )
    }
  }
}
