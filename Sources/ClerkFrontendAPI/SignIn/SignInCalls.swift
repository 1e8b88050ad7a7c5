@_spi(Provider) internal import AuthFlow
internal import HTTPExchange
internal import HTTPTypes

/// The calls of a sign-in.
///
/// Source: <doc:ClerkSigningIn>, <doc:ClerkSecondFactors>, <doc:ClerkResettingPasswords>.
extension Call {
  static func createSignIn(_ identifier: Identifier, password: Password? = nil) -> Call {
    var form: FormData = ["identifier": identifier.text]
    if let password {
      form.append("password", password.secret)
      form.append("strategy", "password")
    }
    return Call(.post, "client", "sign_ins", form: form, purpose: .signIn)
  }

  static func read(_ attempt: SignInAttempt) -> Call {
    Call(.get, "client", "sign_ins", attempt.continuation.token, purpose: .signIn)
  }

  static func attemptPassword(_ password: Password, of attempt: SignInAttempt) -> Call {
    attempt.step("attempt_first_factor", ["strategy": "password", "password": password.secret])
  }

  /// The call that has the factor's code sent; nil if it needs none, or if we cannot ask for it.
  static func prepare(_ factor: Factor, _ stage: FactorStage, of attempt: SignInAttempt) -> Call? {
    guard let contact = factor.contactParameter else { return nil }
    var form: FormData = ["strategy": factor.kind.rawValue]
    if let reference = factor.reference { form.append(contact, reference) }
    return attempt.step("prepare_" + stage.endpointSuffix, form)
  }

  static func attempt(_ code: VerificationCode, for prompt: CodePrompt) -> Call {
    prompt.attempt.step(
      "attempt_" + prompt.stage.endpointSuffix,
      ["strategy": prompt.factor.kind.rawValue, "code": code.secret]
    )
  }

  static func resetPassword(
    _ password: Password,
    signOutOfOtherSessions: Bool,
    of attempt: SignInAttempt
  ) -> Call {
    attempt.step(
      "reset_password",
      [
        "password": password.secret,
        "sign_out_of_other_sessions": signOutOfOtherSessions.wireWord,
      ],
      purpose: .newPassword
    )
  }
}

extension SignInAttempt {
  fileprivate func step(
    _ name: String,
    _ form: FormData,
    purpose: Call.Purpose = .signIn
  ) -> Call {
    Call(.post, "client", "sign_ins", continuation.token, name, form: form, purpose: purpose)
  }
}

extension FactorStage {
  /// The status of the sign-in while a factor of this stage is due.
  var dueStatus: SignInResource.Status {
    switch self {
    case .firstFactor, .passwordReset: .needsFirstFactor
    case .secondFactor, .enrolment: .needsSecondFactor
    case .deviceTrust: .needsClientTrust
    }
  }

  fileprivate var endpointSuffix: String {
    switch self {
    case .firstFactor, .passwordReset: "first_factor"
    case .secondFactor, .deviceTrust, .enrolment: "second_factor"
    }
  }
}

extension Factor {
  /// The parameter that names the contact to send to; nil if no code is sent.
  fileprivate var contactParameter: String? {
    switch kind {
    case .emailCode, .resetPasswordEmailCode: "email_address_id"
    case .phoneCode, .resetPasswordPhoneCode: "phone_number_id"
    case .password, .emailLink, .authenticatorCode, .backupCode, .enterprise: nil
    }
  }
}
