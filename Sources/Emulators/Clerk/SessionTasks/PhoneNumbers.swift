internal import GRDB

/// Source: <doc:ClerkUsers>.
extension ClerkTransaction {
  /// `GET /v1/me/phone_numbers`: a bare array.
  func readPhones() throws -> ClerkOutcome {
    let (_, account) = try signedIn()
    let contacts = try Account.contacts(of: account.id, db)
    return .bare(.array(try contactsJSON(account, contacts)(.phoneNumber)))
  }

  /// `GET /v1/me/phone_numbers/{id}`.
  func readPhone(_ id: String) throws -> ClerkOutcome {
    let (_, account) = try signedIn()
    return .resource(try json(ownContact(id, .phoneNumber, of: account), account))
  }

  /// `POST /v1/me/phone_numbers`.
  func createPhone() throws -> ClerkOutcome {
    let (_, account) = try signedIn()
    let isSecondFactor = try form.flag("reserved_for_second_factor") ?? false
    let added = try addContact(.phoneNumber, isSecondFactor: isSecondFactor, to: account)
    return .resource(unverifiedJSON(added))
  }

  /// `POST …/prepare_verification`.
  func preparePhone(_ id: String) throws -> ClerkOutcome {
    let (_, account) = try signedIn()
    var added = try unverifiedContact(id, .phoneNumber, of: account)
    guard try Strategy(parameter: form.required("strategy")) == .phoneCode else {
      throw ClerkRefusal.invalidValue("strategy")
    }
    added.verification = try issueCode(
      .phoneCode,
      to: added.contact(among: []),
      for: .phoneNumber,
      replacing: added.verification,
      isDelivered: isFree(added)
    )
    try added.update(db)
    return .resource(unverifiedJSON(added))
  }

  /// `POST …/attempt_verification`.
  func attemptPhone(_ id: String) throws -> ClerkOutcome {
    var (_, account) = try signedIn()
    var added = try unverifiedContact(id, .phoneNumber, of: account)
    guard try isRightCode(for: &added, .phoneCode) else {
      return .refused(ClerkRefusal(422, .codeIncorrect))
    }
    var contact = try own(added)
    let codes = added.isSecondFactor ? try reserve(&contact, of: &account) : nil
    return .resource(try contactJSON(contact, account, backupCodes: codes))
  }

  /// `PATCH /v1/me/phone_numbers/{id}`: makes it a second factor, or no longer one.
  ///
  /// A number stops being the default when another one becomes it; merely to unset it is refused.
  func updatePhone(_ id: String) throws -> ClerkOutcome {
    var (_, account) = try signedIn()
    let isReserved = try form.flag("reserved_for_second_factor")
    let isDefault = try form.flag("default_second_factor")
    guard case .verified(var contact) = try ownContact(id, .phoneNumber, of: account) else {
      throw ClerkRefusal.secondFactorUnverified
    }
    let wasDefault = contact.isDefaultSecondFactor
    var codes: [String]?
    switch isReserved {
    case true where !contact.isSecondFactor:
      codes = try reserve(&contact, of: &account)
    case false where contact.isSecondFactor:
      try release(&contact, of: &account)
    default: break
    }
    switch isDefault {
    case true where contact.isSecondFactor: try makeDefault(&contact)
    case false where wasDefault && contact.isSecondFactor:
      throw ClerkRefusal.defaultSecondFactorStays
    default: break
    }
    return .resource(try contactJSON(contact, account, backupCodes: codes))
  }

  /// `DELETE /v1/me/phone_numbers/{id}`.
  func deletePhone(_ id: String) throws -> ClerkOutcome {
    var (_, account) = try signedIn()
    switch try ownContact(id, .phoneNumber, of: account) {
    case .unverified(let added): try added.delete(db)
    case .verified(var contact):
      if contact.isSecondFactor { try release(&contact, of: &account) }
      try forget(contact)
    }
    return .resource(["object": "phone_number", "id": .string(id), "deleted": true])
  }

  /// Makes a verified number a second factor.
  ///
  /// - Returns: The backup codes that come with the first second factor.
  private func reserve(_ contact: inout Contact, of account: inout Account) throws -> [String]? {
    let contacts = try Account.contacts(of: account.id, db)
    let isOnlyIdentifier = !contacts.contains { $0.id != contact.id && !$0.isSecondFactor }
    guard !isOnlyIdentifier else { throw ClerkRefusal.identificationUpdateFailed }
    let hadSecondFactor = account.hasSecondFactor(contacts)
    contact.isSecondFactor = true
    contact.isDefaultSecondFactor = !contacts.contains { $0.isDefaultSecondFactor }
    try contact.update(db)
    guard !hadSecondFactor else { return nil }
    let codes = firstBackupCodes(of: &account)
    account.noteSecondFactor(isAsked: true, at: now)
    account.updatedAt = now
    try account.update(db)
    return codes
  }

  private func release(_ contact: inout Contact, of account: inout Account) throws {
    let others = try Account.contacts(of: account.id, db).filter { $0.id != contact.id }
    guard !mustKeepSecondFactor(account) || account.hasSecondFactor(others) else {
      throw ClerkRefusal.secondFactorNeeded
    }
    let wasDefault = contact.isDefaultSecondFactor
    contact.isSecondFactor = false
    contact.isDefaultSecondFactor = false
    try contact.update(db)
    account.noteSecondFactor(others, at: now)
    account.updatedAt = now
    try account.update(db)
    if wasDefault, var next = others.first(where: \.isSecondFactor) { try makeDefault(&next) }
  }

  private func makeDefault(_ contact: inout Contact) throws {
    try db.cachedStatement(sql: "UPDATE contact SET isDefaultSecondFactor = 0 WHERE accountID = ?")
      .execute(arguments: [contact.accountID])
    contact.isDefaultSecondFactor = true
    try contact.update(db)
  }
}
