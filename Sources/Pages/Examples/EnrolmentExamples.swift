@_spi(Provider) import AuthFlow

extension PageExample {
  /// The steps of registering a strong method, and of waiting for a password.
  static var enrolmentExamples: [PageExample] {
    guard let attempt = attempt(first: [password]) else { return [] }
    func page(_ methods: [Factor], _ method: String? = nil, _ contact: String? = nil)
      -> EnrolmentPage?
    {
      EnrolmentPrompt(attempt: attempt, methods: methods).map {
        EnrolmentPage(prompt: $0, method: method, contact: contact)
      }
    }
    func named(_ state: String, _ page: EnrolmentPage?, error: AuthError? = nil) -> [PageExample] {
      page.map { [PageExample("sign-in-enrolment/\(state)", $0, error: error)] } ?? []
    }
    let known = Factor(kind: .emailCode, destination: "mia@example.com", reference: "email")
    let both = [known, Factor(kind: .phoneCode, reference: "sms")]
    let code = CodePage(
      prompt: CodePrompt(
        attempt: attempt,
        stage: .enrolment,
        factor: known,
        codeLength: 8,
        resendAvailableAt: later(30)
      ),
      flow: .signIn,
      offersOtherMethods: false
    )
    let waiting = ResetWaitPrompt(attempt: attempt, checkCount: 1)
    return named("both-methods", page(both)) + named("only-email", page([known]))
      + named("only-phone", page([Factor(kind: .phoneCode, reference: "sms")]))
      + named(
        "blocked-contact",
        page(both, "phone", "+12015550177"),
        error: error(.contactBlocked, at: .contact, "access_denied/provider_blocked_by_rep")
      )
      + named(
        "nothing-entered",
        page(both, "", ""),
        error: AuthError(
          Problem(.noneChosen, at: .secondFactorMethod, code: OwnCode.noneChosen),
          [Problem(.missing, at: .contact, code: OwnCode.required)]
        )
      ) + [
        PageExample("sign-in-enrolment/code-sent", code, notices: [.codeSent]),
        PageExample(
          "sign-in-enrolment/wrong-code",
          code,
          error: error(.codeNotAccepted, at: .code, "invalid_grant/invalid_oob_value")
        ),
        PageExample("forgot-password-waiting/just-begun", ResetWaitingPage(prompt: waiting)),
        PageExample(
          "forgot-password-waiting/still-waiting",
          ResetWaitingPage(prompt: waiting),
          notices: [.stillWaiting]
        ),
        PageExample(
          "forgot-password-waiting/slow",
          ResetWaitingPage(
            prompt: ResetWaitPrompt(attempt: attempt, checkCount: 7)
          ),
          error: error(.serviceTimedOut, "service_timed_out")
        ),
      ]
  }
}
