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
  var expireAt: Instant?
  var code: String?
  var contactID: String?
  var sentAt: Instant?
  /// Set where a link was sent rather than a code.
  var link: MailedLink?
  /// Which client opened the link.
  var verifiedAtClient: String?
  /// Set where the sign-in goes on at another's page.
  var external: ExternalSignIn?

  func status(at now: Instant) -> Status {
    guard status == .unverified, let expireAt, expireAt <= now else { return status }
    return .expired
  }

  func json(at now: Instant) -> JSON {
    var json: JSON = [
      "object": .string(object),
      "status": .string(status(at: now).rawValue),
      "strategy": .string(wireStrategy),
      // A ticket is not tried, nor another's page: it is redeemed or it is not.
      "attempts": isTried ? .integer(Int64(attemptCount)) : .null,
      "expire_at": .optional(expireAt),
    ]
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
