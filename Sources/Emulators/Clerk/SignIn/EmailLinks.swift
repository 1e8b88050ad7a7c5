internal import HTTPExchange
internal import Crypto
internal import Foundation

/// A mailed link, as it is stored in the attempt that waits for it.
struct MailedLink: Codable, Sendable, Hashable {
  /// SHA-256 of the token in the link.
  var tokenHash: Data
  /// The address that the link finally leads to.
  var address: String
  /// The PKCE challenge of the app that asked for it; nil for a link that a browser follows.
  var challenge: String?
  /// The client that asked for it.
  var clientID: String?
}

/// The ticket that an app gets for a redeemed link, with which it signs in once.
struct SignInTicket: Codable, Sendable, Hashable {
  static let lifetimeSeconds = 300

  var hash: Data
  var expireAt: EpochMilliseconds
  var isUsed = false
}

/// Sending and checking mailed links, for every flow.
///
/// Source: <doc:ClerkEmailLinks>.
extension ClerkTransaction {
  /// Issues a link and writes it to the outbox.
  ///
  /// - Parameters:
  ///   - flowID: The attempt that waits for it.
  ///   - contact: Where it goes.
  ///   - purpose: What the message says it is for.
  ///   - previous: The verification that it replaces, whose link is no longer valid.
  ///   - isDelivered: False if nobody is to get the message.
  ///   - admitsApps: Whether an app may redeem it, by PKCE.
  /// - Returns: The verification that waits for the link.
  /// - Throws: `form_param_missing` without an address to lead to, `invalid_url_scheme` or
  ///   `invalid_redirect_url` where it may not lead there, `verification_code_too_many_requests`
  ///   while the last link is too recent.
  func issueLink(
    of flowID: String,
    to contact: Contact,
    for purpose: Message.Purpose,
    replacing previous: Verification?,
    isDelivered: Bool = true,
    admitsApps: Bool = true
  ) throws -> Verification {
    let token = random.secret()
    let (link, target) = try mailedLink(token: token, of: flowID, admitsApps: admitsApps)
    try refuseIfTooSoon(.emailLink, to: contact, after: previous)
    let lifetime = settings.codeLifetimeSeconds
    try send(
      purpose == .signUp
        ? .verificationLink(target, lifetimeSeconds: lifetime)
        : .signInLink(target, lifetimeSeconds: lifetime),
      for: purpose,
      // Test mode does not cover links: a real email would be sent.
      to: .email(contact.value),
      isDelivered: isDelivered
    )
    return Verification(
      id: random.identifier("ver"),
      strategy: .emailLink,
      expireAt: now.adding(seconds: settings.codeLifetimeSeconds),
      means: .link(link),
      contactID: contact.id,
      sentAt: now
    )
  }

  /// The link as it is stored, and the URL that is mailed.
  ///
  /// A browser's link leads to this API, which redirects; an app's leads to the app directly, so that
  /// it works even if this API has no address of its own.
  private func mailedLink(
    token: String,
    of flowID: String,
    admitsApps: Bool
  ) throws -> (link: MailedLink, target: String) {
    let hash = Data(sha256Of: token)
    guard admitsApps, let address = try form.filled("redirect_uri") else {
      let address = try webAddress(form.required("redirect_url"), parameter: "redirect_url")
      let target = call.place.pageAddress(
        "/v1/verify",
        token: "\(flowID).\(token)",
        besides: address
      )
      return (MailedLink(tokenHash: hash, address: address, clientID: client?.id), target)
    }
    let challenge = try form.required("code_challenge")
    guard try form.required("code_challenge_method") == "S256" else {
      throw ClerkRefusal.invalidValue("code_challenge_method")
    }
    let checked = try appAddress(address, parameter: "redirect_uri")
    return (
      MailedLink(tokenHash: hash, address: checked, challenge: challenge),
      checked.addingQuery("flow_id=\(flowID)&approval_token=\(token)")
    )
  }

  /// Checks an address that a browser is redirected to.
  ///
  /// - Throws: `invalid_url_scheme`, or `invalid_redirect_url` for one of another machine.
  func webAddress(_ text: String, parameter: String) throws -> String {
    let isWeb = text.lowercased().hasPrefix("http://") || text.lowercased().hasPrefix("https://")
    guard isWeb, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw ClerkRefusal(
        422,
        ClerkProblem("invalid_url_scheme", "Use an http or https URL.", parameter: parameter)
      )
    }
    guard call.place.mayLead(to: text) else { throw ClerkRefusal.redirectNotAllowed(parameter) }
    return text
  }

  /// Schemes of what a browser opens by itself: no app can be come back to by one.
  private static let schemesOfNoApp: Set<String> = [
    "javascript", "vbscript", "data", "file", "filesystem", "about", "blob", "view-source", "ws",
    "wss", "ftp",
  ]

  /// Checks an address that leads back to an app: by a scheme of its own, or by the web, for which
  /// the rule for pages holds.
  ///
  /// - Throws: As for a page.
  func appAddress(_ text: String, parameter: String) throws -> String {
    let scheme = text.prefix { $0 != ":" }.lowercased()
    guard !["http", "https"].contains(scheme) else {
      return try webAddress(text, parameter: parameter)
    }
    guard text.contains(":"), Self.isScheme(scheme), !Self.schemesOfNoApp.contains(scheme),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw ClerkRefusal(
        422,
        ClerkProblem("invalid_url_scheme", "Use a complete URL.", parameter: parameter)
      )
    }
    return text
  }

  /// Whether a text may be a URL's scheme (RFC 3986, section 3.1): without one, a browser would take
  /// `//host:1` for a page on that host.
  private static func isScheme(_ text: String) -> Bool {
    text.utf8.first?.isASCIILetter == true
      && text.utf8.allSatisfy { byte in
        byte.isASCIILetterOrDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
          || byte == UInt8(ascii: ".")
      }
  }

  /// Checks the token of a link and the app's secret; returns the verification as verified.
  ///
  /// - Throws: `approval_token_…` or `pkce_verification_failed`.
  func approve(
    _ verification: Verification?,
    token: String,
    verifier: String
  ) throws -> Verification {
    guard var checked = verification, let link = checked.link,
      isEqualInConstantTime(Array(link.tokenHash), Array(Data(sha256Of: token)))
    else { throw ClerkRefusal.approvalTokenInvalid }
    switch checked.status(at: now) {
    case .verified: throw ClerkRefusal.approvalTokenConsumed
    case .expired, .failed: throw ClerkRefusal.approvalTokenExpired
    case .unverified: break
    }
    let answer = Base64URL.text(of: Data(sha256Of: verifier))
    guard let challenge = link.challenge, isEqualInConstantTime(challenge, answer) else {
      throw ClerkRefusal.proofKeyFailed
    }
    checked.status = .verified
    checked.attemptCount += 1
    checked.verifiedAtClient = client?.id
    return checked
  }
}

extension ClerkRefusal {
  static let approvalTokenInvalid = link("approval_token_invalid", "The link is not valid.")
  static let approvalTokenExpired = link("approval_token_expired", "The link has expired.")
  static let approvalTokenConsumed = link(
    "approval_token_consumed",
    "The link has been used already."
  )
  static let proofKeyFailed = link(
    "pkce_verification_failed",
    "The link was asked for by someone else."
  )

  private static func link(_ code: String, _ message: String) -> Self {
    badRequest(code, message, status: 422)
  }
}
