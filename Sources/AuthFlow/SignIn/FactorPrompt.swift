/// Asks which of several factors to use.
public struct FactorPrompt: Hashable, Codable, Sendable {
  public let attempt: SignInAttempt
  public let stage: FactorStage
  /// At least one, in the order to show them.
  public let factors: [Factor]
  /// The factor that is taken without asking, where the auth API or the practice of its own clients
  /// determines one.
  public let preferred: Factor?
  /// Why the choice is due: a leaked password, a message that could not be sent.
  public let concern: AuthError?

  /// Returns nil where there is nothing to choose from.
  @_spi(Provider) public init?(
    attempt: SignInAttempt,
    stage: FactorStage,
    factors: [Factor],
    preferred: Factor? = nil,
    concern: AuthError? = nil
  ) {
    guard !factors.isEmpty else { return nil }
    self.init(
      attempt: attempt,
      stage: stage,
      nonEmpty: factors,
      preferred: preferred,
      concern: concern
    )
  }

  private init(
    attempt: SignInAttempt,
    stage: FactorStage,
    nonEmpty factors: [Factor],
    preferred: Factor?,
    concern: AuthError?
  ) {
    self.attempt = attempt
    self.stage = stage
    self.factors = factors
    self.preferred = preferred
    self.concern = concern
  }

  /// The same choice, left to the person for that reason.
  func because(of concern: AuthError) -> FactorPrompt {
    FactorPrompt(
      attempt: attempt,
      stage: stage,
      nonEmpty: factors,
      preferred: nil,
      concern: concern
    )
  }

  /// The offered factor of that name.
  public func factor(named name: String) -> Factor? {
    factors.named.first { $0.name == name }?.factor
  }
}
