@_spi(Provider) import AuthFlow
import Foundation

extension PageExample {
  static var codeExamples: [PageExample] {
    signInCodes + secondFactors + devices + backupCodes
  }

  private static func page(
    _ factor: Factor,
    _ stage: FactorStage = .firstFactor,
    flow: FlowName = .signIn,
    others: [Factor] = [],
    expiresAt: Date? = later(600),
    resendAvailableAt: Date? = nil,
    isVoid: Bool = false,
    endsAt: Date? = later(3_300)
  ) -> CodePage? {
    let isSecond = stage == .secondFactor || stage == .deviceTrust
    return attempt(
      first: isSecond ? [password] : [factor] + others,
      second: isSecond ? [factor] + others : [],
      endsAt: endsAt
    ).map { attempt in
      CodePage(
        prompt: CodePrompt(
          attempt: attempt,
          stage: stage,
          factor: factor,
          expiresAt: factor.sendsMessage ? expiresAt : nil,
          resendAvailableAt: resendAvailableAt,
          isVoid: isVoid
        ),
        flow: flow,
        offersOtherMethods: !others.isEmpty
      )
    }
  }

  private static var signInCodes: [PageExample] {
    let wrong = error(.codeIncorrect, at: .code, "form_code_incorrect")
    let soon = error(.resendTooSoon(until: later(24)), OwnCode.resendTooSoon)
    return [
      page(email).map {
        PageExample("sign-in-code/only-method", $0)
      },
      page(email, others: [password], resendAvailableAt: later(30)).map {
        PageExample("sign-in-code/just-sent", $0, notices: [.codeSent])
      },
      page(email, others: [password], resendAvailableAt: later(30)).map {
        PageExample(
          "sign-in-code/resent",
          $0,
          notices: [.codeResent],
          timeZone: TimeZone(identifier: "Europe/London")
        )
      },
      page(email, others: [password]).map {
        PageExample("sign-in-code/wrong-code", $0, error: wrong)
      },
      page(phone, others: [password], resendAvailableAt: later(24)).map {
        PageExample("sign-in-code/cooldown", $0, error: soon)
      },
      page(email, others: [password], expiresAt: later(-60)).map {
        PageExample(
          "sign-in-code/expired",
          $0,
          error: error(.codeExpired, at: .code, "verification_expired")
        )
      },
      page(email, others: [password], isVoid: true).map {
        PageExample(
          "sign-in-code/too-many-tries",
          $0,
          error: error(.codeTriesExhausted, "verification_failed")
        )
      },
      page(email, others: [password], endsAt: later(240)).map {
        PageExample("sign-in-code/last-minutes", $0)
      },
      page(email, others: [password]).map {
        PageExample(
          "sign-in-code/too-short",
          $0,
          error: error(.codeLength(digits: 6), at: .code, OwnCode.codeLength),
          timeZone: TimeZone(identifier: "Pacific/Auckland")
        )
      },
      page(email, others: [password], resendAvailableAt: later(86_400)).map {
        PageExample("sign-in-code/field-and-general", $0, error: both)
      },
    ].compactMap(\.self)
  }

  private static var both: AuthError {
    AuthError(
      Problem(.codeIncorrect, at: .code, code: "form_code_incorrect"),
      [Problem(.resendTooSoon(until: later(86_400)), code: OwnCode.resendTooSoon)]
    )
  }

  private static var secondFactors: [PageExample] {
    [
      page(app, .secondFactor, others: [phone, backup]).map {
        PageExample("sign-in-second-factor/app", $0)
      },
      page(phone, .secondFactor, others: [app, backup], resendAvailableAt: later(30)).map {
        PageExample("sign-in-second-factor/text", $0, notices: [.codeSent])
      },
      page(app, .secondFactor, others: [backup]).map {
        PageExample(
          "sign-in-second-factor/wrong-code",
          $0,
          error: error(.codeIncorrect, at: .code, "form_code_incorrect")
        )
      },
      page(app, .secondFactor, flow: .passwordReset).map {
        PageExample("sign-in-second-factor/in-password-reset", $0, notices: [.passwordChanged])
      },
    ].compactMap(\.self)
  }

  private static var devices: [PageExample] {
    [
      page(email, .deviceTrust).map {
        PageExample("sign-in-device/just-sent", $0, notices: [.newDevice, .codeSent])
      },
      page(email, .deviceTrust).map {
        PageExample(
          "sign-in-device/wrong-code",
          $0,
          error: error(.codeIncorrect, at: .code, "form_code_incorrect")
        )
      },
    ].compactMap(\.self)
  }

  private static var backupCodes: [PageExample] {
    guard let attempt = attempt(second: [app, backup]) else { return [] }
    let prompt = CodePrompt(attempt: attempt, stage: .secondFactor, factor: backup)
    let page = BackupCodePage(
      prompt: prompt,
      flow: .signIn,
      back: .secondFactor,
      offersOtherMethods: true
    )
    let name = "sign-in-second-factor-backup-code"
    return [
      PageExample("\(name)/fresh", page),
      PageExample(
        "\(name)/used",
        page,
        error: error(.codeIncorrect, at: .code, "form_code_incorrect")
      ),
      PageExample(
        "\(name)/empty",
        BackupCodePage(prompt: prompt, flow: .passwordReset, offersOtherMethods: false),
        error: error(.missing, at: .code, OwnCode.required)
      ),
    ]
  }
}
