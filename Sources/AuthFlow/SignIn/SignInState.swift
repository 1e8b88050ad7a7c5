/// The state of a sign-in, which may have become a password reset.
public typealias SignInState = SignInProgress<PasswordResetStep>

/// The state of a sign-in that cannot become a password reset, as after one.
public typealias SignInStep = SignInProgress<Never>

/// The progress of a sign-in.
///
/// Each case holds what its page shows and what its next call needs.
///
/// `Reset` is the type of a reset within the sign-in; `Never` keeps a reset from holding another.
///
/// Like `SignUpState` and `PasswordResetState` it is `indirect`: a visit is passed on much more
/// often than its state is read.
public indirect enum SignInProgress<Reset: Hashable & Codable & Sendable>: Hashable, Codable,
  Sendable
{
  case identifierRequired
  case passwordRequired(PasswordPrompt)
  /// One of several factors has to be chosen; the prompt says for which stage.
  case factorRequired(FactorPrompt)
  /// A code has to be entered; the prompt says for which stage: a first or second factor, a new
  /// device, or a method that is being registered.
  case codeRequired(CodePrompt)
  /// A link that proves the first factor is on its way.
  case linkRequired(LinkPrompt)
  /// A strong method has to be registered before the sign-in goes on.
  case enrolmentRequired(EnrolmentPrompt)
  /// The person has done all that was asked, but not all requested permissions were granted.
  case permissionsRequired(PermissionsPrompt)
  case browserRequired(BrowserPrompt)
  /// The chosen factor replaces the password: the attempt goes on as a password reset.
  case resettingPassword(Reset)
  case complete(Session)
}

/// Asks for the password of an account.
public struct PasswordPrompt: Hashable, Codable, Sendable {
  public let attempt: SignInAttempt

  @_spi(Provider) public init(attempt: SignInAttempt) { self.attempt = attempt }
}

extension SignInState {
  /// The attempt behind the state; nil where there is none, and for `browserRequired`.
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
    case .identifierRequired, .enrolmentRequired, .permissionsRequired, .complete: nil
    case .passwordRequired(let prompt):
      FactorPrompt(
        attempt: prompt.attempt,
        stage: .firstFactor,
        factors: prompt.attempt.firstFactors.filter { $0.kind != .password }
      )
    case .factorRequired(let prompt): prompt
    case .codeRequired(let prompt): prompt.otherFactors
    case .linkRequired(let prompt): prompt.otherFactors
    case .browserRequired(let prompt): prompt.otherFactors
    case .resettingPassword(let step): step.factorPrompt
    }
  }
}

extension SignInState: MessageAwaiting {
  var awaitsMessage: Bool {
    switch self {
    case .codeRequired(let prompt): prompt.factor.sendsMessage
    case .linkRequired: true
    case .resettingPassword(let step): step.awaitsMessage
    case .identifierRequired, .passwordRequired, .factorRequired, .enrolmentRequired,
      .permissionsRequired, .browserRequired, .complete:
      false
    }
  }
}

/// The state of a sign-in, split by whether it is a password reset.
public enum SignInBranch: Hashable, Sendable {
  case signIn(SignInStep)
  case passwordReset(PasswordResetStep)
}

extension SignInState {
  public init(_ step: SignInStep) {
    self =
      switch step {
      case .identifierRequired: .identifierRequired
      case .passwordRequired(let prompt): .passwordRequired(prompt)
      case .factorRequired(let prompt): .factorRequired(prompt)
      case .codeRequired(let prompt): .codeRequired(prompt)
      case .linkRequired(let prompt): .linkRequired(prompt)
      case .enrolmentRequired(let prompt): .enrolmentRequired(prompt)
      case .permissionsRequired(let prompt): .permissionsRequired(prompt)
      case .browserRequired(let prompt): .browserRequired(prompt)
      case .complete(let session): .complete(session)
      }
  }

  public var branch: SignInBranch {
    switch self {
    case .identifierRequired: .signIn(.identifierRequired)
    case .passwordRequired(let prompt): .signIn(.passwordRequired(prompt))
    case .factorRequired(let prompt): .signIn(.factorRequired(prompt))
    case .codeRequired(let prompt): .signIn(.codeRequired(prompt))
    case .linkRequired(let prompt): .signIn(.linkRequired(prompt))
    case .enrolmentRequired(let prompt): .signIn(.enrolmentRequired(prompt))
    case .permissionsRequired(let prompt): .signIn(.permissionsRequired(prompt))
    case .browserRequired(let prompt): .signIn(.browserRequired(prompt))
    case .resettingPassword(let step): .passwordReset(step)
    case .complete(let session): .signIn(.complete(session))
    }
  }
}
