@_spi(Provider) package import AuthFlow
package import Foundation
import Testing

/// Values that the tests of the flows share.
package enum Example {
  package static let now = Date(timeIntervalSince1970: 1_767_225_600)

  package static let password = Factor(kind: .password)
  package static let emailCode = Factor(
    kind: .emailCode,
    destination: "ada@example.com",
    reference: "idn_1"
  )
  package static let phoneCode = Factor(kind: .phoneCode, destination: "+*0100", reference: "idn_2")
  package static let otherPhoneCode = Factor(
    kind: .phoneCode,
    destination: "+*0101",
    reference: "idn_3"
  )
  package static let totp = Factor(kind: .authenticatorCode)
  package static let backupCode = Factor(kind: .backupCode)
  package static let resetByEmail = Factor(kind: .resetPasswordEmailCode, reference: "idn_1")

  package static func identifier(_ text: String = "ada@example.com") throws -> Identifier {
    try .typed(text)
  }

  package static func password(_ text: String = "secret") throws -> Password {
    try .typed(text)
  }

  package static func code(_ text: String = "424242") throws -> VerificationCode {
    try .typed(text)
  }

  package static func attempt(
    first: [Factor] = [password, emailCode],
    second: [Factor] = []
  ) throws -> SignInAttempt {
    SignInAttempt(
      identifier: try identifier(),
      continuation: Continuation("canary-continuation"),
      firstFactors: first,
      secondFactors: second,
      endsAt: now.addingTimeInterval(86_400)
    )
  }

  package static func passwordPrompt(_ factors: [Factor] = [password, emailCode]) throws
    -> PasswordPrompt
  {
    PasswordPrompt(attempt: try attempt(first: factors))
  }

  package static func choice(
    _ factors: [Factor],
    stage: FactorStage = .firstFactor,
    preferred: Factor? = nil,
    concern: AuthError? = nil
  ) throws -> FactorPrompt {
    try #require(
      FactorPrompt(
        attempt: try attempt(first: factors, second: factors),
        stage: stage,
        factors: factors,
        preferred: preferred,
        concern: concern
      )
    )
  }

  package static func codePrompt(
    _ factor: Factor = emailCode,
    stage: FactorStage = .firstFactor,
    others: [Factor] = [],
    expiresIn: TimeInterval? = 600,
    resendIn: TimeInterval? = 30
  ) throws -> CodePrompt {
    let factors = [factor] + others
    return CodePrompt(
      attempt: try attempt(first: factors, second: factors),
      stage: stage,
      factor: factor,
      expiresAt: expiresIn.map(now.addingTimeInterval),
      resendAvailableAt: resendIn.map(now.addingTimeInterval)
    )
  }

  package static func session(tasks: [SessionTask] = []) -> Session {
    Session(
      id: "sess_1",
      user: Session.User(id: "user_1", identifier: "ada@example.com", firstName: "Ada"),
      tasks: tasks,
      expiresAt: now.addingTimeInterval(604_800),
      organization: Session.Organization(id: "org_1", name: "Harbour Works")
    )
  }

  package static func signUpAttempt() -> SignUpAttempt {
    SignUpAttempt(
      continuation: Continuation("canary-continuation"),
      values: [.emailAddress: "ada@example.com", .firstName: "Ada"],
      endsAt: now
    )
  }

  package static func contactPrompt(resendIn: TimeInterval? = 30) -> ContactPrompt {
    ContactPrompt(
      attempt: signUpAttempt(),
      contact: .emailAddress,
      destination: "ada@example.com",
      expiresAt: now.addingTimeInterval(600),
      resendAvailableAt: resendIn.map(now.addingTimeInterval)
    )
  }

  package static func missingPrompt() throws -> MissingDetailsPrompt {
    try #require(MissingDetailsPrompt(attempt: signUpAttempt(), fields: [.lastName, .password]))
  }

  package static func enrolmentPrompt() throws -> EnrolmentPrompt {
    try #require(EnrolmentPrompt(attempt: try attempt(), methods: [emailCode, phoneCode]))
  }

  package static func enrolment() throws -> Enrolment {
    try #require(Enrolment(method: emailCode, typed: " ada@example.com "))
  }

  package static func permissionsPrompt() throws -> PermissionsPrompt {
    try #require(
      PermissionsPrompt(session: session(), granted: ["api://a/Read"], declined: ["api://a/Write"])
    )
  }

  package static func error(_ reason: Reason, at field: Field? = nil) -> AuthError {
    AuthError(Problem(reason, at: field, code: "code_of_test"), traceID: "trace_1")
  }

  /// One of every state of a sign-in.
  package static func signInStates() throws -> [SignInState] {
    [
      .identifierRequired,
      .passwordRequired(try passwordPrompt()),
      .factorRequired(
        try choice([emailCode, phoneCode], concern: error(.passwordCompromised, at: .password))
      ),
      .codeRequired(try codePrompt()),
      .factorRequired(
        try choice([totp, backupCode], stage: .secondFactor, preferred: totp)
      ),
      .codeRequired(
        try codePrompt(totp, stage: .secondFactor, others: [backupCode], expiresIn: nil)
      ),
      .codeRequired(try codePrompt(stage: .deviceTrust)),
      .enrolmentRequired(try enrolmentPrompt()),
      .codeRequired(try codePrompt(stage: .enrolment)),
      .permissionsRequired(try permissionsPrompt()),
      .browserRequired(
        BrowserPrompt(identifier: try identifier(), providerName: "Works", address: "https://x")
      ),
      .resettingPassword(.codeRequired(try codePrompt(resetByEmail, stage: .passwordReset))),
      .complete(session(tasks: [.resetPassword, .unknown("later")])),
    ]
  }

  /// One of every state of a password reset.
  package static func resetStates() throws -> [PasswordResetState] {
    [
      .identifierRequired,
      .step(.codeRequired(try codePrompt(resetByEmail, stage: .passwordReset))),
      .step(.newPasswordRequired(NewPasswordPrompt(attempt: try attempt()))),
      .continuing(.codeRequired(try codePrompt(totp, stage: .secondFactor))),
      .step(.waiting(ResetWaitPrompt(attempt: try attempt(), checkCount: 1))),
      .continuing(.complete(session())),
    ]
  }

  /// One of every state of a sign-up.
  package static func signUpStates() throws -> [SignUpState] {
    [
      .detailsRequired, .detailsMissing(try missingPrompt()), .codeRequired(contactPrompt()),
      .continuing(.complete(session())), .continuing(.identifierRequired),
    ]
  }
}
