internal import AuthFlow
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes
internal import Pages

/// `/account`: who is signed in, their other sessions, and tokens of the session.
struct AccountHandler: FlowHandler {
  struct Scene: Sendable {
    var session: Session
    var provenFactors: [Factor.Kind]
    var sessions: SessionOverview
    var home: String?
  }

  /// The auth API is asked each time, since a session may have ended elsewhere.
  func load(_ context: inout RequestContext) async throws(AuthError) -> FlowResult<Scene> {
    guard case .signedIn(let signedIn) = context.visit.standing else { return elsewhere(context) }
    // Backup codes are shown on one page only, which nobody may skip.
    if case .secondFactor(.backupCodesOffered)? = signedIn.pending {
      return .redirect(signedIn.session.address)
    }
    let current = try await context.provider.currentSession(
      signedIn.session,
      memory: &context.visit.memory
    )
    if let prompt = context.provider.accessTokens?.permissionsPrompt(of: current) {
      context.visit.enter(current, pending: .permissions(prompt))
      return .redirect(.permissions)
    }
    context.visit.enter(current, pending: signedIn.pending)
    guard var scene = scene(context) else { return .redirect(current.address) }
    // After ending a session, the person sees which are left, and may end another one.
    let hasEndedOne = context.visit.flash?.notices.contains(.sessionEnded) ?? false
    if let provider = context.provider.activeSessions,
      hasEndedOne || context.typed.asks(for: AccountPage.unfolding)
    {
      scene.sessions = .listed(
        try await provider.activeSessions(besides: current, memory: &context.visit.memory)
      )
    }
    return .show(scene)
  }

  /// Where somebody who is not signed in is sent: to the step that is due, otherwise to the start.
  private func elsewhere(_ context: RequestContext) -> FlowResult<Scene> {
    if let place = context.visit.places.first { return .redirect(place) }
    // The bare address does not ask for the account, and nobody who was never signed in can sign in
    // again.
    let isAgain = context.request.path != "/" && context.visit.hasBeenIn
    return .redirect(.signIn, isAgain ? [.signInAgain] : [])
  }

  func scene(_ context: RequestContext) -> Scene? {
    context.activeSession.map {
      Scene(
        session: $0,
        provenFactors: context.visit.memory.provenFactors,
        sessions: context.provider.activeSessions == nil ? .unavailable : .folded,
        home: context.home
      )
    }
  }

  func page(_ scene: Scene, typed: TypedValues) -> any Page {
    AccountPage(
      session: scene.session,
      provenFactors: scene.provenFactors,
      sessions: scene.sessions,
      home: scene.home,
      scopes: typed[.scopes],
      claims: typed[.claims]
    )
  }

  func submit(_ context: inout RequestContext) async -> FlowResult<Scene> {
    guard let session = context.activeSession else { return .misplaced }
    return context.address == .accountSessions
      ? await endSessions(from: session, &context) : await getToken(of: session, &context)
  }

  private func endSessions(
    from session: Session,
    _ context: inout RequestContext
  ) async -> FlowResult<Scene> {
    guard let provider = context.provider.activeSessions else { return .misplaced }
    guard let ending = SessionEnding(value: context.form[Field.session.name] ?? "") else {
      return .noneChosen(at: nil)
    }
    do {
      try await provider.end(ending, from: session, memory: &context.visit.memory)
    } catch {
      return .refused(error)
    }
    return switch ending {
    case .one(id: session.id), .all: .signedOut
    case .one: .redirect(.account, [.sessionEnded])
    case .others: .redirect(.account, [.otherSessionsEnded])
    }
  }

  /// Gets a token for the scopes and claims that were typed, and shows on the page what it permits.
  private func getToken(
    of session: Session,
    _ context: inout RequestContext
  ) async -> FlowResult<Scene> {
    guard session.access != nil, let tokens = context.provider.accessTokens else {
      return .misplaced
    }
    guard !context.form.isTooLong(.scopes) else { return .tooLong(.scopes) }
    let typed = context.form[Field.scopes.name] ?? ""
    let claims = context.form.trimmed(.claims)
    let outcome = await tokens.renewAccess(
      of: session,
      scopes: typed.split(whereSeparator: \.isWhitespace).map(String.init),
      claims: claims,
      memory: &context.visit.memory
    )
    switch outcome {
    case .moved(to: .complete(let session)):
      context.visit.enter(session)
      return .redirect(.account, [.tokenRenewed])
    case .moved(let state):
      state.enter(&context.visit)
      return .redirect(state.address)
    case .refused(let error, _):
      return .refused(error)
    }
  }
}

extension RequestContext {
  /// The session, where nothing is left to do for it.
  fileprivate var activeSession: Session? {
    visit.session.flatMap { $0.status == .active ? $0 : nil }
  }
}

extension RequestContext {
  /// The address of the application; nil where it is unknown or would lead back here, or where the
  /// API is emulated.
  fileprivate var home: String? {
    guard world.emulation == nil, let address = knownInstance.homeAddress,
      let scheme = address.firstRange(of: "://")
    else { return nil }
    let authority = address[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return authority.lowercased() == request.headerFields[.host]?.lowercased() ? nil : address
  }
}
