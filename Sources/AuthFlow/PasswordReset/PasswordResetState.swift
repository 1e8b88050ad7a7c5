/// Where a password reset stands.
public enum PasswordResetState: Hashable, Codable, Sendable {
  case identifierRequired
  case codeRequired(CodePrompt)
  case newPasswordRequired(NewPasswordPrompt)
  /// The new password was taken; whether it holds is to be asked.
  case waiting(ResetWaitPrompt)
  /// The password is changed; the rest is a sign-in: a second factor, nothing more, or from anew.
  indirect case continuing(SignInState)
}

/// Asks for the new password, once the code was right.
public struct NewPasswordPrompt: Hashable, Codable, Sendable {
  public let attempt: SignInAttempt

  @_spi(Provider) public init(attempt: SignInAttempt) { self.attempt = attempt }
}

extension PasswordResetState {
  /// The attempt behind the state, where there is one.
  public var attempt: SignInAttempt? {
    switch self {
    case .identifierRequired: nil
    case .codeRequired(let prompt): prompt.attempt
    case .newPasswordRequired(let prompt): prompt.attempt
    case .waiting(let prompt): prompt.attempt
    case .continuing(let state): state.attempt
    }
  }

  /// The ways to sign in without the reset.
  public var factorPrompt: FactorPrompt? {
    switch self {
    case .codeRequired(let prompt): prompt.otherFactors
    case .identifierRequired, .newPasswordRequired, .waiting: nil
    case .continuing(let state): state.factorPrompt
    }
  }

  /// What there is to tell on arriving here.
  var arrivalNotices: [Notice] {
    switch self {
    case .codeRequired: [.codeSent]
    case .identifierRequired, .newPasswordRequired, .waiting: []
    case .continuing(let state): [.passwordChanged] + state.arrivalNotices
    }
  }
}
