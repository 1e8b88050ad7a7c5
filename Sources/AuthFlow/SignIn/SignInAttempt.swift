public import Foundation

/// An attempt that the auth API keeps: what all prompts of one sign-in or reset share.
public struct SignInAttempt: Hashable, Codable, Sendable {
  public let identifier: Identifier
  /// In the order the auth API prefers.
  public private(set) var firstFactors: [Factor]
  /// Empty until the first factor is done.
  public private(set) var secondFactors: [Factor]
  /// When the auth API forgets it; nil where it does not say.
  public private(set) var endsAt: Date?
  @_spi(Provider) public private(set) var continuation: Continuation
  /// Tells this attempt from others.
  public var id: Continuation { continuation }

  @_spi(Provider) public init(
    identifier: Identifier,
    continuation: Continuation,
    firstFactors: [Factor],
    secondFactors: [Factor] = [],
    endsAt: Date? = nil
  ) {
    self.identifier = identifier
    self.continuation = continuation
    self.firstFactors = firstFactors
    self.secondFactors = secondFactors
    self.endsAt = endsAt
  }

  /// The same attempt with newer values; nil leaves a value as it is.
  @_spi(Provider) public func with(
    continuation: Continuation? = nil,
    firstFactors: [Factor]? = nil,
    secondFactors: [Factor]? = nil,
    endsAt: Date? = nil
  ) -> SignInAttempt {
    var attempt = self
    if let continuation { attempt.continuation = continuation }
    if let firstFactors { attempt.firstFactors = firstFactors }
    if let secondFactors { attempt.secondFactors = secondFactors }
    if let endsAt { attempt.endsAt = endsAt }
    return attempt
  }
}

/// The stage at which a factor is asked for.
public enum FactorStage: String, Hashable, Codable, Sendable {
  case firstFactor, secondFactor, deviceTrust, enrolment, passwordReset
}
