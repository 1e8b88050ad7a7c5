internal import AuthFlow
internal import HTTPExchange
internal import Pages

extension Site {
  func permissionsPage(_ turn: inout Turn) -> Answer {
    guard case .permissionsRequired(let prompt)? = turn.visit.signIn?.state else {
      return turn.movedOn()
    }
    return .page(PermissionsPage(prompt: prompt))
  }

  /// Goes on with what was granted, or signs out; what was declined is not asked for again.
  func decideOnPermissions(_ turn: inout Turn) async -> Answer {
    guard case .permissionsRequired(let prompt)? = turn.visit.signIn?.state else {
      return turn.movedOn()
    }
    switch PermissionsPage.Choice(rawValue: turn.form[PermissionsPage.choiceField.name] ?? "") {
    case .goOn? where !prompt.granted.isEmpty: return await advance(with: .acceptGranted, &turn)
    case .stop?: return await stop(&turn)
    case .goOn?, nil:
      return await refuse([Problem(.noneChosen, code: OwnCode.noneChosen)], &turn)
    }
  }

  /// Gets a token for the scopes that were typed, and shows on the account page what it is good for.
  func renewAccess(_ turn: inout Turn) async -> Answer {
    guard let session = turn.visit.session, session.access != nil else { return turn.movedOn() }
    let typed = turn.form[Field.scopes.name] ?? ""
    guard typed.utf8.count <= Self.valueLimit else {
      return await refuse([.tooLong(.scopes)], &turn)
    }
    let scopes = typed.split(whereSeparator: \.isWhitespace).map(String.init)
    switch await turn.provider.renewAccess(
      of: session,
      scopes: scopes,
      memory: &turn.visit.memory
    )
    {
    case .moved(to: .complete(let session)):
      turn.visit.session = session
      turn.tell([.tokenRenewed], on: .account)
      return .seeOther(.account)
    case .moved(let state):
      turn.visit.stand(at: state, finishesPasswordReset: false)
      return .seeOther(state.route)
    case .refused(let error, _):
      return await refuse(error, &turn)
    }
  }
}
