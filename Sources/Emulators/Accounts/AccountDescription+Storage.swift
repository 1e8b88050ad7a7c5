internal import GRDB

extension AccountDescription {
  /// Writes a new account with its contacts, lock and organizations.
  ///
  /// - Throws: `DocumentError` naming the value that another account has, or what SQLite reports.
  @discardableResult
  func insert(
    password: PasswordHash?,
    at now: EpochMilliseconds,
    random: RandomSource,
    _ db: Database
  ) throws -> Account {
    var account = Account(
      id: id ?? random.identifier("user"),
      firstName: firstName,
      lastName: lastName,
      password: password,
      passwordState: passwordState,
      passwordUpdatedAt: password == nil ? nil : now,
      totpSecret: totpSecret,
      pendingTOTPSecret: nil,
      totpUsedSteps: [],
      backupCodes: backupCodes.map { Account.BackupCode(code: $0, isUsed: false) },
      hasEmailSecondFactor: emailSecondFactor,
      needsClientTrust: clientTrust,
      isBanned: banned,
      isEnterprise: enterprise,
      usesEmailLink: emailLink,
      tasks: tasks,
      entra: entra,
      unsafeMetadata: unsafeMetadata.text,
      createdAt: now,
      updatedAt: now,
      lastSignInAt: nil,
      legalAcceptedAt: nil
    )
    account.noteSecondFactor(isAsked: !secondFactors.isEmpty, at: now)
    account.totpCreatedAt = totpSecret == nil ? nil : now
    try Self.claiming(account.id, by: "id") { try account.insert(db) }
    let kinds = Set(Contact.Kind.allCases)
    try writeContacts(of: account.id, kinds, keeping: [], at: now, random: random, db)
    try writeLock(of: account.id, at: now, db)
    if !organizations.isEmpty || !organizationInvitations.isEmpty
      || !organizationSuggestions.isEmpty
    {
      try writeOrganizations(of: account.id, at: now, random: random, db)
    }
    return account
  }

  /// Updates an existing account to match the description.
  ///
  /// - Parameters:
  ///   - account: As it is stored.
  ///   - keys: The keys that were changed; contacts, secrets and lists of other keys stay
  ///     untouched.
  ///   - password: The new hash; used only if `password` is among the keys.
  ///   - now: By the world's clock.
  ///   - random: For the identifiers of new contacts.
  ///   - db: The open transaction.
  /// - Throws: `DocumentError` naming the identifier that belongs to another account, or what SQLite
  ///   reports.
  func update(
    _ account: Account,
    keys: Set<String>,
    password: PasswordHash?,
    at now: EpochMilliseconds,
    random: RandomSource,
    _ db: Database
  ) throws {
    var account = account
    account.firstName = firstName
    account.lastName = lastName
    if keys.contains("password") { account.replacePassword(by: password, at: now) }
    account.passwordState = passwordState
    if keys.contains("totp_secret") { changeAuthenticator(of: &account, at: now) }
    if keys.contains("backup_codes") {
      account.backupCodes = backupCodes.map { Account.BackupCode(code: $0, isUsed: false) }
    }
    account.hasEmailSecondFactor = emailSecondFactor
    account.needsClientTrust = clientTrust
    account.isBanned = banned
    account.isEnterprise = enterprise
    account.usesEmailLink = emailLink
    account.tasks = tasks
    account.entra = entra
    if keys.contains("unsafe_metadata") { account.unsafeMetadata = unsafeMetadata.text }
    account.noteSecondFactor(isAsked: !secondFactors.isEmpty, at: now)
    account.updatedAt = now
    try account.update(db)
    let kinds = Set(keys.compactMap { Self.contactKeys[$0] })
    if !kinds.isEmpty {
      let kept = try Account.contacts(of: account.id, db)
      for contact in kept where kinds.contains(contact.kind) {
        if !describedContacts.contains(where: contact.is) { try contact.delete(db) }
      }
      try writeContacts(of: account.id, kinds, keeping: kept, at: now, random: random, db)
    }
    if keys.contains("locked") || keys.contains("failed_attempts") {
      try changeLock(of: account.id, keys, at: now, db)
    }
    if !keys.isDisjoint(with: Self.organizationKeys) {
      try writeOrganizations(of: account.id, at: now, random: random, db)
    }
  }

  private static let contactKeys: [String: Contact.Kind] = [
    "email_addresses": .emailAddress, "phone_numbers": .phoneNumber,
    "second_factor_phone_numbers": .phoneNumber, "username": .username,
  ]
  private static let organizationKeys: Set<String> = [
    "organizations", "organization_invitations", "organization_suggestions",
  ]

  private func changeAuthenticator(of account: inout Account, at now: EpochMilliseconds) {
    if totpSecret != account.totpSecret {
      account.totpUsedSteps = []
      account.totpCreatedAt = totpSecret == nil ? nil : now
    }
    account.totpSecret = totpSecret
    account.pendingTOTPSecret = nil
  }

  /// Writes the lock, the failures, or both.
  ///
  /// Locking and unlocking forget the failures, unless their number is given as well.
  private func changeLock(
    of accountID: String,
    _ keys: Set<String>,
    at now: EpochMilliseconds,
    _ db: Database
  ) throws {
    guard keys.contains("locked") else {
      var lockout = try Lockout.of(accountID, at: now, db)
      lockout.failureCount = failedAttempts
      lockout.updatedAt = now
      try lockout.upsert(db)
      return
    }
    var description = self
    if !keys.contains("failed_attempts") { description.failedAttempts = 0 }
    try Lockout.clear(accountID, db)
    try description.writeLock(of: accountID, at: now, db)
  }

  private func writeLock(of accountID: String, at now: EpochMilliseconds, _ db: Database) throws {
    guard locked != nil || failedAttempts > 0 else { return }
    try Lockout(
      subject: accountID,
      failureCount: failedAttempts,
      isLocked: locked != nil,
      lockedUntil: locked?.seconds.map { now.adding(seconds: $0) },
      updatedAt: now
    ).insert(db)
  }

  /// Writes the contacts of the given kinds.
  ///
  /// An existing contact keeps its identifier and its role; the first contact becomes the primary
  /// one or the default second factor only if none is left.
  private func writeContacts(
    of accountID: String,
    _ kinds: Set<Contact.Kind>,
    keeping kept: [Contact],
    at now: EpochMilliseconds,
    random: RandomSource,
    _ db: Database
  ) throws {
    let primary = kept.filter { $0.isPrimary && describedContacts.contains(where: $0.is) }
    var kindsWithPrimary = Set(primary.map(\.kind))
    let standing = kept.first { $0.isDefaultSecondFactor }?.value
    let defaultNumber =
      secondFactorPhoneNumbers.first { $0 == standing } ?? secondFactorPhoneNumbers.first
    for (position, described) in describedContacts.enumerated()
    where kinds.contains(described.kind) {
      let old = kept.first { $0.is(described) }
      let contact = Contact(
        id: old?.id ?? random.identifier("idn"),
        accountID: accountID,
        kind: described.kind,
        value: described.value,
        isPrimary: old.map(primary.contains) == true
          || kindsWithPrimary.insert(described.kind).inserted,
        isSecondFactor: described.isSecondFactor,
        isDefaultSecondFactor: described.isSecondFactor && described.value == defaultNumber,
        createdAt: old?.createdAt ?? now,
        position: position
      )
      guard old == nil else {
        try contact.update(db)
        continue
      }
      try Self.claiming(contact.value, by: described.key) { try contact.insert(db) }
      if contact.kind == .emailAddress {
        try OrganizationInvitee.claim(contact.value, by: accountID, at: now, db)
      }
    }
  }

  /// Writes a value that no two accounts may have.
  ///
  /// - Throws: `DocumentError` naming the key if the value is taken, or what SQLite reports.
  private static func claiming(
    _ value: String,
    by key: String,
    _ write: () throws -> Void
  ) throws {
    do {
      try write()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      throw DocumentError.taken(value, by: key)
    }
  }

  typealias DescribedContact = (
    key: String, kind: Contact.Kind, value: String, isSecondFactor: Bool
  )

  /// The contacts that identify the account, each with its key.
  var describedContacts: [DescribedContact] {
    emailAddresses.map { ("email_addresses", .emailAddress, $0, false) }
      + phoneNumbers.map { ("phone_numbers", .phoneNumber, $0, false) }
      + secondFactorPhoneNumbers.map { ("second_factor_phone_numbers", .phoneNumber, $0, true) }
      + (username.map { [("username", .username, $0, false)] } ?? [])
  }
}

extension Contact {
  fileprivate func `is`(_ described: AccountDescription.DescribedContact) -> Bool {
    kind == described.kind && value == described.value
  }
}
