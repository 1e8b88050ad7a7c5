public import Foundation

/// Asks to open the link that was emailed; there is nothing to type.
public struct LinkPrompt: Hashable, Codable, Sendable {
  public let attempt: SignInAttempt
  public let factor: Factor
  /// When the link expires; nil where the auth API does not say.
  public let expiresAt: Date?
  /// When another link may be requested; nil where that is at once.
  public private(set) var resendAvailableAt: Date?
  /// Proves that the link is opened in the browser that asked for it; kept in the visit, and sent
  /// only to the auth API.
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

  /// The same prompt, with another time from which a new link may be requested.
  @_spi(Provider) public func waiting(until date: Date?) -> LinkPrompt {
    var prompt = self
    prompt.resendAvailableAt = date
    return prompt
  }

  /// The alternatives: every other factor; nil where there is none.
  public var otherFactors: FactorPrompt? {
    FactorPrompt(
      attempt: attempt,
      stage: .firstFactor,
      factors: attempt.firstFactors.filter { $0 != factor }
    )
  }
}
