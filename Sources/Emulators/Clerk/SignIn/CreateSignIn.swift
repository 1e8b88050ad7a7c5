internal import GRDB

/// Source: <doc:ClerkSigningIn>.
extension ClerkTransaction {
  /// `POST /v1/client/sign_ins`.
  func createSignIn() throws -> ClerkOutcome {
    try refuseIfSignedIn()
    try form.checkLocale()
    let name = try form.filled("strategy")
    if try form.flag("transfer") == true { throw ClerkRefusal.transferInvalid }
    if name == "ticket" { return try createSignIn(ticket: form.required("ticket")) }
    let strategy = try name.map(Strategy.init(parameter:))
    let password = try form.text("password")
    guard let identifier = try form.text("identifier") else {
      if password != nil || strategy == .password {
        throw ClerkRefusal.required("identifier", with: "password")
      }
      if strategy != nil { throw ClerkRefusal.required("identifier", with: "strategy") }
      return .resource(try signInJSON(begin(with: .unidentified)))
    }
    var signIn = try begin(with: subject(typing: identifier))
    let asked = strategy ?? .password
    switch asked {
    case .password:
      guard let password else {
        guard strategy == nil else { throw ClerkRefusal.missing("password") }
        return .resource(try signInJSON(signIn))
      }
      guard !password.isEmpty else { return .refused(.empty("password")) }
      return try attemptPassword(password, on: &signIn)
    case .emailCode, .phoneCode, .emailLink, .resetPasswordEmailCode, .resetPasswordPhoneCode,
      .enterpriseSSO:
      return try prepare(asked, on: &signIn)
    case .totp, .backupCode, .ticket:
      return .refused(.strategyForUserInvalid)
    }
  }

  /// `GET /v1/client/sign_ins/{id}`.
  func readSignIn(_ id: String) throws -> ClerkOutcome {
    var signIn = try ownSignIn(id)
    if let refusal = try collectApproval(of: &signIn) { return refusal }
    return .resource(try signInJSON(signIn))
  }

  /// The client's newest attempt, unless it is over.
  func presentSignIn(of client: ClerkClient) throws -> ClerkSignIn? {
    guard let id = client.signInID else { return nil }
    // Most attempts are complete; SQL skips them without decoding, which takes ten times as long.
    return try ClerkSignIn.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT * FROM signIn
          WHERE id = ? AND abandonAt > ? AND state ->> 'status' <> 'complete'
          """
      ),
      arguments: [id, now]
    )
  }

  /// The attempt with that id, which has to be the client's newest.
  ///
  /// - Throws: `resource_not_found` for another client's or an abandoned one, `resource_forbidden`
  ///   for an older one, `sign_in_identification_or_user_deleted` where the account is gone.
  func newestSignIn(_ id: String) throws -> ClerkSignIn {
    let signIn = try ownSignIn(id)
    guard try requireClient().signInID == id else { throw ClerkRefusal.resourceForbidden }
    // Queried for a decoy, too, so that both take the same time (S19).
    let hasAccount = try Account.exists(db, key: signIn.accountID ?? "")
    if signIn.accountID != nil, !hasAccount {
      throw ClerkRefusal.badRequest(
        "sign_in_identification_or_user_deleted",
        "The account of this sign-in has been deleted. Start over."
      )
    }
    return signIn
  }

  private func ownSignIn(_ id: String) throws -> ClerkSignIn {
    let client = try requireClient()
    guard let signIn = try ClerkSignIn.fetchOne(db, key: id), signIn.clientID == client.id,
      signIn.abandonAt > now
    else { throw ClerkRefusal.resourceNotFound }
    attemptLocale = signIn.state.locale
    return signIn
  }

  /// Stores a step of the attempt.
  func save(_ signIn: inout ClerkSignIn) throws {
    signIn.abandonAt = now.adding(seconds: Self.abandonSeconds)
    try signIn.update(db)
  }

  /// The seconds without a step after which an attempt is abandoned.
  static var abandonSeconds: Int { 86_400 }

  /// Refuses a second session: the emulated instances allow one per client.
  func refuseIfSignedIn() throws {
    if let live = try standingSession { throw ClerkRefusal.sessionExists(live.id) }
  }

  func begin(with subject: ClerkSignIn.Subject) throws -> ClerkSignIn {
    let client = try clientOrNew()
    var state = ClerkSignIn.State(subject: subject, locale: call.locale)
    switch subject {
    case .unidentified: break
    case .account(let id, _):
      state.status = .needsFirstFactor
      state.trust = try client.knows(id, db) ? .known : .new
    case .decoy(let contact):
      state.status = .needsFirstFactor
      // A decoy is never known, but the query is made so that both take the same time (S19).
      _ = try client.knows(contact.id, db)
      state.trust = .new
    }
    let signIn = ClerkSignIn(
      id: random.identifier("sia"),
      clientID: client.id,
      createdAt: now,
      abandonAt: now.adding(seconds: Self.abandonSeconds),
      state: state
    )
    try signIn.insert(db)
    try updateClient { $0.signInID = signIn.id }
    try forgetOldAttempts(of: client, in: "signIn")
    return signIn
  }

  /// Deletes all but a client's four newest attempts, so that one just superseded has its own refusal.
  func forgetOldAttempts(of client: ClerkClient, in table: String) throws {
    try db.cachedStatement(
      sql: """
        DELETE FROM \(table) WHERE clientID = ?1 AND rowid NOT IN (
          SELECT rowid FROM \(table) WHERE clientID = ?1 ORDER BY rowid DESC LIMIT 4
        )
        """
    ).execute(arguments: [client.id])
  }

  /// The subject that a typed identifier stands for.
  ///
  /// - Throws: `form_param_nil`, `form_param_format_invalid`, `form_identifier_not_found` or
  ///   `user_banned`.
  private func subject(typing text: String) throws -> ClerkSignIn.Subject {
    guard text.utf8.contains(where: { $0 != UInt8(ascii: " ") }) else {
      throw ClerkRefusal.empty("identifier")
    }
    let kind = Contact.Kind(ofTyped: text)
    guard let value = kind.normalized(text) else {
      throw kind == .username
        ? ClerkRefusal.identifierNotFound
        : ClerkRefusal(422, .invalidFormat("identifier", kind))
    }
    // Whether a kind may sign in is no secret: the environment tells it.
    guard settings.admits(kind) else { throw ClerkRefusal.identifierNotFound }
    guard let contact = try Account.contact(kind, value, db), !contact.isSecondFactor else {
      guard settings.enumerationProtection else { throw ClerkRefusal.identifierNotFound }
      return .decoy(decoy(kind, value))
    }
    if !settings.enumerationProtection,
      try Account.fetchOne(db, key: contact.accountID)?.isBanned == true
    {
      throw ClerkRefusal.userBanned
    }
    return .account(id: contact.accountID, typed: .init(contact))
  }

  /// A contact that nobody has; typing it again gives the same id.
  private func decoy(_ kind: Contact.Kind, _ value: String) -> ClerkSignIn.TypedContact {
    let id = "idn_" + DecoyName.text(for: "\(kind.rawValue):\(value)")
    return ClerkSignIn.TypedContact(id: id, kind: kind, value: value)
  }
}

extension Contact.Kind {
  /// The kind of a typed identifier: an `@` makes it an email address, a leading `+` a phone number.
  init(ofTyped text: String) {
    if text.utf8.contains(UInt8(ascii: "@")) {
      self = .emailAddress
    } else if text.drop(while: { $0 == " " }).hasPrefix("+") {
      self = .phoneNumber
    } else {
      self = .username
    }
  }
}
