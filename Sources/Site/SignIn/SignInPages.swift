internal import HTTPExchange
internal import AuthFlow
internal import Pages

extension Site {
  /// What is in the identifier's field: just typed, asked for by the address, or said before.
  func typedIdentifier(_ turn: Turn) -> String? {
    turn.form["identifier"] ?? turn.request.queryParameters["identifier"] ?? turn.visit.identifier
  }

  /// Keeps what the person said they are, so that no later page has to ask again.
  func keepIdentifier(_ turn: inout Turn) {
    guard let typed = turn.form["identifier"] ?? turn.form["email_address"],
      typed.utf8.count <= Self.valueLimit
    else { return }
    turn.visit.identifier = typed
  }

  func signInPage(_ turn: inout Turn) async -> Answer {
    if let elsewhere = alreadyIn(&turn) { return elsewhere }
    let (instance, error) = await instance(turn)
    let page = SignInPage(
      instance: instance,
      identifier: typedIdentifier(turn),
      hasAttempt: turn.visit.signIn?.state.factorPrompt != nil
    )
    return error.map { .refused(page, $0) } ?? .page(page)
  }

  func passwordPage(_ turn: inout Turn) -> Answer {
    guard case .passwordRequired(let prompt)? = turn.visit.signIn?.state else {
      return turn.movedOn()
    }
    return .page(
      PasswordPage(
        identifier: prompt.attempt.identifier.text,
        offersOtherMethods: turn.visit.signIn?.state.factorPrompt != nil
      )
    )
  }

  func factorChoicePage(_ turn: inout Turn) -> Answer {
    guard let prompt = turn.visit.firstFactorPrompt else { return turn.movedOn() }
    return .page(
      FactorChoicePage(
        prompt: prompt,
        flow: .signIn,
        backHref: turn.visit.backFromFactors,
        lastUsed: turn.provider.lastUsedMethod(in: turn.visit.memory)
      )
    )
  }

  func secondFactorChoicePage(_ turn: inout Turn) -> Answer {
    guard let progress = turn.visit.signIn, let prompt = turn.visit.secondFactorPrompt else {
      return turn.movedOn()
    }
    return .page(
      FactorChoicePage(
        prompt: prompt,
        flow: progress.flow,
        backHref: turn.visit.backFromFactors
      )
    )
  }

  func codePage(_ turn: inout Turn) -> Answer {
    guard case .codeRequired(let prompt)? = turn.visit.signIn?.state else { return turn.movedOn() }
    return codePage(asking: prompt, turn)
  }

  func secondFactorPage(_ turn: inout Turn) -> Answer {
    guard case .secondFactorRequired(let prompt)? = turn.visit.signIn?.state,
      prompt.factor.kind != .backupCode
    else { return turn.movedOn() }
    return codePage(asking: prompt, turn)
  }

  func devicePage(_ turn: inout Turn) -> Answer {
    guard case .deviceTrustRequired(let prompt)? = turn.visit.signIn?.state else {
      return turn.movedOn()
    }
    return codePage(asking: prompt, turn)
  }

  private func codePage(asking prompt: CodePrompt, _ turn: Turn) -> Answer {
    .page(
      CodePage(
        prompt: prompt,
        flow: turn.visit.signIn?.flow ?? .signIn,
        offersOtherMethods: prompt.otherFactors != nil
      )
    )
  }

  func backupCodePage(_ turn: inout Turn) -> Answer {
    guard let progress = turn.visit.signIn,
      case .secondFactorRequired(let prompt) = progress.state, let backup = prompt.withBackupCode
    else { return turn.movedOn() }
    return .page(
      BackupCodePage(
        prompt: backup,
        flow: progress.flow,
        offersOtherMethods: backup.otherFactors != nil
      )
    )
  }

  func lockedPage(_ turn: inout Turn) -> Answer {
    guard let lock = turn.visit.lock else { return turn.signInFirst(.movedOn) }
    let page = LockedPage(problem: lock.problem, until: lock.until, traceID: lock.traceID)
    return .page(page, status: page.isOver(at: turn.now) ? 200 : 403)
  }

  func blockedPage(_ turn: inout Turn) -> Answer {
    guard let block = turn.visit.block ?? turn.visit.session.flatMap(Block.init(ofTaskIn:)) else {
      return turn.signInFirst(.movedOn)
    }
    return .page(
      BlockedPage(error: block.error, offersSignOut: block.offersSignOut),
      status: 403
    )
  }
}

extension SignInProgress {
  var flow: FlowName { finishesPasswordReset ? .passwordReset : .signIn }
}

extension Visit {
  /// The first factors to choose from: those of the sign-in, else the ways around a reset.
  var firstFactorPrompt: FactorPrompt? {
    if let prompt = signIn?.state.factorPrompt {
      return prompt.stage == .firstFactor ? prompt : nil
    }
    return signIn == nil ? passwordReset?.factorPrompt : nil
  }

  /// The second factors to choose from, those for a new device among them.
  var secondFactorPrompt: FactorPrompt? {
    signIn?.state.factorPrompt.flatMap { $0.stage == .firstFactor ? nil : $0 }
  }

  /// The step from which the person came to choose another method; nil where the choice is the step.
  var backFromFactors: String? {
    let step = signIn?.state.route ?? passwordReset?.route
    guard let step, step != .factors, step != .secondFactorFactors else { return nil }
    return step.path
  }
}
