internal import AuthFlow
internal import Foundation
internal import HTTPExchange
internal import Pages

/// `/tasks/setup-mfa`: a second factor that the account has not had yet, step by step.
struct SetUpSecondFactorTaskHandler: FlowHandler {
  struct Scene: Sendable {
    var session: Session
    var setup: SecondFactorSetup
    var methods: [SecondFactorMethod]
    /// Only where the auth API has just confirmed the session (R9).
    var showsBackupCodes = false
  }

  /// Takes the step that needs no answer from the person, and keeps it, so that a reload shows the
  /// same.
  ///
  /// Before backup codes are shown, the auth API is asked about the session: they let in everybody
  /// who sees them, and it may have ended elsewhere. If the auth API does not answer, they are kept
  /// but not shown.
  func load(_ context: inout RequestContext) async throws(AuthError) -> FlowResult<Scene> {
    let instance = try await context.instance()
    guard var due = scene(context) else {
      return instance.secondFactorMethods.isEmpty ? .refused(.nothingToSetUp) : .misplaced
    }
    if case .backupCodesOffered(let codes) = due.setup {
      _ = try await context.provider.currentSession(due.session, memory: &context.visit.memory)
      due.showsBackupCodes = true
      return context.typed.asks(for: "download") ? .backupCodes(codes) : .show(due)
    }
    switch await arrive(at: due, &context) {
    case .misplaced: return .show(due)
    case .refused(let error, let state):
      state.enter(&context.visit)
      throw error
    case .moved(let state, let notices, _):
      if let session = state.completed(since: due.session) { return .signedIn(session, notices) }
      state.enter(&context.visit)
      return scene(context).map(FlowResult.show) ?? .misplaced
    }
  }

  private func arrive(
    at due: Scene,
    _ context: inout RequestContext
  ) async -> Advance<SessionTaskState> {
    await context.taskFlow.arrive(
      at: .setUpSecondFactorTask(due.session, due.setup),
      methods: due.methods,
      memory: &context.visit.memory
    )
  }

  func scene(_ context: RequestContext) -> Scene? {
    let methods = context.knownInstance.secondFactorMethods
    guard !methods.isEmpty,
      case .setUpSecondFactorTask(let session, let setup)? = context.visit.taskState
    else { return nil }
    return Scene(session: session, setup: setup, methods: methods)
  }

  func page(_ scene: Scene, typed: TypedValues) -> any Page {
    SecondFactorSetupPage(
      setup: scene.setup,
      methods: scene.methods,
      identifier: scene.session.user.identifier,
      phoneNumber: typed[.phoneNumber],
      endsAt: scene.session.expiresAt,
      showsBackupCodes: scene.showsBackupCodes
    )
  }

  /// Asks for the instance anew: the methods may have changed since the page was opened.
  func submit(_ context: inout RequestContext) async -> FlowResult<Scene> {
    do {
      try await context.instance()
    } catch {
      return .refused(error)
    }
    guard let scene = scene(context) else { return .misplaced }
    if context.address == .resendSetUpCode { return await advance(with: .resendCode, &context) }
    if let name = context.form[Field.secondFactorMethod.name] {
      return await choose(name, of: scene.methods, &context)
    }
    if let typed = context.form[Field.code.name] {
      guard let code = VerificationCode(typed: typed) else { return .missing(.code) }
      return await advance(with: .code(code), &context)
    }
    if context.form[Field.phoneNumber.name] != nil { return await addPhone(&context) }
    return switch scene.setup {
    case .methodRequired: .noneChosen(at: .secondFactorMethod)
    case .authenticatorRequired, .codeRequired: .missing(.code)
    case .phoneNumberRequired: .missing(.phoneNumber)
    case .backupCodesOffered: await advance(with: .backupCodesSaved, &context)
    }
  }

  private func choose(
    _ name: String,
    of methods: [SecondFactorMethod],
    _ context: inout RequestContext
  ) async -> FlowResult<Scene> {
    if name == SecondFactorSetupPage.otherMethod {
      return await advance(with: .otherMethod, &context)
    }
    guard let method = SecondFactorMethod(rawValue: name), methods.contains(method) else {
      return .noneChosen(at: .secondFactorMethod)
    }
    return await advance(with: .method(method), &context)
  }

  private func addPhone(_ context: inout RequestContext) async -> FlowResult<Scene> {
    guard let typed = context.form.trimmed(.phoneNumber) else { return .missing(.phoneNumber) }
    guard !context.form.isTooLong(.phoneNumber) else { return .tooLong(.phoneNumber) }
    return await advance(with: .phoneNumber(PhoneNumber.cleaned(typed) ?? typed), &context)
  }

  /// Takes one step; one that the auth API refuses because of its method leads to the methods that
  /// are offered now.
  private func advance(
    with input: SecondFactorSetupInput,
    _ context: inout RequestContext
  ) async -> FlowResult<Scene> {
    let result: FlowResult<Scene> = await context.advanceTask(with: .secondFactor(input))
    guard case .refused(let error) = result, error.contains(where: { $0 == .methodUnavailable }),
      let due = scene(context), due.setup != .methodRequired
    else { return result }
    switch await arrive(at: due, &context) {
    case .misplaced: break
    // What was refused first is said; opening the page again reports the rest.
    case .refused(_, let state): state.enter(&context.visit)
    case .moved(let state, let notices, _):
      if let session = state.completed(since: due.session) { return .signedIn(session, notices) }
      state.enter(&context.visit)
    }
    return result
  }
}

extension AuthError {
  /// A second factor is asked for, and there is none that these pages can set up.
  fileprivate static let nothingToSetUp = AuthError(
    Problem(.stepUnsupported, code: "setup-mfa")
  )
}
