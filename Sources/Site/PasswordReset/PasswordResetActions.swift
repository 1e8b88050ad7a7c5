internal import AuthFlow
internal import HTTPExchange
internal import Pages

extension Site {
  func beginPasswordReset(_ turn: inout Turn) async -> Answer {
    if let elsewhere = alreadyIn(&turn) { return elsewhere }
    keepIdentifier(&turn)
    guard let identifier = Identifier(typed: turn.form["identifier"] ?? "") else {
      return await refuseMissing(.identifier, &turn)
    }
    guard identifier.text.utf8.count <= Self.valueLimit else {
      return await refuse([.tooLong(.identifier)], &turn)
    }
    return await advanceReset(with: .identifier(identifier), &turn)
  }

  func submitResetCode(_ turn: inout Turn) async -> Answer {
    guard case .codeRequired? = turn.visit.passwordReset else { return turn.movedOn() }
    guard let code = VerificationCode(typed: turn.form["code"] ?? "") else {
      return await refuseMissing(.code, &turn)
    }
    return await advanceReset(with: .code(code), &turn)
  }

  func resendResetCode(_ turn: inout Turn) async -> Answer {
    await advanceReset(with: .resendCode, &turn)
  }

  func submitNewPassword(_ turn: inout Turn) async -> Answer {
    guard case .newPasswordRequired? = turn.visit.passwordReset else { return turn.movedOn() }
    guard let password = Password(typed: turn.form["password"] ?? "") else {
      return await refuseMissing(.password, &turn)
    }
    return await advanceReset(
      with: .newPassword(password, signOutOfOtherSessions: turn.form.signsOutOthers),
      &turn
    )
  }

  func checkPasswordReset(_ turn: inout Turn) async -> Answer {
    guard case .waiting? = turn.visit.passwordReset else { return turn.movedOn() }
    return await advanceReset(with: .check, &turn)
  }

  private func advanceReset(with input: PasswordResetInput, _ turn: inout Turn) async -> Answer {
    let advance = await turn.passwordResetFlow.advance(
      turn.visit.passwordReset ?? .identifierRequired,
      with: input,
      memory: &turn.visit.memory
    )
    switch advance {
    case .misplaced:
      return turn.movedOn()
    case .refused(let error, let state):
      turn.visit.passwordReset = state == .identifierRequired ? nil : state
      return await refuse(error, &turn)
    case .moved(to: .continuing(.complete(let session)), let notices):
      return finish(session, notices: notices, &turn)
    case .moved(to: .continuing(let state), let notices):
      turn.visit.passwordReset = nil
      turn.visit.stand(at: state, finishesPasswordReset: true)
      turn.tell(notices, on: state.route)
      return .seeOther(state.route)
    case .moved(let state, let notices):
      turn.visit.signIn = nil
      turn.visit.passwordReset = state
      turn.tell(notices, on: state.route)
      return .seeOther(state.route)
    }
  }
}

extension Form {
  /// Whether the box is ticked that ends the account's other sessions.
  var signsOutOthers: Bool { self["sign_out_of_other_sessions"] != nil }
}
