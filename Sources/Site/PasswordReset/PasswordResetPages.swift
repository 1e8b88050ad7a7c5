internal import AuthFlow
internal import Pages

extension Site {
  func forgotPasswordPage(_ turn: inout Turn) async -> Answer {
    if let elsewhere = alreadyIn(&turn) { return elsewhere }
    let (instance, error) = await instance(turn)
    let page = ForgotPasswordPage(instance: instance, identifier: typedIdentifier(turn))
    return error.map { .refused(page, $0) } ?? .page(page)
  }

  func resetCodePage(_ turn: inout Turn) -> Answer {
    guard case .codeRequired(let prompt)? = turn.visit.passwordReset else {
      return turn.movedOn()
    }
    return .page(
      CodePage(
        prompt: prompt,
        flow: .passwordReset,
        offersOtherMethods: prompt.otherFactors != nil
      )
    )
  }

  func resetWaitingPage(_ turn: inout Turn) -> Answer {
    guard case .waiting(let prompt)? = turn.visit.passwordReset else { return turn.movedOn() }
    return .page(ResetWaitingPage(prompt: prompt))
  }

  func newPasswordPage(_ turn: inout Turn) async -> Answer {
    guard case .newPasswordRequired(let prompt)? = turn.visit.passwordReset else {
      return turn.movedOn()
    }
    let (instance, error) = await instance(turn)
    let page = NewPasswordPage(
      variant: .reset,
      identifier: prompt.attempt.identifier.text,
      rules: instance.passwordRules
    )
    return error.map { .refused(page, $0) } ?? .page(page)
  }
}
