internal import GRDB

/// What several flows read from their calls.
extension EntraTransaction {
  /// What the tenant lets its apps do natively.
  var supported: Set<ChallengeType> {
    guard let names = settings.entraChallengeTypes else { return Set(ChallengeType.allCases) }
    return Set(names.compactMap(ChallengeType.init(rawValue:))).union([.redirect])
  }

  /// What the app says it can do itself.
  ///
  /// - Throws: `invalid_request` 901007 where `redirect` is missing or a value is unknown.
  func offeredChallengeTypes() throws -> Set<ChallengeType> {
    let names = form.list("challenge_type") ?? []
    let types = Set(names.compactMap(ChallengeType.init(rawValue:)))
    guard types.contains(.redirect), types.count == Set(names).count else {
      throw EntraRefusal.unsupportedChallengeTypes
    }
    return types
  }

  /// What the app is prepared for; both spellings of the parameter are read.
  func declaredCapabilities() -> Set<Capability> {
    Capability.list(form.text("capabilities") ?? form.text("capability") ?? "")
  }

  /// The answer that sends the app to a browser where it cannot go on in that way; nil where it can.
  func browserRequired(
    for type: ChallengeType,
    offered: Set<ChallengeType>
  ) -> EntraOutcome? {
    if !supported.contains(type) {
      return .browserRequired("The tenant does not support the challenge type \(type.rawValue)")
    }
    guard offered.contains(type) else {
      return .browserRequired("Client did not offer the challenge type \(type.rawValue)")
    }
    return nil
  }

  /// The sign-in name as it is kept.
  ///
  /// - Throws: `invalid_request` 90100 where it is missing or malformed.
  func identifier(_ text: String) throws -> (kind: Contact.Kind, value: String) {
    let kind = Contact.Kind(ofTyped: text)
    guard kind != .phoneNumber, let value = kind.normalized(text) else {
      throw EntraRefusal.invalidParameter("username")
    }
    return (kind, value)
  }

  /// The account that the call's `username` names.
  ///
  /// - Throws: `invalid_request` 90100, or `user_not_found`.
  func accountNamed() throws -> (username: String, account: Account) {
    guard let username = form.text("username") else {
      throw EntraRefusal.invalidParameter("username")
    }
    let (kind, value) = try identifier(username)
    guard let contact = try Account.contact(kind, value, db),
      let account = try Account.fetchOne(db, key: contact.accountID)
    else { throw EntraRefusal.userNotFound }
    return (username, account)
  }

  /// The address at which an account is reached; nil for one that has none.
  func address(of account: Account) throws -> String? {
    try Account.contacts(of: account.id, db).first { $0.kind == .emailAddress }?.value
  }
}
