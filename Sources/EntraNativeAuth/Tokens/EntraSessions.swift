@_spi(Provider) public import AuthFlow
internal import Foundation

/// Source: <doc:EntraTokenRenewal>.
extension EntraProvider: AccessTokenProvider {
  /// Verifies the tokens of a sign-in, keeps them, and begins the session.
  func enter(
    with answer: TokenAnswer,
    as identifier: Identifier,
    nonce: String?,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    guard let idToken = answer.idToken, !idToken.isEmpty else {
      return .refused(.nonsense(traceID: nil, "no-id-token"), at: nil)
    }
    do {
      let token = try await documents.verified(idToken, nonce: nonce)
      let scopes = Scopes.granted(answer.scope, asking: api.tenant.scopes)
      var cache = TokenCache(identifier: identifier.text)
      cache.keep(answer, grantedTo: scopes, at: now)
      memory.forgetTokens()
      memory.tokens = cache
      memory.claimsDemand = nil
      let session = Session(
        id: token.sessionID ?? token.objectID ?? token.subject,
        user: token.user(named: identifier.text),
        expiresAt: now.addingTimeInterval(policy().sessionLifetime),
        access: Access(
          scopes: scopes,
          expiresAt: now.addingTimeInterval(answer.expiresIn),
          declined: Scopes.declined(api.tenant.scopes, of: scopes)
        )
      )
      return .moved(to: state(of: session))
    } catch {
      return .refused(error, at: nil)
    }
  }

  /// Signed in, or before a decision if scopes were declined.
  private func state(of session: Session) -> SignInState {
    permissionsPrompt(of: session).map(SignInState.permissionsRequired) ?? .complete(session)
  }

  public func permissionsPrompt(of session: Session) -> PermissionsPrompt? {
    prompt(of: session, declined: session.undecidedScopes)
  }

  private func prompt(of session: Session, declined: [String]) -> PermissionsPrompt? {
    PermissionsPrompt(
      session: session,
      granted: Scopes.ofResources(session.access?.scopes ?? []),
      declined: declined
    )
  }

  /// Renews silently for exactly the granted scopes; the token is usually cached.
  public func acceptGranted(
    _ prompt: PermissionsPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    var session = prompt.session
    session.access?.declined = []
    do {
      return .moved(to: state(of: try await renewed(session, asking: prompt.granted, &memory)))
    } catch {
      return .refused(error, at: nil)
    }
  }

  /// The session, with its token renewed if it expires soon.
  public func currentSession(
    _ session: Session,
    memory: inout ProviderMemory
  ) async throws(AuthError) -> Session {
    try await renewed(session, asking: session.access?.scopes ?? [], &memory)
  }

  /// Always asks the service, even if the cache has a token.
  ///
  /// The caller's claims are requested only this once. They become a demand if the service answers
  /// that only the person can satisfy them, but not if it refuses them.
  public func renewAccess(
    of session: Session,
    scopes: [String],
    claims: String?,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    let asked = scopes.isEmpty ? session.askedScopes : scopes
    if let claims {
      guard ClaimsChallenge.isRequest(claims) else {
        return .refused(
          AuthError(Problem(.formatInvalid, at: .claims, code: OwnCode.claimsFormatInvalid)),
          at: nil
        )
      }
    }
    do {
      let renewed = try await refreshed(session, asking: asked, claiming: claims, &memory)
      // The scopes may be others than the session has; if all are declined, it loses none.
      let declined = Scopes.declined(asked, of: renewed.access?.scopes ?? [])
      return .moved(
        to: prompt(of: renewed, declined: declined).map(SignInState.permissionsRequired)
          ?? .complete(renewed)
      )
    } catch {
      return .refused(error, at: nil)
    }
  }

  /// The session with a cached token for those scopes; otherwise it is renewed for them and for the
  /// declined scopes without a decision, which may be granted now.
  private func renewed(
    _ session: Session,
    asking scopes: [String],
    _ memory: inout ProviderMemory
  ) async throws(AuthError) -> Session {
    let cached = memory.tokens?.accessToken(for: scopes, at: now)
    guard let cached, memory.demandedClaims(of: session.user.identifier) == nil else {
      return try await refreshed(session, asking: scopes + session.undecidedScopes, &memory)
    }
    var session = session
    session.access = Access(
      scopes: cached.scopes,
      expiresAt: cached.expiresAt,
      declined: session.undecidedScopes
    )
    guard let refreshAt = cached.refreshAt, refreshAt <= now else { return session }
    do {
      return try await refreshed(session, asking: scopes + session.undecidedScopes, &memory)
    } catch {
      // The token is still valid, so only an error that ends the session counts.
      if error.endsAttempt { throw error }
      return session
    }
  }

  /// Redeems the refresh token, verifies the answer, and keeps its tokens.
  ///
  /// The caller's own claims, if any, are requested in place of demanded ones. If only scopes that
  /// the session does not have are requested, and none is granted, the answer's access token is
  /// useless, and the session keeps those that it has.
  private func refreshed(
    _ session: Session,
    asking scopes: [String],
    claiming ownClaims: String? = nil,
    _ memory: inout ProviderMemory
  ) async throws(AuthError) -> Session {
    guard var cache = memory.tokens, let refreshToken = cache.refreshToken else {
      throw AuthError(
        Problem(.signInAgain, code: "interaction_required"),
        diagnosis: MSALError.interactionRequired.name
      )
    }
    let wanted = ownClaims ?? memory.demandedClaims(of: session.user.identifier)
    let claims = claims(demanding: wanted)
    let request = Brake.name(of: refreshToken, scopes, claims)
    if let refusal = memory.brake?.refusal(of: request, at: now) { throw refusal }
    // Without these the answer cannot be verified, and the refresh token would be spent in vain.
    try await documents.prepare()
    let call = Call.token(.refresh(refreshToken), scopes: scopes, claims: claims)
    let answer: TokenAnswer
    do {
      answer = try await api.ask(call, for: TokenAnswer.self)
    } catch {
      let refusal = refusal(error, of: session, claiming: wanted, &memory)
      let brake = Brake(error, told: refusal, by: request, at: now)
      if let brake { memory.brake = brake }
      throw brake?.error ?? refusal
    }
    var session = session
    if let idToken = answer.idToken, !idToken.isEmpty {
      let token = try await documents.verified(idToken)
      guard (token.objectID ?? token.subject) == session.user.id else {
        throw .nonsense(traceID: nil, MSALInternalError.mismatchedUser.name)
      }
      session.user = token.user(named: session.user.identifier)
    }
    let granted = Scopes.granted(answer.scope, asking: scopes)
    if session.hasOnlyOthers(than: scopes), Scopes.ofResources(granted).isEmpty {
      cache.keepLasting(answer)
    } else {
      cache.keep(answer, grantedTo: granted, at: now)
      session.access = Access(
        scopes: granted,
        expiresAt: now.addingTimeInterval(answer.expiresIn),
        declined: Scopes.declined(Scopes.common(scopes, session.askedScopes), of: granted)
      )
    }
    memory.tokens = cache
    // A token that was requested with other claims does not satisfy the demand.
    if wanted == memory.claimsDemand?.claims { memory.claimsDemand = nil }
    memory.brake = nil
    session.expiresAt = now.addingTimeInterval(policy().sessionLifetime)
    return session
  }

  /// The error for a refused renewal, after removing the tokens that are lost by it and noting the
  /// claims that a sign-in has to request.
  private func refusal(
    _ failure: Failure,
    of session: Session,
    claiming wanted: String?,
    _ memory: inout ProviderMemory
  ) -> AuthError {
    let names = [session.user.identifier, memory.tokens?.identifier].compactMap(\.self)
    switch failure {
    case .browserRequired:
      if let wanted { memory.claimsDemand = ClaimsDemand(wanted, of: names) }
      return AuthError(Problem(.signInAgain, code: "interaction_required"))
    case .failed(let error): return error
    case .refused(let server, let traceID):
      let refusal = SilentRefusal(server)
      memory.lose(refusal.loss)
      if let demanded = server.claims ?? (server.asksForPerson ? wanted : nil) {
        memory.claimsDemand = ClaimsDemand(demanded, of: names)
      } else if server.isAboutRequest, wanted == memory.claimsDemand?.claims {
        memory.claimsDemand = nil
      }
      var error = AuthError(
        server.accountProblem(refusal.reason),
        traceID: traceID,
        diagnosis: "\(server.diagnosis);\(refusal.failure.name)"
      )
      error.blame = server.blame
      return error
    }
  }
}

extension Session {
  fileprivate var undecidedScopes: [String] { access?.declined ?? [] }

  /// The scopes that its tokens are requested for, declined ones included until the person decides
  /// to continue without them.
  fileprivate var askedScopes: [String] { (access?.scopes ?? []) + undecidedScopes }

  /// Whether both it and the request have scopes of resources, but none in common.
  fileprivate func hasOnlyOthers(than scopes: [String]) -> Bool {
    let had = Scopes.ofResources(access?.scopes ?? [])
    let others = Scopes.ofResources(scopes)
    return !had.isEmpty && !others.isEmpty && Scopes.common(others, had).isEmpty
  }
}

extension ProviderMemory {
  fileprivate mutating func lose(_ loss: SilentRefusal.Loss) {
    switch loss {
    case .nothing: break
    case .accessTokens: tokens?.accessTokens = []
    case .refreshToken:
      tokens?.accessTokens = []
      tokens?.refreshToken = nil
    case .account: forgetTokens()
    }
  }
}
