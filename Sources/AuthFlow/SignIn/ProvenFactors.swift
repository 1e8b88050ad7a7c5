extension ProviderMemory {
  /// The factors are kept among the provider's own entries, so that visits keep them too: no
  /// provider may have an entry of this name.
  private static let provenFactorsKey = "proven_factors"

  /// The factors proven in the attempt under way, or in the one that led to the session, in order.
  public internal(set) var provenFactors: [Factor.Kind] {
    get {
      self[Self.provenFactorsKey]?.split(separator: " ")
        .compactMap { Factor.Kind(rawValue: String($0)) } ?? []
    }
    set {
      self[Self.provenFactorsKey] =
        newValue.isEmpty ? nil : newValue.map(\.rawValue).joined(separator: " ")
    }
  }

  /// Forgets what was proven in an attempt that another one replaces.
  public mutating func forgetProvenFactors() { provenFactors = [] }

  /// Records the factor that an input has proven, as the auth API's own answer to it shows.
  mutating func remember(
    _ input: SignInInput,
    at state: SignInState,
    answeredBy outcome: Outcome<SignInState>
  ) {
    if input.beginsAttempt, !outcome.isOfTheMoment { forgetProvenFactors() }
    if case .moved(let next) = outcome, next.isPastFirstFactor,
      let factor = input.factorProven(at: state)
    {
      provenFactors.append(factor)
    }
  }
}

extension Outcome {
  fileprivate var isOfTheMoment: Bool {
    if case .refused(let error, _) = self { return error.isOfTheMoment }
    return false
  }
}

extension SignInInput {
  fileprivate var beginsAttempt: Bool {
    switch self {
    case .credentials, .identifier: true
    case .password, .factor, .code, .backupCode, .resendCode, .enrolment, .acceptGranted, .check,
      .link, .returned:
      false
    }
  }

  /// The factor that it proves in that state if it is accepted; nil where it proves none.
  fileprivate func factorProven(at state: SignInState) -> Factor.Kind? {
    switch self {
    case .credentials(_, let password): password == nil ? nil : .password
    case .password: .password
    case .backupCode: .backupCode
    case .code: state.codePrompt?.factor.kind
    case .check, .link: state.factorDoneElsewhere
    case .identifier, .factor, .resendCode, .enrolment, .acceptGranted, .returned: nil
    }
  }
}

extension SignInState {
  fileprivate var codePrompt: CodePrompt? {
    if case .codeRequired(let prompt) = self { return prompt }
    return nil
  }

  /// The factor that is proven in another window.
  fileprivate var factorDoneElsewhere: Factor.Kind? {
    switch self {
    case .linkRequired: .emailLink
    case .browserRequired: .enterprise
    case .identifierRequired, .passwordRequired, .factorRequired, .codeRequired,
      .enrolmentRequired, .permissionsRequired, .resettingPassword, .complete:
      nil
    }
  }

  /// Whether the first factor is proven.
  fileprivate var isPastFirstFactor: Bool {
    switch self {
    case .factorRequired(let prompt): prompt.stage.isPastFirstFactor
    case .codeRequired(let prompt): prompt.stage.isPastFirstFactor
    case .enrolmentRequired, .permissionsRequired, .complete: true
    case .resettingPassword(.newPasswordRequired), .resettingPassword(.waiting): true
    case .resettingPassword(.codeRequired), .identifierRequired, .passwordRequired, .linkRequired,
      .browserRequired:
      false
    }
  }
}

extension FactorStage {
  fileprivate var isPastFirstFactor: Bool {
    switch self {
    case .firstFactor, .passwordReset: false
    case .secondFactor, .deviceTrust, .enrolment: true
    }
  }
}
