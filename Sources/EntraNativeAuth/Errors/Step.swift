internal import AuthFlow

/// The step at which the service refused; the same error means different things at different steps.
enum Step: Hashable, Sendable, CaseIterable {
  case signInStart, password, signInCode, secondFactorChoice, secondFactorCode
  case signUpStart, signUpCode, signUpPassword, attributes
  case resetStart, resetCode, newPassword, poll
  case enrolment, enrolmentCode
  /// Sending another code.
  case resend
  /// Redeeming the last token of a flow, or asking which methods there are.
  case finish
  /// Redeeming the last token of a registration.
  case enrolmentFinish
  /// Reading the parameters that a browser brought back, and redeeming its code.
  case browserReturn

  private enum Trait {
    case beginsFlow, beginsWithCode, looksUpAccount, provesFirstFactor, isLastDemand, redeems
  }

  /// What holds at the step: a row for each, so that a new one is decided in one place.
  private var traits: [Trait] {
    switch self {
    case .signInStart: [.beginsFlow, .looksUpAccount, .redeems]
    case .password: [.looksUpAccount, .provesFirstFactor, .redeems]
    case .signInCode: [.beginsWithCode, .provesFirstFactor, .redeems]
    case .secondFactorChoice, .finish, .browserReturn: [.provesFirstFactor, .redeems]
    case .secondFactorCode, .enrolmentFinish: [.provesFirstFactor, .isLastDemand, .redeems]
    case .enrolment, .enrolmentCode: [.provesFirstFactor]
    case .signUpStart: [.beginsFlow]
    case .signUpCode, .resetCode: [.beginsWithCode]
    case .signUpPassword, .attributes, .newPassword, .poll: []
    case .resetStart: [.beginsFlow, .looksUpAccount]
    case .resend: [.redeems]
    }
  }

  /// Whether the step is the first of a flow.
  var beginsFlow: Bool { traits.contains(.beginsFlow) }

  /// Whether the page asks for the first code of an attempt, so that an expired attempt can be
  /// restarted with another code; later, the person has to sign in again.
  var beginsWithCode: Bool { traits.contains(.beginsWithCode) }

  /// Whether an unknown account can be corrected there; later, the attempt is over.
  var looksUpAccount: Bool { traits.contains(.looksUpAccount) }

  /// Whether the service may ask for a second factor, or for registering one, instead of issuing
  /// tokens: not once the person has done either.
  var mayAskForMore: Bool { !traits.contains(.isLastDemand) }

  /// Whether an answer at this step means that a first factor is proven, by this step or before it.
  ///
  /// A resend can come before or after that; its caller knows which.
  var provesFirstFactor: Bool { traits.contains(.provesFirstFactor) }

  /// Whether a bare `invalid_grant` can only mean that the continuation is stale.
  var redeems: Bool { traits.contains(.redeems) }

  /// The field in which the address was typed.
  var identifierField: Field { self == .signUpStart ? .emailAddress : .identifier }
}
