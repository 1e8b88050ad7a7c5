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
      return .bare(.array(try contactsJSON(.emailAddress, account, contacts)))
    case .create:
      return .resource(unverifiedJSON(try addContact(.emailAddress, to: account)))
    case .read(let id):
      return .resource(json(try ownContact(id, .emailAddress, of: account), account))
    case .delete(let id): return try deleteEmailAddress(id, of: account)
    case .prepare(let id): return try prepareEmailAddress(id, of: account)
    case .attempt(let id): return try attemptEmailAddress(id, of: account)
    }
  }

  private func prepareEmailAddress(_ id: String, of account: Account) throws -> ClerkReply {
    var added = try unverifiedContact(id, .emailAddress, of: account)
    let contact = added.contact(among: [])
    switch try Strategy(parameter: form.required("strategy")) {
    case .emailCode:
      added.verification = try issueCode(
        .emailCode,
        to: contact,
        for: .signUp,
        replacing: added.verification
      )
    case .emailLink where settings.emailLink:
      added.verification = try issueLink(
        of: added.id,
        to: contact,
        for: .signUp,
        replacing: added.verification,
        admitsApps: false
      )
    case .emailLink: throw ClerkRefusal.disabledValue("strategy")
    default: throw ClerkRefusal.invalidValue("strategy")
    }
    try added.update(db)
    return .resource(unverifiedJSON(added))
  }

  private func attemptEmailAddress(_ id: String, of account: Account) throws -> ClerkReply {
    var added = try unverifiedContact(id, .emailAddress, of: account)
    guard try isRightCode(for: &added, .emailCode) else {
      return .refused(ClerkRefusal(422, .codeIncorrect))
    }
    return .resource(contactJSON(try own(added), account))
  }

  private func deleteEmailAddress(_ id: String, of account: Account) throws -> ClerkReply {
    switch try ownContact(id, .emailAddress, of: account) {
    case .unverified(let added): try added.delete(db)
    case .verified(let contact): try forget(contact)
    }
    return .resource(["object": "email_address", "id": .string(id), "deleted": true])
  }
}
