internal import GRDB

/// Source: clerk-frontend-api.md section 3.10.
extension ClerkTransaction {
  /// `GET /v1/me/phone_numbers`: a bare array.
  func readPhones() throws -> ClerkReply {
    let (_, account) = try signedIn()
    let contacts = try Account.contacts(of: account.id, db)
    return .bare(.array(try phonesJSON(account, contacts)))
  }

  /// `GET /v1/me/phone_numbers/{id}`.
  func readPhone(_ id: String) throws -> ClerkReply {
    let (_, account) = try signedIn()
    switch try phone(id, of: account) {
    case .verified(let contact): return .resource(contactJSON(contact, account))
    case .unverified(let contact): return .resource(unverifiedJSON(contact))
    }
  }

  /// `POST /v1/me/phone_numbers`.
  func createPhone() throws -> ClerkReply {
    let (_, account) = try signedIn()
    let isSecondFactor = try form.flag("reserved_for_second_factor") ?? false
    let text = try form.required("phone_number")
    guard settings.phone != .off else { throw ClerkRefusal.disabledValue("phone_number") }
    guard let value = Contact.Kind.phoneNumber.normalized(text) else {
      throw ClerkRefusal(422, .invalidFormat("phone_number", .phoneNumber))
    }
    let own = try UnverifiedContact.all(of: account.id, db)
    guard try Account.contact(.phoneNumber, value, db) == nil,
      !own.contains(where: { $0.kind == .phoneNumber && $0.value == value })
    else { throw ClerkRefusal(422, .identifierExists("phone_number")) }
    guard own.count < Self.unverifiedContactLimit else {
      throw ClerkRefusal.tooManyUnverifiedContacts
    }
    let added = UnverifiedContact(
      id: random.identifier("idn"),
      accountID: account.id,
      kind: .phoneNumber,
      value: value,
      isSecondFactor: isSecondFactor,
      createdAt: now
    )
    try added.insert(db)
    return .resource(unverifiedJSON(added))
  }

  /// `POST …/prepare_verification`.
  func preparePhone(_ id: String) throws -> ClerkReply {
    let (_, account) = try signedIn()
    guard case .unverified(var added) = try phone(id, of: account) else {
      throw ClerkRefusal.verificationAlreadyVerified
    }
    guard try Strategy(parameter: form.required("strategy")) == .phoneCode else {
      throw ClerkRefusal.invalidValue("strategy")
    }
    added.verification = try issueCode(
      .phoneCode,
      to: added.contact(among: []),
      for: .phoneNumber,
      replacing: added.verification
    )
    try added.update(db)
    return .resource(unverifiedJSON(added))
  }

  /// `POST …/attempt_verification`.
  func attemptPhone(_ id: String) throws -> ClerkReply {
    var (_, account) = try signedIn()
    guard case .unverified(var added) = try phone(id, of: account) else {
      throw ClerkRefusal.verificationAlreadyVerified
    }
    let code = try form.required("code")
    var verification = added.verification
    let isRight = try isRight(code, for: .phoneCode, &verification) { counted in
      var saved = added
      saved.verification = counted
      try saved.update(db)
    }
    added.verification = verification
    guard isRight else { return .refused(ClerkRefusal(422, .codeIncorrect)) }
    guard try Account.contact(added.kind, added.value, db) == nil else {
      throw ClerkRefusal.identificationClaimed
    }
    try added.delete(db)
    var contact = added.contact(among: try Account.contacts(of: account.id, db))
    try contact.insert(db)
    let codes = added.isSecondFactor ? try reserve(&contact, of: &account) : nil
    return .resource(contactJSON(contact, account, backupCodes: codes))
  }

  /// `PATCH /v1/me/phone_numbers/{id}`: makes it a second factor, or no longer one.
  func updatePhone(_ id: String) throws -> ClerkReply {
    var (_, account) = try signedIn()
    let isReserved = try form.flag("reserved_for_second_factor")
    let isDefault = try form.flag("default_second_factor")
    guard case .verified(var contact) = try phone(id, of: account) else {
      throw ClerkRefusal.secondFactorUnverified
    }
    var codes: [String]?
    switch isReserved {
    case true where !contact.isSecondFactor:
      codes = try reserve(&contact, of: &account)
    case false where contact.isSecondFactor:
      try release(&contact, of: account)
    default: break
    }
    if isDefault == true, contact.isSecondFactor { try makeDefault(&contact) }
    return .resource(contactJSON(contact, account, backupCodes: codes))
  }

  /// `DELETE /v1/me/phone_numbers/{id}`.
  func deletePhone(_ id: String) throws -> ClerkReply {
    let (_, account) = try signedIn()
    switch try phone(id, of: account) {
    case .unverified(let added): try added.delete(db)
    case .verified(var contact):
      let others = try Account.contacts(of: account.id, db).filter { $0.id != contact.id }
      guard others.contains(where: { !$0.isSecondFactor }) else {
        throw ClerkRefusal.lastIdentification
      }
      if contact.isSecondFactor { try release(&contact, of: account) }
      try contact.delete(db)
    }
    return .resource(["object": "phone_number", "id": .string(id), "deleted": true])
  }

  /// The numbers of an account, proven or not, as the user's resource lists them.
  func phonesJSON(_ account: Account, _ contacts: [Contact]) throws -> [JSON] {
    let added = try UnverifiedContact.all(of: account.id, db)
    return contacts.filter { $0.kind == .phoneNumber }.map { contactJSON($0, account) }
      + added.filter { $0.kind == .phoneNumber }.map(unverifiedJSON)
  }

  private static let unverifiedContactLimit = 10

  private enum Phone {
    case verified(Contact)
    case unverified(UnverifiedContact)
  }

  private func phone(_ id: String, of account: Account) throws -> Phone {
    if let contact = try Contact.fetchOne(db, key: id), contact.kind == .phoneNumber,
      contact.accountID == account.id
    {
      return .verified(contact)
    }
    guard let added = try UnverifiedContact.fetchOne(db, key: id), added.kind == .phoneNumber,
      added.accountID == account.id
    else { throw ClerkRefusal.resourceNotFound }
    return .unverified(added)
  }

  /// Makes a proven number a second factor.
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
    guard !hadSecondFactor, let codes = firstBackupCodes(of: &account) else { return nil }
    account.updatedAt = now
    try account.update(db)
    return codes
  }

  private func release(_ contact: inout Contact, of account: Account) throws {
    let others = try Account.contacts(of: account.id, db).filter { $0.id != contact.id }
    guard !mustKeepSecondFactor(account) || account.hasSecondFactor(others) else {
      throw ClerkRefusal.secondFactorNeeded
    }
    contact.isSecondFactor = false
    contact.isDefaultSecondFactor = false
    try contact.update(db)
    if var next = others.first(where: \.isSecondFactor) { try makeDefault(&next) }
  }

  private func makeDefault(_ contact: inout Contact) throws {
    try db.cachedStatement(sql: "UPDATE contact SET isDefaultSecondFactor = 0 WHERE accountID = ?")
      .execute(arguments: [contact.accountID])
    contact.isDefaultSecondFactor = true
    try contact.update(db)
  }

  private func unverifiedJSON(_ added: UnverifiedContact) -> JSON {
    [
      "object": "phone_number",
      "id": .string(added.id),
      "phone_number": .string(added.value),
      "reserved_for_second_factor": .bool(added.isSecondFactor),
      "default_second_factor": false,
      "reserved": false,
      "verification": added.verification?.json(at: now) ?? .null,
      "linked_to": [],
      "backup_codes": .null,
      "created_at": .instant(added.createdAt),
      "updated_at": .instant(added.createdAt),
    ]
  }
}
