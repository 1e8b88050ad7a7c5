/// How far one factor of an attempt has been verified.
///
/// Source: clerk-frontend-api.md section 4.3.
struct Verification: Codable, Sendable, Hashable {
  enum Status: String, Codable, Sendable {
    case unverified, verified, failed, expired
  }

  /// Names this verification, and with it the code that was sent; a resent code has another.
  var id: String
  var strategy: Strategy
  var status = Status.unverified
  /// How many tries were counted.
  var attemptCount = 0
  var expireAt: Instant?
  var code: String?
  var contactID: String?
  var sentAt: Instant?
  /// Set where a link was sent rather than a code.
  var link: MailedLink?

  func status(at now: Instant) -> Status {
    guard status == .unverified, let expireAt, expireAt <= now else { return status }
    return .expired
  }

  func json(at now: Instant) -> JSON {
    [
      "object": .string(object),
      "status": .string(status(at: now).rawValue),
      "strategy": .string(strategy.rawValue),
      "attempts": .integer(Int64(attemptCount)),
      "expire_at": .optional(expireAt),
    ]
  }

  private var object: String {
    switch strategy {
    case .password: "verification_password"
    case .emailCode, .phoneCode, .resetPasswordEmailCode, .resetPasswordPhoneCode:
      "verification_otp"
    case .emailLink: "verification_email_link"
    case .totp: "verification_totp"
    case .backupCode: "verification_backup_code"
    case .enterpriseSSO: "verification_saml"
    case .ticket: "verification_ticket"
    }
  }
}
