internal import GRDB

/// Source: <doc:ClerkUsers>.
extension ClerkTransaction {
  /// `GET /v1/me`.
  func readUser() throws -> ClerkOutcome {
    let (_, account) = try signedIn()
    return .resource(try userJSON(account, Account.contacts(of: account.id, db)))
  }

  /// `PATCH /v1/me`.
  func updateUser() throws -> ClerkOutcome {
    if form.names.contains("password") {
      throw ClerkRefusal.badRequest(
        "updating_user_password_deprecated",
        "Use change_password.",
        status: 403
      )
    }
    if form.names.contains("primary_web3_wallet_id") {
      throw ClerkRefusal.notImplemented("Changing primary_web3_wallet_id")
    }
    try form.allowOnly([
      "first_name", "last_name", "username", "primary_email_address_id",
      "primary_phone_number_id",
    ])
    var (_, account) = try signedIn()
    if let name = try form.text("first_name") {
      account.firstName = try personName(name, "first_name")
    }
    if let name = try form.text("last_name") {
      account.lastName = try personName(name, "last_name")
    }
    if let name = try form.text("username") { try setUsername(name, of: account) }
    for kind in [Contact.Kind.emailAddress, .phoneNumber] {
      if let id = try form.filled("primary_\(kind.rawValue)_id") {
        try makePrimary(id, kind, of: account)
      }
    }
    account.updatedAt = now
    try account.update(db)
    return .resource(try userJSON(account, Account.contacts(of: account.id, db)))
  }

  private func setUsername(_ text: String, of account: Account) throws {
    guard settings.username != .off else { throw ClerkRefusal.unknownParameter("username") }
    let contacts = try Account.contacts(of: account.id, db)
    let present = contacts.first { $0.kind == .username }
    guard !text.isEmpty else {
      // A username cannot be removed if it is required or the only identifier.
      guard settings.username != .required else { throw ClerkRefusal.empty("username") }
      guard contacts.contains(where: { $0.kind != .username && !$0.isSecondFactor }) else {
        throw ClerkRefusal.lastIdentification
      }
      try present?.delete(db)
      return
    }
    if let problem = UsernameRules.problem(in: text) { throw ClerkRefusal(422, problem) }
    guard let value = Contact.Kind.username.normalized(text) else {
      throw ClerkRefusal.invalidValue("username")
    }
    let owner = try Account.contact(.username, value, db)
    guard owner == nil || owner?.accountID == account.id else {
      throw ClerkRefusal(422, .identifierExists("username"))
    }
    var contact =
      present
      ?? Contact(
        id: random.identifier("idn"),
        accountID: account.id,
        kind: .username,
        value: value,
        isPrimary: true,
        isSecondFactor: false,
        isDefaultSecondFactor: false,
        createdAt: now,
        position: contacts.nextPosition
      )
    contact.value = value
    try contact.save(db)
  }

  private func makePrimary(_ id: String, _ kind: Contact.Kind, of account: Account) throws {
    let contacts = try Account.contacts(of: account.id, db).filter { $0.kind == kind }
    guard let chosen = contacts.first(where: { $0.id == id }), !chosen.isSecondFactor else {
      throw ClerkRefusal.resourceNotFound(parameter: "primary_\(kind.rawValue)_id")
    }
    for var contact in contacts where contact.isPrimary != (contact.id == id) {
      contact.isPrimary = contact.id == id
      try contact.update(db)
    }
  }

  /// A name as it is stored; nil if it is blank.
  func personName(_ text: String, _ parameter: String) throws(ClerkRefusal) -> String? {
    if let problem = PersonName.problem(in: text, parameter) { throw ClerkRefusal(422, problem) }
    return text.isBlank ? nil : text
  }
}
