public import Foundation

/// Asks to open the link that was e-mailed; there is nothing to type.
public struct LinkPrompt: Hashable, Codable, Sendable {
  public let attempt: SignInAttempt
  public let factor: Factor
  /// When the link ends; nil where the auth API does not say.
  public let expiresAt: Date?
  /// From when on another link may be asked for.
  public let resendAvailableAt: Date?
  /// Proves that whoever opens the link is the browser that asked for it; never leaves the visit.
  @_spi(Provider) public let proof: Continuation

  @_spi(Provider) public init(
    attempt: SignInAttempt,
    factor: Factor,
    proof: Continuation,
    expiresAt: Date? = nil,
    resendAvailableAt: Date? = nil
  ) {
    self.attempt = attempt
    self.factor = factor
    self.proof = proof
    self.expiresAt = expiresAt
    self.resendAvailableAt = resendAvailableAt
  }

  /// Where else to go from here: every other factor, or nil where there is none.
  public var otherFactors: FactorPrompt? {
    FactorPrompt(
      attempt: attempt,
      stage: .firstFactor,
      factors: attempt.firstFactors.filter { $0 != factor }
    )
  }
}

/// A link that somebody has opened, as its address tells it: input, and not to be believed.
///
/// Mail scanners and previews open links too, so that reading one does nothing; following it does.
public struct FollowedLink: Hashable, Sendable, Redacted {
  /// What the address says became of the link.
  public enum Verdict: Hashable, Sendable {
    /// It is yet to be redeemed.
    case unredeemed
    /// The auth API has taken it, and the attempt that waits for it may go on.
    case verified
    case expired, otherBrowser, failed
  }

  /// One value of the address, by the auth API's own name.
  public struct Parameter: Hashable, Sendable {
    public let name: String
    public let value: String
  }

  public let verdict: Verdict
  /// What has to be sent along to follow it.
  public let parameters: [Parameter]
  /// The attempt that it belongs to; nil where the address does not say.
  public let attempt: Continuation?

  @_spi(Provider) public init(
    _ verdict: Verdict,
    parameters: KeyValuePairs<String, String>,
    attempt: Continuation? = nil
  ) {
    self.verdict = verdict
    self.parameters = parameters.map { Parameter(name: $0.key, value: $0.value) }
    self.attempt = attempt
  }

  @_spi(Provider) public subscript(_ name: String) -> String? {
    parameters.first { $0.name == name }?.value
  }

  public static let redaction = "<link>"
}

/// What opening a link comes to, before anything is done about it.
public enum LinkStanding: Hashable, Sendable {
  /// The attempt waits for it here; one press goes on.
  case ready
  /// It is verified, and the attempt waits in another window or browser.
  case verifiedElsewhere
  /// Why it leads nowhere.
  case refused(AuthError)
}

extension FollowedLink {
  /// Judges the link by what this browser waits for; asks nobody.
  ///
  /// - Parameters:
  ///   - waiting: The attempt that waits for a link here, and when that link ends.
  ///   - used: The attempts that were finished by a link here.
  ///   - now: The time by the clock of the flows.
  /// - Returns: Whether it can be gone on with.
  public func standing(
    waiting: (attempt: Continuation, expiresAt: Date?)?,
    used: [Continuation],
    at now: Date
  ) -> LinkStanding {
    if let attempt, used.contains(attempt) {
      return .refused(.link(.linkUsed, OwnCode.linkUsed))
    }
    switch verdict {
    case .expired: return .refused(.link(.linkExpired, OwnCode.linkExpired))
    case .failed: return .refused(.link(.linkFailed, OwnCode.linkFailed))
    case .otherBrowser: return .refused(.link(.linkOtherBrowser, OwnCode.linkOtherBrowser))
    case .verified where waiting == nil: return .verifiedElsewhere
    case .verified: return .ready
    case .unredeemed:
      guard let waiting, waiting.attempt == attempt else {
        return .refused(.link(.linkOtherBrowser, OwnCode.linkOtherBrowser))
      }
      if let end = waiting.expiresAt, end <= now {
        return .refused(.link(.linkExpired, OwnCode.linkExpired))
      }
      return .ready
    }
  }
}

extension AuthError {
  fileprivate static func link(_ reason: Reason, _ code: String) -> AuthError {
    AuthError(Problem(reason, code: code))
  }
}

/// Where links from outside lead: addresses of the front end, opaque to the flows.
public struct LinkAddresses: Hashable, Sendable {
  /// What the addresses begin with.
  public var origin: String
  public var signIn: String
  public var signUp: String
  /// Where a browser comes back to from an identity provider's page.
  public var browserReturn: String

  public init(origin: String, signIn: String, signUp: String, browserReturn: String) {
    self.origin = origin
    self.signIn = signIn
    self.signUp = signUp
    self.browserReturn = browserReturn
  }
}
