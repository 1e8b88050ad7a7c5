@_spi(Provider) import AuthFlow
import Foundation

extension PageExample {
  static var passwordResetExamples: [PageExample] {
    let forgot = ForgotPasswordPage(instance: instance(), identifier: "ada@example.com")
    return [
      PageExample(
        "forgot-password/fresh",
        ForgotPasswordPage(instance: instance(), identifier: nil)
      ),
      PageExample("forgot-password/prefilled", forgot),
      PageExample(
        "forgot-password/unknown-account",
        forgot,
        error: error(.identifierNotFound, at: .identifier, "form_identifier_not_found")
      ),
      PageExample(
        "forgot-password/no-password",
        forgot,
        error: error(.methodUnavailable, "strategy_for_user_invalid")
      ),
    ] + resetCodes + newPasswords
  }

  private static var resetCodes: [PageExample] {
    guard let attempt = attempt(first: [resetByEmail, email]) else { return [] }
    let page = CodePage(
      prompt: CodePrompt(
        attempt: attempt,
        stage: .passwordReset,
        factor: resetByEmail,
        expiresAt: later(600),
        resendAvailableAt: later(30)
      ),
      flow: .passwordReset,
      offersOtherMethods: true
    )
    return [
      PageExample("forgot-password-code/just-sent", page, notices: [.codeSent]),
      PageExample(
        "forgot-password-code/wrong-code",
        page,
        error: error(.codeIncorrect, at: .code, "form_code_incorrect")
      ),
    ]
  }

  private static var newPasswords: [PageExample] {
    let rules = PasswordRules(minimumLength: 8)
    func reset(_ signsOutOfOtherSessions: Bool?) -> NewPasswordPage {
      NewPasswordPage(
        variant: .reset,
        identifier: "ada@example.com",
        rules: rules,
        signsOutOfOtherSessions: signsOutOfOtherSessions
      )
    }
    let task = NewPasswordPage(variant: .task, identifier: "cora@example.com", rules: rules)
    let weak = AuthError(
      Problem(.passwordTooShort(minimum: 8), at: .password, code: "form_password_length_too_short"),
      [Problem(.passwordBreached, at: .password, code: "form_password_pwned")]
    )
    return [
      PageExample("forgot-password-new/fresh", reset(true)),
      PageExample("forgot-password-new/weak", reset(true), error: weak),
      PageExample(
        "forgot-password-new/box-cleared",
        reset(false),
        error: error(.unrecognised, "new_code")
      ),
      PageExample("forgot-password-new/without-box", reset(nil)),
      PageExample("tasks-reset-password/fresh", task),
      PageExample(
        "tasks-reset-password/reused",
        task,
        error: error(.passwordReused, at: .password, "form_new_password_matches_current")
      ),
    ]
  }
}
