internal import AuthFlow
internal import Foundation
internal import HTTPExchange
internal import Pages

extension Site {
  func beginSignUp(_ turn: inout Turn) async -> Answer {
    if let elsewhere = alreadyIn(&turn) { return elsewhere }
    keepIdentifier(&turn)
    let (instance, unavailable) = await instance(turn)
    if let unavailable { return await refuse(unavailable, &turn) }
    if instance.signUp.mode == .waitlist { return await joinWaitingList(&turn) }
    let fields = instance.signUp.fields.map(\.field)
    if let error = tooLongValues(of: fields, in: turn.form) { return await refuse(error, &turn) }
    return await advance(with: .details(details(of: fields, in: turn.form)), instance, &turn)
  }

  func submitMissingDetails(_ turn: inout Turn) async -> Answer {
    guard case .detailsMissing(let prompt)? = turn.visit.signUp else { return turn.movedOn() }
    if let error = tooLongValues(of: prompt.fields, in: turn.form) {
      return await refuse(error, &turn)
    }
    let details = details(of: prompt.fields, in: turn.form)
    return await advance(with: .missingDetails(details), .unknown, &turn)
  }

  func submitContactCode(_ turn: inout Turn) async -> Answer {
    guard case .codeRequired? = turn.visit.signUp else { return turn.movedOn() }
    if let proof = turn.form[Field.factor.name] { return await submitProof(proof, &turn) }
    guard let code = VerificationCode(typed: turn.form["code"] ?? "") else {
      return await refuseMissing(.code, &turn)
    }
    return await advance(with: .code(code), .unknown, &turn)
  }

  func resendContactCode(_ turn: inout Turn) async -> Answer {
    await advance(with: .resendCode, .unknown, &turn)
  }

  /// A code instead of a link, or the other way about.
  func submitProof(_ name: String, _ turn: inout Turn) async -> Answer {
    guard let proof = ContactProof(rawValue: name) else { return turn.movedOn() }
    return await advance(with: .proof(proof), .unknown, &turn)
  }

  private func joinWaitingList(_ turn: inout Turn) async -> Answer {
    if let error = tooLongValues(of: [.emailAddress], in: turn.form) {
      return await refuse(error, &turn)
    }
    guard let address = details(of: [.emailAddress], in: turn.form).values[.emailAddress] else {
      return await refuseMissing(.emailAddress, &turn)
    }
    do {
      try await turn.provider.joinWaitingList(address, memory: &turn.visit.memory)
    } catch {
      return await refuse(error, &turn)
    }
    turn.tell([.waitlistJoined], on: .signUp)
    return .seeOther(.signUp)
  }

  private func advance(
    with input: SignUpInput,
    _ instance: InstanceDescription,
    _ turn: inout Turn
  ) async -> Answer {
    await take(
      turn.signUpFlow.advance(
        turn.visit.signUp ?? .detailsRequired,
        with: input,
        form: instance.signUp,
        memory: &turn.visit.memory
      ),
      instance,
      &turn
    )
  }

  /// Seals what became of a sign-up into the visit, and goes to its page.
  func take(
    _ advance: Advance<SignUpState>,
    _ instance: InstanceDescription,
    _ turn: inout Turn
  ) async -> Answer {
    switch advance {
    case .misplaced:
      return turn.movedOn()
    case .refused(let error, let state):
      turn.visit.signUp = state == .detailsRequired ? nil : state
      return await refuseSignUp(error, instance, &turn)
    case .moved(to: .complete(let session), let notices):
      return finish(session, notices: notices, &turn)
    case .moved(to: .continuing(let state), let notices):
      turn.visit.signUp = nil
      turn.visit.stand(at: state, finishesPasswordReset: false)
      turn.tell(notices, on: state.route)
      return .seeOther(state.route)
    case .moved(let state, let notices):
      turn.visit.signUp = state
      turn.tell(notices, on: state.route)
      return .seeOther(state.route)
    }
  }

  /// A sign-up that is closed has a page of its own; the rest is as everywhere.
  private func refuseSignUp(
    _ error: AuthError,
    _ instance: InstanceDescription,
    _ turn: inout Turn
  ) async -> Answer {
    for problem in error.problems {
      switch problem.reason {
      case .signUpClosed:
        return .page(SignUpClosedPage(mode: .restricted, problem: problem), status: 403)
      case .signUpWaitlist:
        let page = SignUpClosedPage(
          mode: .waitlist,
          problem: problem,
          emailAddress: turn.form[Field.emailAddress.name]
        )
        return .page(page, status: 403)
      default: continue
      }
    }
    return await refuse(error, &turn)
  }

  private func tooLongValues(of fields: [Field], in form: Form) -> AuthError? {
    AuthError(
      fields.filter { field in
        field != .password && (form[field.name]?.utf8.count ?? 0) > Self.valueLimit
      }.map(Problem.tooLong)
    )
  }

  /// What the person means: blanks trimmed, numbers without punctuation, passwords untouched.
  private func details(of fields: [Field], in form: Form) -> SignUpDetails {
    var details = SignUpDetails()
    for field in fields {
      let typed = form[field.name] ?? ""
      switch field {
      case .password: details.password = Password(typed: typed)
      case .legalAccepted: details.acceptsTerms = form[field.name] != nil
      case .phoneNumber:
        let trimmed = typed.trimmingCharacters(in: .whitespacesAndNewlines)
        details.values[field] =
          trimmed.isEmpty ? nil : PhoneNumber.cleaned(trimmed) ?? trimmed
      default:
        let trimmed = typed.trimmingCharacters(in: .whitespacesAndNewlines)
        details.values[field] = trimmed.isEmpty ? nil : trimmed
      }
    }
    return details
  }
}
