public import Foundation

/// Asks to open the link that was emailed; there is nothing to type.
public struct LinkPrompt: Hashable, Codable, Sendable {
  public let attempt: SignInAttempt
  public let factor: Factor
  /// When the link ends; nil where the auth API does not say.
  public let expiresAt: Date?
  /// From when on another link may be asked for.
  public private(set) var resendAvailableAt: Date?
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

  /// The same question, with another time from which on a link may be asked for.
  @_spi(Provider) public func waiting(until date: Date?) -> LinkPrompt {
    var prompt = self
    prompt.resendAvailableAt = date
    return prompt
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
