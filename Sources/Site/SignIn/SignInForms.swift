internal import AuthFlow
internal import HTTPExchange
internal import Pages

/// The forms of a sign-in.
extension SignInHandler {
  func submit(_ context: inout RequestContext) async -> FlowResult<Scene> {
    guard let scene = scene(context) else { return .misplaced }
    if case .action = context.address.kind { return await context.advance(with: .resendCode) }
    return switch scene {
    case .identifier: await begin(&context)
    case .password: await submitPassword(&context)
    case .factors(let prompt, _, _, _): await choose(from: prompt, &context)
    case .code: await submitCode(&context)
    case .backupCode: await submitBackupCode(&context)
    case .enrolment(let prompt): await submit(prompt, &context)
    case .permissions(let prompt): await decide(on: prompt, &context)
    case .browser: await context.advance(with: .check)
    // Its form goes to the sign-up's page.
    case .invitation: .misplaced
    }
  }

  private func begin(_ context: inout RequestContext) async -> FlowResult<Scene> {
    context.keepIdentifier()
    let instance: InstanceDescription
    do {
      instance = try await context.instance()
    } catch {
      return .refused(error)
    }
    let password = Password(typed: context.form["password"] ?? "")
    let asksBoth = instance.signInForm == .identifierAndPassword
    guard let identifier = Identifier(typed: context.form["identifier"] ?? "") else {
      let missing = Problem(.missing, at: .identifier, code: OwnCode.required)
      return asksBoth && password == nil
        ? .refused(missing, Problem(.missing, at: .password, code: OwnCode.required))
        : .refused(missing)
    }
    guard !context.form.isTooLong(.identifier) else { return .tooLong(.identifier) }
    let advance = await context.advance(
      context.visit.signIn ?? .identifierRequired,
      with: asksBoth || password != nil
        ? .credentials(identifier, password) : .identifier(identifier)
    )
    // A form that the auth API could not process leaves the attempt under way alone.
    if case .refused(let error, _) = advance, error.isOfTheMoment { return .refused(error) }
    context.dropAttempt()
    return context.settle(advance)
  }

  private func submitPassword(_ context: inout RequestContext) async -> FlowResult<Scene> {
    guard let password = Password(typed: context.form["password"] ?? "") else {
      return .missing(.password)
    }
    return await context.advance(with: .password(password))
  }

  private func choose(
    from prompt: FactorPrompt,
    _ context: inout RequestContext
  ) async -> FlowResult<Scene> {
    guard let factor = prompt.factor(named: context.form["factor"] ?? "") else {
      return .noneChosen(at: .factor)
    }
    // From a password reset one may go back to signing in: the same attempt, another factor.
    let state = context.visit.signIn ?? .factorRequired(prompt)
    return context.settle(await context.advance(state, with: .factor(factor)))
  }

  private func submitCode(_ context: inout RequestContext) async -> FlowResult<Scene> {
    guard let code = VerificationCode(typed: context.form["code"] ?? "") else {
      return .missing(.code)
    }
    return await context.advance(with: .code(code))
  }

  private func submitBackupCode(_ context: inout RequestContext) async -> FlowResult<Scene> {
    guard let code = VerificationCode(typedBackupCode: context.form["code"] ?? "") else {
      return .missing(.code)
    }
    return await context.advance(with: .backupCode(code))
  }

  /// Takes the contact that is to be registered.
  private func submit(
    _ prompt: EnrolmentPrompt,
    _ context: inout RequestContext
  ) async -> FlowResult<Scene> {
    let typed = context.form[Field.contact.name] ?? ""
    guard !context.form.isTooLong(.contact) else { return .tooLong(.contact) }
    var problems: [Problem] = []
    let method = prompt.method(named: context.form[Field.secondFactorMethod.name] ?? "")
    if method == nil {
      problems.append(Problem(.noneChosen, at: .secondFactorMethod, code: OwnCode.noneChosen))
    }
    if Identifier(typed: typed) == nil {
      problems.append(Problem(.missing, at: .contact, code: OwnCode.required))
    }
    if let error = AuthError(problems) { return .refused(error) }
    guard let enrolment = method.flatMap({ Enrolment(method: $0, typed: typed) }) else {
      return .missing(.contact)
    }
    return await context.advance(with: .enrolment(enrolment))
  }

  /// Goes on with what was granted, or signs out; what was declined is not asked for again.
  private func decide(
    on prompt: PermissionsPrompt,
    _ context: inout RequestContext
  ) async -> FlowResult<Scene> {
    let choice = context.form[PermissionsPage.choiceField.name] ?? ""
    switch PermissionsPage.Choice(rawValue: choice) {
    case .goOn? where !prompt.granted.isEmpty:
      return context.settle(
        await context.advance(.permissionsRequired(prompt), with: .acceptGranted)
      )
    case .stop?: return await context.endSessions()
    case .goOn?, nil: return .noneChosen(at: nil)
    }
  }
}
