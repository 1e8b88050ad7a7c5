internal import GRDB
internal import HTTPTypes

/// The calls on the addresses of an account.
enum EmailAddressRoute: Hashable, Sendable {
  case list, create
  case read(String), delete(String)
  case prepare(String), attempt(String)

  /// Nil for a call of another kind.
  init?(_ call: ClerkCall) {
    let path = call.path
    guard (2...4).contains(path.count), path[0] == "me", path[1] == "email_addresses" else {
      return nil
    }
    switch (call.method, path.count, path.count == 4 ? path[3] : "") {
    case (.get, 2, _): self = .list
    case (.post, 2, _): self = .create
    case (.get, 3, _): self = .read(String(path[2]))
    case (.delete, 3, _): self = .delete(String(path[2]))
    case (.post, 4, "prepare_verification"): self = .prepare(String(path[2]))
    case (.post, 4, "attempt_verification"): self = .attempt(String(path[2]))
    default: return nil
    }
  }
}

/// Source: clerk-frontend-api.md section 3.10.
extension ClerkTransaction {
  func carryOut(_ route: EmailAddressRoute) throws -> ClerkReply {
    let (_, account) = try signedIn()
    switch route {
    case .list:
      let contacts = try Account.contacts(of: account.id, db)
      return .bare(.array(try emailAddressesJSON(account, contacts)))
    case .create: return try createEmailAddress(of: account)
    case .read(let id):
      return .resource(try json(emailAddress(id, of: account), account))
    case .delete(let id): return try deleteEmailAddress(id, of: account)
    case .prepare(let id): return try prepareEmailAddress(id, of: account)
    case .attempt(let id): return try attemptEmailAddress(id, of: account)
    }
  }

  /// The addresses of an account, proven or not, as the user's resource lists them.
  func emailAddressesJSON(_ account: Account, _ contacts: [Contact]) throws -> [JSON] {
    let added = try UnverifiedContact.all(of: account.id, db)
    return contacts.filter { $0.kind == .emailAddress }.map { contactJSON($0, account) }
      + added.filter { $0.kind == .emailAddress }.map(unverifiedJSON)
  }

  private func createEmailAddress(of account: Account) throws -> ClerkReply {
    let text = try form.required("email_address")
    guard let value = Contact.Kind.emailAddress.normalized(text) else {
      throw ClerkRefusal(422, .invalidFormat("email_address", .emailAddress))
    }
    let own = try UnverifiedContact.all(of: account.id, db)
    guard try Account.contact(.emailAddress, value, db) == nil,
      !own.contains(where: { $0.kind == .emailAddress && $0.value == value })
    else { throw ClerkRefusal(422, .identifierExists("email_address")) }
    guard own.count < Self.unverifiedContactLimit else {
      throw ClerkRefusal.tooManyUnverifiedContacts
    }
    let added = UnverifiedContact(
      id: random.identifier("idn"),
      accountID: account.id,
      kind: .emailAddress,
      value: value,
      isSecondFactor: false,
      createdAt: now
    )
    try added.insert(db)
    return .resource(unverifiedJSON(added))
  }

  private func prepareEmailAddress(_ id: String, of account: Account) throws -> ClerkReply {
    guard case .unverified(var added) = try emailAddress(id, of: account) else {
      throw ClerkRefusal.verificationAlreadyVerified
    }
    switch try Strategy(parameter: form.required("strategy")) {
    case .emailCode: break
    case .emailLink where settings.emailLink:
      throw ClerkRefusal.notImplemented("Verifying an added address by a link")
    case .emailLink: throw ClerkRefusal.disabledValue("strategy")
    default: throw ClerkRefusal.invalidValue("strategy")
    }
    added.verification = try issueCode(
      .emailCode,
      to: added.contact(among: []),
      for: .signUp,
      replacing: added.verification
    )
    try added.update(db)
    return .resource(unverifiedJSON(added))
  }

  private func attemptEmailAddress(_ id: String, of account: Account) throws -> ClerkReply {
    guard case .unverified(var added) = try emailAddress(id, of: account) else {
      throw ClerkRefusal.verificationAlreadyVerified
    }
    let code = try form.required("code")
    var verification = added.verification
    let isRight = try isRight(code, for: .emailCode, &verification) { counted in
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
    let contact = added.contact(among: try Account.contacts(of: account.id, db))
    try contact.insert(db)
    return .resource(contactJSON(contact, account))
  }

  private func deleteEmailAddress(_ id: String, of account: Account) throws -> ClerkReply {
    switch try emailAddress(id, of: account) {
    case .unverified(let added): try added.delete(db)
    case .verified(let contact):
      let others = try Account.contacts(of: account.id, db).filter { $0.id != contact.id }
      guard others.contains(where: { !$0.isSecondFactor }) else {
        throw ClerkRefusal.lastIdentification
      }
      try contact.delete(db)
      if contact.isPrimary, var next = others.first(where: { $0.kind == .emailAddress }) {
        next.isPrimary = true
        try next.update(db)
      }
    }
    return .resource(["object": "email_address", "id": .string(id), "deleted": true])
  }

  private static var unverifiedContactLimit: Int { 10 }

  private enum EmailAddress {
    case verified(Contact)
    case unverified(UnverifiedContact)
  }

  private func emailAddress(_ id: String, of account: Account) throws -> EmailAddress {
    if let contact = try Contact.fetchOne(db, key: id), contact.kind == .emailAddress,
      contact.accountID == account.id
    {
      return .verified(contact)
    }
    guard let added = try UnverifiedContact.fetchOne(db, key: id), added.kind == .emailAddress,
      added.accountID == account.id
    else { throw ClerkRefusal.resourceNotFound }
    return .unverified(added)
  }

  private func json(_ address: EmailAddress, _ account: Account) -> JSON {
    switch address {
    case .verified(let contact): contactJSON(contact, account)
    case .unverified(let added): unverifiedJSON(added)
    }
  }

  private func unverifiedJSON(_ added: UnverifiedContact) -> JSON {
    [
      "object": "email_address",
      "id": .string(added.id),
      "email_address": .string(added.value),
      "reserved": false,
      "verification": added.verification?.json(at: now) ?? .null,
      "linked_to": [],
      "matches_sso_connection": false,
      "created_at": .instant(added.createdAt),
      "updated_at": .instant(added.createdAt),
    ]
  }
}
