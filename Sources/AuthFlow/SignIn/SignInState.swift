public import Foundation

/// Where a sign-in stands; each case holds what its page shows and what its next call needs.
public enum SignInState: Hashable, Codable, Sendable {
  case identifierRequired
  case passwordRequired(PasswordPrompt)
  /// One of several factors is to be chosen; the prompt says of which stage.
  case factorRequired(FactorPrompt)
  /// A code is to be entered; the prompt says for which stage: a first or second factor, a new
  /// device, or a method that is being registered.
  case codeRequired(CodePrompt)
  /// A link of the first factor is on its way.
  case linkRequired(LinkPrompt)
  /// A strong method has to be registered before the sign-in goes on.
  case enrolmentRequired(EnrolmentPrompt)
  /// All that was asked for is done, but not all that was asked of others is granted.
  case permissionsRequired(PermissionsPrompt)
  case browserRequired(BrowserPrompt)
  /// The chosen factor replaces the password: the attempt goes on as a password reset.
  case resettingPassword(PasswordResetStep)
  case complete(Session)
}

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

/// Asks for the password of an account.
public struct PasswordPrompt: Hashable, Codable, Sendable {
  public let attempt: SignInAttempt

  @_spi(Provider) public init(attempt: SignInAttempt) { self.attempt = attempt }
}

/// Asks which of several factors to use.
public struct FactorPrompt: Hashable, Codable, Sendable {
  public let attempt: SignInAttempt
  public let stage: FactorStage
  /// At least one, in the order to show them.
  public let factors: [Factor]
  /// The one that is taken without asking, where the auth API or its custom says so.
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

/// Asks for a code: one that was sent, one that an app shows, or a backup code.
public struct CodePrompt: Hashable, Codable, Sendable {
  public let attempt: SignInAttempt
  public let stage: FactorStage
  public let factor: Factor
  /// How many digits the code has; a backup code has its own form.
  public let codeLength: Int
  /// When the code ends; nil for codes that are not sent, or where the auth API does not say.
  public let expiresAt: Date?
  /// From when on another code may be asked for; nil where none is sent.
  public private(set) var resendAvailableAt: Date?

  @_spi(Provider) public init(
    attempt: SignInAttempt,
    stage: FactorStage,
    factor: Factor,
    codeLength: Int = 6,
    expiresAt: Date? = nil,
    resendAvailableAt: Date? = nil
  ) {
    self.attempt = attempt
    self.stage = stage
    self.factor = factor
    self.codeLength = codeLength
    self.expiresAt = expiresAt
    self.resendAvailableAt = resendAvailableAt
  }

  /// The same prompt, once its code is void: the next one need not be waited for.
  var withoutWait: Self {
    var prompt = self
    prompt.resendAvailableAt = nil
    return prompt
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

/// The sign-in goes on in a browser, at an identity provider these pages do not speak to.
public struct BrowserPrompt: Hashable, Codable, Sendable {
  public let identifier: Identifier
  /// Who asks for it, where the auth API names them.
  public let providerName: String?
  public let address: String?
  /// Why, in the auth API's own words: data, never markup.
  public let explanation: String?
  /// The attempt that goes on once the person is back; nil where there is none to ask after.
  public let attempt: SignInAttempt?
  /// Whether the browser has come back with what the attempt goes on with.
  public let hasReturned: Bool
  /// What the browser brought back, where the attempt itself does not hold it.
  @_spi(Provider) public let returned: Continuation?

  @_spi(Provider) public init(
    identifier: Identifier,
    providerName: String? = nil,
    address: String? = nil,
    explanation: String? = nil,
    attempt: SignInAttempt? = nil,
    hasReturned: Bool = false,
    returned: Continuation? = nil
  ) {
    self.returned = returned
    self.hasReturned = hasReturned
    self.identifier = identifier
    self.providerName = providerName
    self.address = address
    self.explanation = explanation
    self.attempt = attempt
  }
}

extension SignInState {
  /// The attempt behind the state, where there is one.
  public var attempt: SignInAttempt? {
    switch self {
    case .identifierRequired, .permissionsRequired, .browserRequired, .complete: nil
    case .passwordRequired(let prompt): prompt.attempt
    case .factorRequired(let prompt): prompt.attempt
    case .codeRequired(let prompt): prompt.attempt
    case .enrolmentRequired(let prompt): prompt.attempt
    case .linkRequired(let prompt): prompt.attempt
    case .resettingPassword(let step): step.attempt
    }
  }

  /// The choice of methods that this state allows, whether or not it is due.
  public var factorPrompt: FactorPrompt? {
    switch self {
    case .identifierRequired, .enrolmentRequired, .permissionsRequired, .browserRequired, .complete:
      nil
    case .passwordRequired(let prompt):
      FactorPrompt(
        attempt: prompt.attempt,
        stage: .firstFactor,
        factors: prompt.attempt.firstFactors.filter { $0.kind != .password }
      )
    case .factorRequired(let prompt): prompt
    case .codeRequired(let prompt): prompt.otherFactors
    case .linkRequired(let prompt): prompt.otherFactors
    case .resettingPassword(let step): step.factorPrompt
    }
  }
}
