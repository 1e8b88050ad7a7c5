internal import GRDB

/// What the email addresses and phone numbers of an account have in common.
///
/// Source: <doc:ClerkUsers>.
extension ClerkTransaction {
  /// A contact of an account, verified or only added.
  enum OwnContact {
    case verified(Contact)
    case unverified(UnverifiedContact)
  }

  /// The contact of that id.
  ///
  /// - Throws: `resource_not_found` for one of another kind, or of another account.
  func ownContact(_ id: String, _ kind: Contact.Kind, of account: Account) throws -> OwnContact {
    if let contact = try Contact.fetchOne(db, key: id), contact.kind == kind,
      contact.accountID == account.id
    {
      return .verified(contact)
    }
    guard let added = try UnverifiedContact.fetchOne(db, key: id), added.kind == kind,
      added.accountID == account.id
    else { throw ClerkRefusal.resourceNotFound }
    return .unverified(added)
  }

  /// The contact with that id, which must not be verified yet.
  func unverifiedContact(
    _ id: String,
    _ kind: Contact.Kind,
    of account: Account
  ) throws -> UnverifiedContact {
    guard case .unverified(let added) = try ownContact(id, kind, of: account) else {
      throw ClerkRefusal.verificationAlreadyVerified
    }
    return added
  }

  /// Adds the contact in the call, to be verified.
  func addContact(
    _ kind: Contact.Kind,
    isSecondFactor: Bool = false,
    to account: Account
  ) throws -> UnverifiedContact {
    let parameter = kind.rawValue
    let text = try form.required(parameter)
    guard settings.admits(kind) else { throw ClerkRefusal.disabledValue(parameter) }
    guard let value = kind.normalized(text) else {
      throw ClerkRefusal(422, .invalidFormat(parameter, kind))
    }
    let own = try UnverifiedContact.all(of: account.id, db)
    guard try !isTaken(kind, value, for: account),
      !own.contains(where: { $0.kind == kind && $0.value == value })
    else { throw ClerkRefusal(422, .identifierExists(parameter)) }
    guard own.count < Self.unverifiedContactLimit else {
      throw ClerkRefusal.tooManyUnverifiedContacts
    }
    let added = UnverifiedContact(
      id: random.identifier("idn"),
      accountID: account.id,
      kind: kind,
      value: value,
      isSecondFactor: isSecondFactor,
      createdAt: now
    )
    try added.insert(db)
    return added
  }

  /// Whether a contact cannot be added to the account; with protection against enumeration, it does not
  /// matter here that another account has it (S19).
  private func isTaken(_ kind: Contact.Kind, _ value: String, for account: Account) throws -> Bool {
    guard let contact = try Account.contact(kind, value, db) else { return false }
    return contact.accountID == account.id || !settings.enumerationProtection
  }

  /// Whether no account has an added contact; if one has, its owner gets no message and no code is right.
  func isFree(_ added: UnverifiedContact) throws -> Bool {
    try Account.contact(added.kind, added.value, db) == nil
  }

  /// Checks the code in the call for a contact.
  ///
  /// - Returns: Whether it is right; the try is counted either way.
  func isRightCode(for added: inout UnverifiedContact, _ strategy: Strategy) throws -> Bool {
    let code = try form.required("code")
    let asked = added
    return try isRight(code, for: strategy, &added.verification) { counted in
      var saved = asked
      saved.verification = counted
      try saved.update(db)
    }
  }

  /// Makes a verified contact one of the account's own.
  ///
  /// - Throws: `identification_claimed` if an account has claimed it meanwhile.
  func own(_ added: UnverifiedContact) throws -> Contact {
    guard try Account.contact(added.kind, added.value, db) == nil else {
      throw ClerkRefusal.identificationClaimed
    }
    try added.delete(db)
    let contact = added.contact(among: try Account.contacts(of: added.accountID, db))
    try contact.insert(db)
    try ContactProof(id: contact.id, verification: added.verification).update(db)
    if contact.kind == .emailAddress {
      try OrganizationInvitee.claim(contact.value, by: contact.accountID, at: now, db)
      try noteEmailFactor(of: contact.accountID)
    }
    return contact
  }

  /// Deletes a verified contact; if it was the primary one, the next of its kind takes its place.
  ///
  /// - Throws: `last_required_identification_deletion_failed` if it is the account's only identifier.
  func forget(_ contact: Contact) throws {
    let others = try Account.contacts(of: contact.accountID, db).filter { $0.id != contact.id }
    guard others.contains(where: { !$0.isSecondFactor }) else {
      throw ClerkRefusal.lastIdentification
    }
    try contact.delete(db)
    let next = others.first { $0.kind == contact.kind && !$0.isSecondFactor }
    if contact.isPrimary, var next {
      next.isPrimary = true
      try next.update(db)
    }
    if contact.kind == .emailAddress { try noteEmailFactor(of: contact.accountID) }
  }

  /// Updates since when the account has a second factor; codes by email are one only with an address.
  private func noteEmailFactor(of accountID: String) throws {
    guard var account = try Account.fetchOne(db, key: accountID), account.hasEmailSecondFactor
    else { return }
    account.noteSecondFactor(try Account.contacts(of: accountID, db), at: now)
    try account.update(db)
  }

  /// Returns a function that lists an account's contacts of a kind, verified or not; they are read once
  /// for all kinds.
  ///
  /// - Throws: What SQLite reports.
  func contactsJSON(
    _ account: Account,
    _ contacts: [Contact]
  ) throws -> (Contact.Kind) -> [JSON] {
    let added = try UnverifiedContact.all(of: account.id, db)
    let proofs = try ContactProof.all(of: account.id, db)
    return { [self] kind in
      contacts.filter { $0.kind == kind }.map { contactJSON($0, account, proofs[$0.id]) }
        + added.filter { $0.kind == kind }.map(unverifiedJSON)
    }
  }

  func json(_ contact: OwnContact, _ account: Account) throws -> JSON {
    switch contact {
    case .verified(let contact): try contactJSON(contact, account)
    case .unverified(let added): unverifiedJSON(added)
    }
  }

  /// The resource of a contact that is not verified yet.
  func unverifiedJSON(_ added: UnverifiedContact) -> JSON {
    var contact = added.contact(among: [])
    contact.isSecondFactor = added.isSecondFactor
    return contactJSON(contact, verification: added.verification?.json(at: now) ?? .null)
  }

  private static let unverifiedContactLimit = 10
}
