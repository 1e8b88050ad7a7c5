internal import AuthFlow
internal import HTTPExchange
internal import Pages

extension Site {
  func enrolmentPage(_ turn: inout Turn) -> Answer {
    switch turn.visit.signIn?.state {
    case .enrolmentRequired(let prompt)?:
      return .page(
        EnrolmentPage(
          prompt: prompt,
          method: turn.form[Field.secondFactorMethod.name],
          contact: turn.form[Field.contact.name]
        )
      )
    case .enrolmentCodeRequired(let prompt)?:
      return .page(CodePage(prompt: prompt, flow: .signIn, offersOtherMethods: false))
    default:
      return turn.movedOn()
    }
  }

  /// Takes the contact, or the code that was sent to it: one address, two steps.
  func submitEnrolment(_ turn: inout Turn) async -> Answer {
    guard case .enrolmentRequired(let prompt)? = turn.visit.signIn?.state else {
      return await submitCode(&turn)
    }
    let typed = turn.form[Field.contact.name] ?? ""
    guard typed.utf8.count <= Self.valueLimit else {
      return await refuse([.tooLong(.contact)], &turn)
    }
    var problems: [Problem] = []
    let method = prompt.method(named: turn.form[Field.secondFactorMethod.name] ?? "")
    if method == nil {
      problems.append(Problem(.noneChosen, at: .secondFactorMethod, code: OwnCode.noneChosen))
    }
    let enrolment = method.flatMap { Enrolment(method: $0, typed: typed) }
    if Identifier(typed: typed) == nil {
      problems.append(Problem(.missing, at: .contact, code: OwnCode.required))
    }
    guard let enrolment, problems.isEmpty else { return await refuse(problems, &turn) }
    return await advance(with: .enrolment(enrolment), &turn)
  }
}
