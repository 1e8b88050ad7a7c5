public import Foundation

/// Asks for a code: one that was sent, one that an app shows, or a backup code.
public struct CodePrompt: Hashable, Codable, Sendable {
  public let attempt: SignInAttempt
  public let stage: FactorStage
  public let factor: Factor
  /// What is expected of the code; meaningless for a backup code, which has a format of its own.
  public internal(set) var code: ExpectedCode

  @_spi(Provider) public init(
    attempt: SignInAttempt,
    stage: FactorStage,
    factor: Factor,
    codeLength: Int = 6,
    expiresAt: Date? = nil,
    resendAvailableAt: Date? = nil,
    isVoid: Bool = false
  ) {
    self.attempt = attempt
    self.stage = stage
    self.factor = factor
    code = ExpectedCode(
      length: codeLength,
      expiresAt: expiresAt,
      resendAvailableAt: resendAvailableAt,
      isVoid: isVoid
    )
  }

  /// The factors of this stage, this one included.
  public var stageFactors: [Factor] {
    switch stage {
    case .firstFactor, .passwordReset: attempt.firstFactors
    case .secondFactor, .deviceTrust: attempt.secondFactors
    case .enrolment: [factor]
    }
  }

  /// The alternatives: every other factor; nil where there is none.
  public var otherFactors: FactorPrompt? {
    FactorPrompt(
      attempt: attempt,
      stage: stage == .passwordReset ? .firstFactor : stage,
      factors: stageFactors.filter { $0 != factor }
    )
  }

  /// The same prompt, to be answered with a backup code; nil where this is not a second factor, or
  /// the account has no backup codes.
  public var withBackupCode: CodePrompt? {
    guard stage == .secondFactor,
      let backup = attempt.secondFactors.first(where: { $0.kind == .backupCode })
    else { return nil }
    return CodePrompt(attempt: attempt, stage: stage, factor: backup)
  }
}
