/// The state of a password reset.
public indirect enum PasswordResetState: Hashable, Codable, Sendable {
  case identifierRequired
  case step(PasswordResetStep)
  /// Nothing has been changed: the auth API requires the reset to go on in a browser.
  case browserRequired(BrowserPrompt)
  /// The password has been changed; the rest is a sign-in: at a second factor, complete, or to be
  /// begun anew. A refusal that leaves a reset here is a refusal of that sign-in.
  case continuing(SignInStep)
}

/// The next step of a password reset.
///
/// A sign-in can lead here too, where the chosen factor replaces the password. No step holds a
/// sign-in, so that the two do not nest.
public indirect enum PasswordResetStep: Hashable, Codable, Sendable {
  case codeRequired(CodePrompt)
  case newPasswordRequired(NewPasswordPrompt)
  /// The new password was accepted; whether it has been applied has to be checked.
  case waiting(ResetWaitPrompt)
}

/// Asks for the new password, once the code was right.
public struct NewPasswordPrompt: Hashable, Codable, Sendable {
  public let attempt: SignInAttempt

  @_spi(Provider) public init(attempt: SignInAttempt) { self.attempt = attempt }
}

extension PasswordResetState {
  /// Wraps the state of the sign-in behind a reset: `continuing`, unless it is a step of the reset
  /// itself.
  public init(after signIn: SignInState) {
    self =
      switch signIn.branch {
      case .passwordReset(let step): .step(step)
      case .signIn(let step): .continuing(step)
      }
  }

  /// The attempt behind the state, where there is one.
  public var attempt: SignInAttempt? {
    switch self {
    case .identifierRequired, .browserRequired: nil
    case .step(let step): step.attempt
    case .continuing(let step): SignInState(step).attempt
    }
  }

  /// The ways to sign in without the reset.
  public var factorPrompt: FactorPrompt? {
    switch self {
    case .identifierRequired, .browserRequired: nil
    case .step(let step): step.factorPrompt
    case .continuing(let step): SignInState(step).factorPrompt
    }
  }
}

extension PasswordResetState: MessageAwaiting {
  var awaitsMessage: Bool {
    switch self {
    case .identifierRequired, .browserRequired: false
    case .step(let step): step.awaitsMessage
    case .continuing(let step): SignInState(step).awaitsMessage
    }
  }
}

extension PasswordResetStep {
  var awaitsMessage: Bool {
    switch self {
    case .codeRequired: true
    case .newPasswordRequired, .waiting: false
    }
  }

  public var attempt: SignInAttempt {
    switch self {
    case .codeRequired(let prompt): prompt.attempt
    case .newPasswordRequired(let prompt): prompt.attempt
    case .waiting(let prompt): prompt.attempt
    }
  }

  /// The ways to sign in without the reset.
  public var factorPrompt: FactorPrompt? {
    switch self {
    case .codeRequired(let prompt): prompt.otherFactors
    case .newPasswordRequired, .waiting: nil
    }
  }

  var arrivalNotices: [Notice] {
    switch self {
    case .codeRequired: [.codeSent]
    case .newPasswordRequired, .waiting: []
    }
  }
}
