/// Where a password reset stands.
public indirect enum PasswordResetState: Hashable, Codable, Sendable {
  case identifierRequired
  case step(PasswordResetStep)
  /// Nothing is changed: the auth API has it go on in a browser.
  case browserRequired(BrowserPrompt)
  /// The password is changed; the rest is a sign-in: a second factor, nothing more, or from anew. A refusal
  /// that leaves a reset here is one of that sign-in.
  case continuing(SignInStep)
}

/// What a password reset needs next.
///
/// A sign-in leads to one of these too, where the chosen factor replaces the password; none of them
/// holds a sign-in, so that the two do not nest.
public indirect enum PasswordResetStep: Hashable, Codable, Sendable {
  case codeRequired(CodePrompt)
  case newPasswordRequired(NewPasswordPrompt)
  /// The new password was taken; whether it holds is to be asked.
  case waiting(ResetWaitPrompt)
}

/// Asks for the new password, once the code was right.
public struct NewPasswordPrompt: Hashable, Codable, Sendable {
  public let attempt: SignInAttempt

  @_spi(Provider) public init(attempt: SignInAttempt) { self.attempt = attempt }
}

extension PasswordResetState {
  /// What a step of the sign-in behind a reset led to: what is not of the reset continues it.
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
