internal import HTTPTypes
internal import AuthFlow
internal import HTTPExchange
internal import Pages

extension Site {
  func signUpPage(_ turn: inout Turn) async -> Answer {
    if let elsewhere = alreadyIn(&turn) { return elsewhere }
    if let answer = await acceptInvitation(&turn) { return answer }
    let isChanging = turn.request.queryParameters["change"] != nil
    let isPosted = turn.request.method == .post
    if let state = turn.visit.signUp, state != .detailsRequired, !isChanging, !isPosted {
      return .seeOther(state.route)
    }
    let (instance, error) = await instance(turn)
    guard instance.signUp.mode == .open else {
      let page = SignUpClosedPage(
        mode: instance.signUp.mode,
        problem: nil,
        emailAddress: turn.form[Field.emailAddress.name]
      )
      return .page(page, status: 403)
    }
    var values = turn.form
    if !isPosted {
      for (field, value) in turn.visit.signUp?.attempt?.values ?? [:] {
        values.append(field.name, value)
      }
      let query = turn.request.queryParameters
      if let prefilled = query["email_address"] ?? query["identifier"] {
        values.append(Field.emailAddress.name, prefilled)
      }
    }
    let page = signUpForm(
      of: instance,
      values: values,
      isChanging: turn.visit.signUp?.attempt != nil
    )
    return error.map { .refused(page, $0) } ?? .page(page)
  }

  /// Takes an invitation from the address of the page, which is left at once: it is a secret.
  private func acceptInvitation(_ turn: inout Turn) async -> Answer? {
    guard turn.request.method == .get else { return nil }
    var parameters: [String: String] = [:]
    for field in turn.request.queryParameters.fields.prefix(16)
    where field.value.utf8.count <= 2_000 {
      parameters[field.name] = field.value
    }
    guard let invitation = turn.provider.readInvitation(parameters) else { return nil }
    let advance = await turn.signUpFlow.advance(
      turn.visit.signUp ?? .detailsRequired,
      with: .invitation(invitation),
      form: InstanceDescription.unknown.signUp,
      memory: &turn.visit.memory
    )
    guard case .refused(let error, _) = advance else { return await take(advance, .unknown, &turn) }
    if let elsewhere = leave(for: error, &turn) { return elsewhere }
    events.refused(error, turn)
    // Not this page again: it would take the same invitation again.
    turn.visit.signUp = nil
    turn.tell([], error: error, on: .signUp)
    return .seeOther(.signUp)
  }

  func signUpForm(
    of instance: InstanceDescription,
    values form: Form,
    isChanging: Bool
  ) -> SignUpPage {
    SignUpPage(
      form: instance.signUp,
      rules: instance.passwordRules,
      values: typedValues(of: instance.signUp.fields.map(\.field), in: form),
      acceptsTerms: form[Field.legalAccepted.name] != nil,
      isChanging: isChanging
    )
  }

  /// What was typed, as it was typed, to be shown again; never a secret.
  func typedValues(of fields: [Field], in form: Form) -> [Field: String] {
    var values: [Field: String] = [:]
    for field in fields where field != .password && field != .legalAccepted {
      values[field] = form[field.name]
    }
    return values
  }

  func missingDetailsPage(_ turn: inout Turn) async -> Answer {
    guard case .detailsMissing(let prompt)? = turn.visit.signUp else { return turn.movedOn() }
    let (instance, error) = await instance(turn)
    let page = MissingDetailsPage(
      prompt: prompt,
      rules: instance.passwordRules,
      documents: instance.signUp.documents,
      values: typedValues(of: prompt.fields, in: turn.form),
      acceptsTerms: turn.form[Field.legalAccepted.name] != nil
    )
    return error.map { .refused(page, $0) } ?? .page(page)
  }

  func verifyContactPage(_ turn: inout Turn) -> Answer {
    guard case .codeRequired(let prompt)? = turn.visit.signUp else { return turn.movedOn() }
    return .page(VerifyContactPage(prompt: prompt))
  }
}
