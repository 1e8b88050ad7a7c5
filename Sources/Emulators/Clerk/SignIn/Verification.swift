/// How far one factor of an attempt has been verified.
///
/// Source: <doc:ClerkSigningIn>.
struct Verification: Sendable, Hashable {
  enum Status: String, Codable, Sendable {
    case unverified, verified, failed, expired
  }

  /// How the person is to prove the factor, or has proven it.
  enum Means: Sendable, Hashable {
    /// The code that was sent; it is dropped once it has been entered.
    case code(String)
    /// A link that was sent.
    case link(MailedLink)
    /// A sign-in at an organization's page.
    case external(ExternalSignIn)
  }

  /// Identifies this verification and the code that was sent; sending again makes another id.
  var id: String
  var strategy: Strategy
  var status = Status.unverified
  /// How many tries were counted.
  var attemptCount = 0
  var expireAt: EpochMilliseconds?
  /// Nil if nothing was sent, if the code has been entered, or if no code will be right.
  var means: Means?
  var contactID: String?
  var sentAt: EpochMilliseconds?
  /// The client that opened the link.
  var verifiedAtClient: String?

  var code: String? {
    guard case .code(let code) = means else { return nil }
    return code
  }

  var link: MailedLink? {
    guard case .link(let link) = means else { return nil }
    return link
  }

  var external: ExternalSignIn? {
    guard case .external(let external) = means else { return nil }
    return external
  }

  /// Whether a sent message or an organization's page can still verify it; trying another factor does
  /// not change that.
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
      // Tickets and organizations' pages have no tries to count.
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

  /// A connection has the name of its protocol here, and that of its purpose among the factors.
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

/// The stored format, the same in every world: each kind of means has a member of its own.
extension Verification: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, strategy, status, attemptCount, expireAt, code, contactID, sentAt, link
    case verifiedAtClient, external
  }

  /// - Throws: `DecodingError` for anything that is not a verification.
  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    id = try members.decode(String.self, forKey: .id)
    strategy = try members.decode(Strategy.self, forKey: .strategy)
    status = try members.decode(Status.self, forKey: .status)
    attemptCount = try members.decode(Int.self, forKey: .attemptCount)
    expireAt = try members.decodeIfPresent(EpochMilliseconds.self, forKey: .expireAt)
    contactID = try members.decodeIfPresent(String.self, forKey: .contactID)
    sentAt = try members.decodeIfPresent(EpochMilliseconds.self, forKey: .sentAt)
    verifiedAtClient = try members.decodeIfPresent(String.self, forKey: .verifiedAtClient)
    let code = try members.decodeIfPresent(String.self, forKey: .code)
    let link = try members.decodeIfPresent(MailedLink.self, forKey: .link)
    let external = try members.decodeIfPresent(ExternalSignIn.self, forKey: .external)
    means = external.map(Means.external) ?? link.map(Means.link) ?? code.map(Means.code)
  }

  /// - Throws: What the encoder throws.
  func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(id, forKey: .id)
    try members.encode(strategy, forKey: .strategy)
    try members.encode(status, forKey: .status)
    try members.encode(attemptCount, forKey: .attemptCount)
    try members.encodeIfPresent(expireAt, forKey: .expireAt)
    try members.encodeIfPresent(contactID, forKey: .contactID)
    try members.encodeIfPresent(sentAt, forKey: .sentAt)
    try members.encodeIfPresent(verifiedAtClient, forKey: .verifiedAtClient)
    switch means {
    case .code(let code): try members.encode(code, forKey: .code)
    case .link(let link): try members.encode(link, forKey: .link)
    case .external(let external): try members.encode(external, forKey: .external)
    case nil: break
    }
  }
}

/// The type of a verification on the wire.
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

  /// Whether `error` and `nonce` are written as null, since the SDKs read them of every verification;
  /// the API's description of the other types lacks them, or requires an error there.
  private var hasEmptyMembers: Bool {
    switch self {
    case .code, .emailLink, .ticket: true
    case .admin, .backupCode, .password, .saml, .totp: false
    }
  }
}
