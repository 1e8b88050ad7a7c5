internal import HTTPExchange
internal import AuthFlow
internal import Pages

extension Site {
  /// No identifier and no contact is longer, in bytes; a longer one is refused unasked.
  static let valueLimit = 320

  func beginSignIn(_ turn: inout Turn) async -> Answer {
    if let elsewhere = alreadyIn(&turn) { return elsewhere }
    keepIdentifier(&turn)
    let (instance, unavailable) = await instance(turn)
    if let unavailable { return await refuse(unavailable, &turn) }
    let password = Password(typed: turn.form["password"] ?? "")
    let asksBoth = instance.signInForm == .identifierAndPassword
    guard let identifier = Identifier(typed: turn.form["identifier"] ?? "") else {
      let missing = [Problem(.missing, at: .identifier, code: OwnCode.required)]
      let both = missing + [Problem(.missing, at: .password, code: OwnCode.required)]
      return await refuse(asksBoth && password == nil ? both : missing, &turn)
    }
    guard identifier.text.utf8.count <= Self.valueLimit else {
      return await refuse([.tooLong(.identifier)], &turn)
    }
    let input: SignInInput =
      asksBoth || password != nil ? .credentials(identifier, password) : .identifier(identifier)
    return await take(
      turn.signInFlow.advance(
        turn.visit.signIn?.state ?? .identifierRequired,
        with: input,
        memory: &turn.visit.memory
      ),
      finishesPasswordReset: false,
      &turn
    )
  }

  func submitPassword(_ turn: inout Turn) async -> Answer {
    guard let password = Password(typed: turn.form["password"] ?? "") else {
      return await refuseMissing(.password, &turn)
    }
    return await advance(with: .password(password), &turn)
  }

  func chooseFactor(_ turn: inout Turn) async -> Answer {
    guard let prompt = turn.visit.firstFactorPrompt else { return turn.movedOn() }
    return await choose(from: prompt, &turn)
  }

  func chooseSecondFactor(_ turn: inout Turn) async -> Answer {
    guard let prompt = turn.visit.secondFactorPrompt else { return turn.movedOn() }
    return await choose(from: prompt, &turn)
  }

  private func choose(from prompt: FactorPrompt, _ turn: inout Turn) async -> Answer {
    guard let factor = prompt.factor(named: turn.form["factor"] ?? "") else {
      return await refuse([Problem(.noneChosen, at: .factor, code: OwnCode.noneChosen)], &turn)
    }
    // From a password reset one may go back to signing in: the same attempt, another factor.
    let state = turn.visit.signIn?.state ?? .factorChoiceRequired(prompt)
    return await take(
      turn.signInFlow.advance(state, with: .factor(factor), memory: &turn.visit.memory),
      finishesPasswordReset: turn.visit.signIn?.finishesPasswordReset ?? false,
      &turn
    )
  }

  func submitCode(_ turn: inout Turn) async -> Answer {
    guard isDue(&turn) else { return turn.movedOn() }
    guard let code = VerificationCode(typed: turn.form["code"] ?? "") else {
      return await refuseMissing(.code, &turn)
    }
    return await advance(with: .code(code), &turn)
  }

  func submitBackupCode(_ turn: inout Turn) async -> Answer {
    guard let code = VerificationCode(typedBackupCode: turn.form["code"] ?? "") else {
      return await refuseMissing(.code, &turn)
    }
    return await advance(with: .backupCode(code), &turn)
  }

  func resendCode(_ turn: inout Turn) async -> Answer {
    guard isDue(&turn) else { return turn.movedOn() }
    return await advance(with: .resendCode, &turn)
  }

  /// Whether the code that was posted here is the one that is asked for here.
  func isDue(_ turn: inout Turn) -> Bool {
    turn.visit.signIn?.state.route == turn.route.page
  }

  func advance(with input: SignInInput, _ turn: inout Turn) async -> Answer {
    let progress = turn.visit.signIn
    return await take(
      turn.signInFlow.advance(
        progress?.state ?? .identifierRequired,
        with: input,
        memory: &turn.visit.memory
      ),
      finishesPasswordReset: progress?.finishesPasswordReset ?? false,
      &turn
    )
  }

  /// Seals what became of a sign-in into the visit, and goes to its page.
  func take(
    _ advance: Advance<SignInState>,
    finishesPasswordReset: Bool,
    _ turn: inout Turn
  ) async -> Answer {
    switch advance {
    case .misplaced:
      return turn.movedOn()
    case .refused(let error, let state):
      turn.visit.stand(at: state, finishesPasswordReset: finishesPasswordReset)
      return await refuse(error, &turn)
    case .moved(to: .complete(let session), let notices):
      return finish(session, notices: notices, &turn)
    case .moved(let state, let notices):
      turn.visit.stand(at: state, finishesPasswordReset: finishesPasswordReset)
      turn.tell(notices, on: state.route)
      return .seeOther(state.route)
    }
  }

  func restart(_ flow: Route.FlowRoute, _ turn: inout Turn) -> Answer {
    turn.visit.dropAttempt(of: flow)
    return .seeOther(flow.start)
  }

  func refuseMissing(_ field: Field, _ turn: inout Turn) async -> Answer {
    await refuse([Problem(.missing, at: field, code: OwnCode.required)], &turn)
  }

  func refuse(_ problems: [Problem], _ turn: inout Turn) async -> Answer {
    guard let error = AuthError(problems) else { return turn.movedOn() }
    return await refuse(error, &turn)
  }
}

extension Problem {
  static func tooLong(_ field: Field) -> Problem {
    Problem(
      .tooLong(limit: Site.valueLimit),
      at: field,
      code: "form_param_max_length_exceeded"
    )
  }
}

extension Visit {
  /// Forgets the attempt of one flow; another tab's stays.
  mutating func dropAttempt(of flow: Route.FlowRoute) {
    switch flow {
    case .signIn: signIn = nil
    case .signUp: signUp = nil
    case .passwordReset: passwordReset = nil
    }
  }

  /// Puts the sign-in where the flow says it stands; a reset that it has become takes its place.
  mutating func stand(at state: SignInState, finishesPasswordReset: Bool) {
    switch state {
    case .identifierRequired, .complete:
      signIn = nil
    case .resettingPassword(let reset):
      signIn = nil
      passwordReset = reset
    case .passwordRequired, .factorChoiceRequired, .codeRequired, .linkRequired,
      .secondFactorChoiceRequired, .secondFactorRequired, .deviceTrustRequired,
      .enrolmentRequired, .enrolmentCodeRequired, .permissionsRequired, .browserRequired:
      signIn = SignInProgress(state: state, finishesPasswordReset: finishesPasswordReset)
      if !finishesPasswordReset { passwordReset = nil }
    }
  }
}
