public import Foundation

/// Asks for a code: one that was sent, one that an app shows, or a backup code.
public struct CodePrompt: Hashable, Codable, Sendable {
  public let attempt: SignInAttempt
  public let stage: FactorStage
  public let factor: Factor
  /// A backup code has its own form.
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

  /// Where else to go from here: every other factor, or nil where there is none.
  public var otherFactors: FactorPrompt? {
    FactorPrompt(
      attempt: attempt,
      stage: stage == .passwordReset ? .firstFactor : stage,
      factors: stageFactors.filter { $0 != factor }
    )
  }

  /// The same question, to be answered by a backup code; nil where the account has none.
  public var withBackupCode: CodePrompt? {
    guard stage == .secondFactor,
      let backup = attempt.secondFactors.first(where: { $0.kind == .backupCode })
    else { return nil }
    return CodePrompt(attempt: attempt, stage: stage, factor: backup)
  }
}
