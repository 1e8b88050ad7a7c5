public import Foundation

/// The attempt that the auth API keeps: what every prompt of one sign-in or reset shares.
public struct SignInAttempt: Hashable, Codable, Sendable {
  public let identifier: Identifier
  /// In the order the auth API prefers.
  public let firstFactors: [Factor]
  /// Empty until the first factor is done.
  public let secondFactors: [Factor]
  /// When the auth API forgets it; nil where it does not say.
  public let endsAt: Date?
  @_spi(Provider) public let continuation: Continuation
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
}

/// Which question a factor answers.
public enum FactorStage: String, Hashable, Codable, Sendable {
  case firstFactor, secondFactor, deviceTrust, enrolment, passwordReset
}
