internal import GRDB
internal import HTTPExchange

/// Source: <doc:ClerkUsers>, <doc:ClerkSecondFactors>.
extension ClerkTransaction {
  /// `POST /v1/me/totp`: makes a new secret, which only this answer shows.
  func createAuthenticator() throws -> ClerkOutcome {
    var (_, account) = try signedIn()
    guard account.totpSecret == nil else { throw ClerkRefusal.authenticatorExists }
    let secret = random.authenticatorSecret()
    account.pendingTOTPSecret = secret
    account.totpCreatedAt = now
    account.updatedAt = now
    try account.update(db)
    return .resource(try authenticatorJSON(account, secret: secret, isVerified: false))
  }

  /// `POST /v1/me/totp/attempt_verification`.
  func attemptAuthenticator() throws -> ClerkOutcome {
    try form.allowOnly(["code"])
    var (_, account) = try signedIn()
    guard account.totpSecret == nil else { throw ClerkRefusal.verificationAlreadyVerified }
    let code = try form.required("code")
    guard let secret = account.pendingTOTPSecret else { throw ClerkRefusal.resourceNotFound }
    let contacts = try Account.contacts(of: account.id, db)
    let hadSecondFactor = settings.asksSecondFactor(of: account, contacts)
    account.totpSecret = secret
    guard account.use(authenticatorCode: code, at: now) else {
      throw ClerkRefusal(422, .codeIncorrect)
    }
    account.pendingTOTPSecret = nil
    let codes = hadSecondFactor ? nil : firstBackupCodes(of: &account)
    account.noteSecondFactor(contacts, at: now)
    account.updatedAt = now
    try account.update(db)
    return .resource(
      try authenticatorJSON(account, secret: nil, isVerified: true, backupCodes: codes)
    )
  }

  /// `DELETE /v1/me/totp`.
  func deleteAuthenticator() throws -> ClerkOutcome {
    var (_, account) = try signedIn()
    guard account.totpSecret != nil || account.pendingTOTPSecret != nil else {
      throw ClerkRefusal.resourceNotFound
    }
    let contacts = try Account.contacts(of: account.id, db)
    // An app that has not been verified is not a second factor yet.
    let wasVerified = account.totpSecret != nil
    account.totpSecret = nil
    account.pendingTOTPSecret = nil
    account.totpUsedSteps = []
    guard
      !wasVerified || !mustKeepSecondFactor(account)
        || settings.asksSecondFactor(of: account, contacts)
    else { throw ClerkRefusal.secondFactorNeeded }
    account.totpCreatedAt = nil
    account.noteSecondFactor(contacts, at: now)
    account.updatedAt = now
    try account.update(db)
    return .resource(
      ["object": "totp", "id": .string(authenticatorID(of: account)), "deleted": true]
    )
  }

  /// `POST /v1/me/backup_codes`: makes new codes, which replace the old ones.
  func createBackupCodes() throws -> ClerkOutcome {
    var (_, account) = try signedIn()
    let contacts = try Account.contacts(of: account.id, db)
    guard settings.asksSecondFactor(of: account, contacts) else {
      throw ClerkRefusal.backupCodesUnavailable
    }
    let codes = newBackupCodes(of: &account)
    account.updatedAt = now
    try account.update(db)
    return .resource([
      "object": "backup_code",
      "id": .string(random.identifier("bcode")),
      "codes": .strings(codes),
      "created_at": .instant(now),
      "updated_at": .instant(now),
    ])
  }

  /// The backup codes that come with the first second factor; nil if the account has unused ones.
  func firstBackupCodes(of account: inout Account) -> [String]? {
    account.unusedBackupCodes.isEmpty ? newBackupCodes(of: &account) : nil
  }

  /// Whether the account may not go back to a password alone.
  func mustKeepSecondFactor(_ account: Account) -> Bool {
    settings.mfaRequired || account.tasks.contains(.setUpSecondFactor)
  }

  private func newBackupCodes(of account: inout Account) -> [String] {
    let codes = (0..<10).map { _ in random.backupCode() }
    account.backupCodes = codes.map { Account.BackupCode(code: $0, isUsed: false) }
    return codes
  }

  private func authenticatorID(of account: Account) -> String {
    "totp_" + (account.id.split(separator: "_", maxSplits: 1).last.map(String.init) ?? account.id)
  }

  private func authenticatorJSON(
    _ account: Account,
    secret: String?,
    isVerified: Bool,
    backupCodes: [String]? = nil
  ) throws -> JSON {
    [
      "object": "totp",
      "id": .string(authenticatorID(of: account)),
      "secret": .optional(secret),
      "uri": .optional(try secret.map { try authenticatorAddress(of: account, secret: $0) }),
      "verified": .bool(isVerified),
      "backup_codes": backupCodes.map(JSON.strings) ?? .null,
      "created_at": .instant(account.totpCreatedAt ?? now),
      "updated_at": .instant(now),
    ]
  }

  /// The URI that an authenticator app reads from a QR code.
  ///
  /// Source: the Key Uri Format of Google Authenticator.
  private func authenticatorAddress(of account: Account, secret: String) throws -> String {
    func escaped(_ text: String) -> String { PercentEncoding.escaped(text, keeping: "-._~@") }
    let issuer = escaped(world.application.name)
    let contacts = try Account.contacts(of: account.id, db)
    let name = escaped(contacts.first { $0.isPrimary }?.value ?? account.id)
    return "otpauth://totp/\(issuer):\(name)?secret=\(secret)&issuer=\(issuer)"
      + "&algorithm=SHA1&digits=6&period=\(AuthenticatorCode.stepSeconds)"
  }
}

extension RandomSource {
  /// 160 bits in base32: what RFC 4226 recommends.
  fileprivate func authenticatorSecret() -> String {
    pick(count: 32, from: Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8))
  }

  /// Eight lower-case letters and digits.
  fileprivate func backupCode() -> String {
    pick(count: 8, from: Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8))
  }
}
