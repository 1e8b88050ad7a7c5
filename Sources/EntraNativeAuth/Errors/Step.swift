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

  /// Whether the step is the first of a flow.
  var beginsFlow: Bool {
    switch self {
    case .signInStart, .signUpStart, .resetStart: true
    case .password, .signInCode, .secondFactorChoice, .secondFactorCode, .signUpCode,
      .signUpPassword, .attributes, .resetCode, .newPassword, .poll, .enrolment, .enrolmentCode,
      .resend, .finish, .enrolmentFinish, .browserReturn:
      false
    }
  }

  /// Whether the page asks for the first code of an attempt, so that an expired attempt can be
  /// restarted with another code; later, the person has to sign in again.
  var beginsWithCode: Bool {
    switch self {
    case .signInCode, .signUpCode, .resetCode: true
    case .signInStart, .password, .secondFactorChoice, .secondFactorCode, .signUpStart,
      .signUpPassword, .attributes, .resetStart, .newPassword, .poll, .enrolment, .enrolmentCode,
      .resend, .finish, .enrolmentFinish, .browserReturn:
      false
    }
  }

  /// Whether the service may ask for a second factor, or for registering one, instead of issuing
  /// tokens: not once the person has done either.
  var mayAskForMore: Bool {
    switch self {
    case .secondFactorCode, .enrolmentFinish: false
    case .signInStart, .password, .signInCode, .secondFactorChoice, .signUpStart, .signUpCode,
      .signUpPassword, .attributes, .resetStart, .resetCode, .newPassword, .poll, .enrolment,
      .enrolmentCode, .resend, .finish, .browserReturn:
      true
    }
  }

  /// Whether an answer at this step means that a first factor is proven, by this step or before it.
  ///
  /// A resend can come before or after that; its caller knows which.
  var provesFirstFactor: Bool {
    switch self {
    case .password, .signInCode, .secondFactorChoice, .secondFactorCode, .enrolment, .enrolmentCode,
      .finish, .enrolmentFinish, .browserReturn:
      true
    case .signInStart, .signUpStart, .signUpCode, .signUpPassword, .attributes, .resetStart,
      .resetCode, .newPassword, .poll, .resend:
      false
    }
  }

  /// The field in which the address was typed.
  var identifierField: Field {
    switch self {
    case .signUpStart: .emailAddress
    case .signInStart, .password, .signInCode, .secondFactorChoice, .secondFactorCode, .signUpCode,
      .signUpPassword, .attributes, .resetStart, .resetCode, .newPassword, .poll, .enrolment,
      .enrolmentCode, .resend, .finish, .enrolmentFinish, .browserReturn:
      .identifier
    }
  }
}
