internal import GRDB

/// The parameters that several flows read.
extension EntraTransaction {
  /// The challenge types that the tenant supports.
  var supported: Set<ChallengeType> {
    guard let names = settings.entraChallengeTypes else { return Set(ChallengeType.allCases) }
    return Set(names.compactMap(ChallengeType.init(rawValue:))).union([.redirect])
  }

  /// The challenge types that the app offers.
  ///
  /// - Throws: `invalid_request` 901007 if `redirect` is missing or a value is unknown.
  func offeredChallengeTypes() throws -> Set<ChallengeType> {
    let names = form.list("challenge_type") ?? []
    let types = Set(names.compactMap(ChallengeType.init(rawValue:)))
    guard types.contains(.redirect), types.count == Set(names).count else {
      throw EntraRefusal.unsupportedChallengeTypes
    }
    return types
  }

  /// The capabilities that the app declares; both spellings of the parameter are read.
  func declaredCapabilities() -> Set<Capability> {
    Capability.list(form.text("capabilities") ?? form.text("capability") ?? "")
  }

  /// The answer that sends the app to a browser; nil if tenant and app both support the challenge
  /// type.
  func browserRequired(
    for type: ChallengeType,
    offered: Set<ChallengeType>
  ) -> EntraOutcome? {
    if let reply = browserRequired(for: type) { return reply }
    guard offered.contains(type) else {
      return .browserRequired("Client did not offer the challenge type \(type.rawValue)")
    }
    return nil
  }

  /// The answer that sends the app to a browser; nil if the tenant supports the challenge type.
  func browserRequired(for type: ChallengeType) -> EntraOutcome? {
    guard supported.contains(type) else {
      return .browserRequired("The tenant does not support the challenge type \(type.rawValue)")
    }
    return nil
  }

  /// The sign-in name in its normal form.
  ///
  /// - Throws: `invalid_request` 90100 if it is missing or malformed.
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

  /// The email address of an account; nil if it has none.
  func address(of account: Account) throws -> String? {
    try Account.contacts(of: account.id, db).first { $0.kind == .emailAddress }?.value
  }
}
