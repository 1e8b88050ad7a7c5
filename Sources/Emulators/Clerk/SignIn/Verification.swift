/// How far one factor of an attempt has been verified.
///
/// Source: <doc:ClerkSigningIn>.
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
  var expireAt: EpochMilliseconds?
  var code: String?
  var contactID: String?
  var sentAt: EpochMilliseconds?
  /// Set where a link was sent rather than a code.
  var link: MailedLink?
  /// Which client opened the link.
  var verifiedAtClient: String?
  /// Set where the sign-in goes on at another's page.
  var external: ExternalSignIn?

  /// Whether a message or another's page may still lead on: nothing else that is tried ends that.
  func isAwaited(at now: EpochMilliseconds) -> Bool {
    status(at: now) == .unverified && (sentAt != nil || external != nil)
  }

  func status(at now: EpochMilliseconds) -> Status {
    guard status == .unverified, let expireAt, expireAt <= now else { return status }
    return .expired
  }

  func json(at now: EpochMilliseconds) -> JSON {
    var json = shape.json(
      status(at: now),
      strategy: wireStrategy,
      // A ticket is not tried, nor another's page: it is redeemed or it is not.
      attempts: isTried ? .integer(Int64(attemptCount)) : .null,
      expireAt: expireAt
    )
    if let verifiedAtClient { json["verified_at_client"] = .string(verifiedAtClient) }
    if let external {
      json["external_verification_redirect_url"] = .string(external.address)
      if external.decision == .cancelled { json["error"] = Self.cancellation }
    }
    return json
  }

  private static let cancellation = ClerkProblem(
    "oauth_access_denied",
    "Access denied",
    "The sign-in was cancelled at the organization's page."
  ).json

  /// A connection is named by its protocol here, and by its purpose among the factors.
  private var wireStrategy: String { strategy == .enterpriseSSO ? "saml" : strategy.rawValue }

  private var isTried: Bool { strategy != .ticket && strategy != .enterpriseSSO }

  private var shape: VerificationShape {
    switch strategy {
    case .password: .password
    case .emailCode, .phoneCode, .resetPasswordEmailCode, .resetPasswordPhoneCode: .code
    case .emailLink: .emailLink
    case .totp: .totp
    case .backupCode: .backupCode
    case .enterpriseSSO: .saml
    case .ticket: .ticket
    }
  }
}

/// What a verification is on the wire.
///
/// Source: Clerk, Frontend API, version 2026-05-12, the schemas `Stubs.Verification.…`.
enum VerificationShape: String, Sendable, CaseIterable {
  case admin = "verification_admin"
  case backupCode = "verification_backup_code"
  case code = "verification_otp"
  case emailLink = "verification_email_link"
  case password = "verification_password"
  case saml = "verification_saml"
  case ticket = "verification_ticket"
  case totp = "verification_totp"

  func json(
    _ status: Verification.Status,
    strategy: String,
    attempts: JSON = .null,
    expireAt: EpochMilliseconds? = nil
  ) -> JSON {
    var json: JSON = [
      "object": .string(rawValue), "status": .string(status.rawValue),
      "strategy": .string(strategy), "attempts": attempts, "expire_at": .optional(expireAt),
    ]
    if hasEmptyMembers {
      json["error"] = .null
      json["nonce"] = .null
    }
    return json
  }

  /// Whether it may say that it has neither an error nor a nonce, which the SDKs read of every
  /// verification; the description of the others has no such members, or wants an error in them.
  private var hasEmptyMembers: Bool {
    switch self {
    case .code, .emailLink, .ticket: true
    case .admin, .backupCode, .password, .saml, .totp: false
    }
  }
}
