internal import HTTPExchange
internal import AuthFlow
internal import Foundation
internal import HTTPTypes
internal import Pages

extension Site {
  func secondFactorSetupPage(
    _ setup: SecondFactorSetup,
    of session: Session,
    _ turn: inout Turn
  ) async -> Answer {
    if case .backupCodesOffered(let codes) = setup, turn.isRead,
      turn.request.queryParameters["download"] != nil
    {
      let name = (await instance(turn)).0.applicationName
      return .file(name: "backup-codes.txt", text: codes.file(for: name))
    }
    let (instance, unavailable) = await instance(turn)
    guard !instance.secondFactorMethods.isEmpty else {
      let error = AuthError(
        Problem(.noUsableMethod, code: Route.TaskRoute.setUpSecondFactor.rawValue)
      )
      return .page(BlockedPage(error: error, offersSignOut: true), status: 403)
    }
    let typed = turn.form[Field.phoneNumber.name]
    func page(_ setup: SecondFactorSetup) -> SecondFactorSetupPage {
      SecondFactorSetupPage(
        setup: setup,
        methods: instance.secondFactorMethods,
        identifier: session.user.identifier,
        phoneNumber: typed
      )
    }
    if let unavailable { return .refused(page(setup), unavailable) }
    guard turn.isRead, !turn.asksNothing else { return .page(page(setup)) }
    switch await arrive(at: setup, of: session, methods: instance.secondFactorMethods, &turn) {
    case .misplaced: return .page(page(setup))
    case .refused(let error, _):
      return leaveTask(for: error, &turn) ?? .refused(page(setup), error)
    case .moved(let state, let notices):
      guard let setup = state.setup else { return finish(state.session, notices: notices, &turn) }
      return .page(page(setup))
    }
  }

  /// Opens the step that is due without asking, and keeps it, so that a reload shows the same.
  private func arrive(
    at setup: SecondFactorSetup,
    of session: Session,
    methods: [SecondFactorMethod],
    _ turn: inout Turn
  ) async -> Advance<SessionTaskState> {
    let advance = await turn.sessionTaskFlow.arrive(
      at: .secondFactorRequired(session, setup),
      methods: methods,
      memory: &turn.visit.memory
    )
    if case .moved(let state, _) = advance { turn.visit.stand(at: state) }
    return advance
  }

  func submitSecondFactorSetup(_ turn: inout Turn) async -> Answer {
    guard case .secondFactorRequired(_, let setup)? = turn.visit.taskState else {
      return turn.movedOn()
    }
    if let name = turn.form[Field.secondFactorMethod.name] {
      return await chooseSecondFactorMethod(name, &turn)
    }
    if let typed = turn.form[Field.code.name] {
      guard let code = VerificationCode(typed: typed) else {
        return await refuseMissing(.code, &turn)
      }
      return await advanceTask(with: .secondFactor(.code(code)), &turn)
    }
    if let typed = turn.form[Field.phoneNumber.name] { return await addPhone(typed, &turn) }
    switch setup {
    case .methodRequired: return await refuseNoMethod(&turn)
    case .authenticatorRequired, .codeRequired: return await refuseMissing(.code, &turn)
    case .phoneNumberRequired: return await refuseMissing(.phoneNumber, &turn)
    case .backupCodesOffered:
      return await advanceTask(with: .secondFactor(.backupCodesSaved), &turn)
    }
  }

  func resendSecondFactorCode(_ turn: inout Turn) async -> Answer {
    await advanceTask(with: .secondFactor(.resendCode), &turn)
  }

  private func chooseSecondFactorMethod(_ name: String, _ turn: inout Turn) async -> Answer {
    if name == SecondFactorSetupPage.otherMethod {
      return await advanceTask(with: .secondFactor(.otherMethod), &turn)
    }
    guard let method = SecondFactorMethod(rawValue: name),
      await instance(turn).0.secondFactorMethods.contains(method)
    else { return await refuseNoMethod(&turn) }
    return await advanceTask(with: .secondFactor(.method(method)), &turn)
  }

  private func refuseNoMethod(_ turn: inout Turn) async -> Answer {
    await refuse(
      [Problem(.noneChosen, at: .secondFactorMethod, code: OwnCode.noneChosen)],
      &turn
    )
  }

  private func addPhone(_ typed: String, _ turn: inout Turn) async -> Answer {
    let trimmed = typed.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !trimmed.isEmpty else { return await refuseMissing(.phoneNumber, &turn) }
    guard trimmed.utf8.count <= Self.valueLimit else {
      return await refuse([.tooLong(.phoneNumber)], &turn)
    }
    let number = PhoneNumber.cleaned(trimmed) ?? trimmed
    return await advanceTask(with: .secondFactor(.phoneNumber(number)), &turn)
  }
}

extension Turn {
  /// Whether the page is only looked at.
  fileprivate var isRead: Bool { request.method != .post }
}
