internal import AuthFlow

/// What was being done when the service refused: the same error means different things elsewhere.
enum Step: Hashable, Sendable, CaseIterable {
  case signInStart, password, signInCode, secondFactorChoice, secondFactorCode
  case signUpStart, signUpCode, signUpPassword, attributes
  case resetStart, resetCode, newPassword, poll
  case enrolment, enrolmentCode
  /// Sending another code.
  case resend
  /// Redeeming what a flow ended with, or asking which methods there are.
  case finish
  /// What a browser brought back, and redeeming it.
  case browserReturn

  /// Whether the page asks for a code with which an attempt begins, so that another code is to be had once the attempt has
  /// expired; who has proven something before begins again.
  var beginsWithCode: Bool {
    switch self {
    case .signInCode, .signUpCode, .resetCode: true
    case .signInStart, .password, .secondFactorChoice, .secondFactorCode, .signUpStart,
      .signUpPassword, .attributes, .resetStart, .newPassword, .poll, .enrolment, .enrolmentCode,
      .resend, .finish, .browserReturn:
      false
    }
  }

  /// Whether who gets as far as an answer has proven a first factor, by this step or before it.
  ///
  /// Another code is sent before and after: whoever asks for it knows.
  var provesFirstFactor: Bool {
    switch self {
    case .password, .signInCode, .secondFactorChoice, .secondFactorCode, .enrolment, .enrolmentCode,
      .finish, .browserReturn:
      true
    case .signInStart, .signUpStart, .signUpCode, .signUpPassword, .attributes, .resetStart,
      .resetCode, .newPassword, .poll, .resend:
      false
    }
  }

  /// Where the address is typed.
  var identifierField: Field {
    switch self {
    case .signUpStart: .emailAddress
    case .signInStart, .password, .signInCode, .secondFactorChoice, .secondFactorCode, .signUpCode,
      .signUpPassword, .attributes, .resetStart, .resetCode, .newPassword, .poll, .enrolment,
      .enrolmentCode, .resend, .finish, .browserReturn:
      .identifier
    }
  }
}
