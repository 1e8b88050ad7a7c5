public import AuthFlow
internal import HTTPExchange
internal import HTTPTypes

extension ClerkProvider {
  public func currentSession(
    _ session: Session,
    memory: inout ProviderMemory
  ) async throws(AuthError) -> Session {
    do {
      return try await readSession(session.id, memory: &memory)
    } catch {
      throw error.error
    }
  }

  /// The Frontend API gives no tokens for other services.
  public func renewAccess(
    of session: Session,
    scopes: [String],
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    .refused(.methodUnavailable(), at: nil)
  }

  public func standingSession(
    memory: inout ProviderMemory
  ) async throws(AuthError) -> Session? {
    guard memory.clientToken != nil else { return nil }
    do {
      return try await client(purpose: .session, memory: &memory)?.standingSession
    } catch {
      throw error.error
    }
  }

  public func changePassword(
    of session: Session,
    to newPassword: Password,
    signOutOfOtherSessions: Bool,
    memory: inout ProviderMemory
  ) async -> Outcome<Session> {
    let call = Call(
      .post,
      "me",
      "change_password",
      sessionID: session.id,
      form: [
        "new_password": newPassword.secret,
        "sign_out_of_other_sessions": signOutOfOtherSessions.wireWord,
      ],
      purpose: .session
    )
    do {
      let answer = try await ask(call, for: AnyResource.self, memory: &memory)
      return .moved(to: try await updated(session, in: answer.client, memory: &memory))
    } catch {
      return .refused(error.error, at: nil)
    }
  }

  /// Ends every session; the client stays, and with it the trust in this device (section 1.7).
  public func signOut(memory: inout ProviderMemory) async throws(AuthError) {
    guard memory.clientToken != nil else { return }
    let call = Call(.delete, "client", "sessions", purpose: .session)
    do throws(Refusal) {
      let response = try await api.send(call, token: memory.clientToken)
      memory.keepToken(of: response.headerFields)
      guard response.status.kind != .successful else { return }
      throw ErrorReading(purpose: call.purpose, now: api.clock.now).refusal(of: response)
    } catch {
      // Nobody is signed in any more: that is what was wanted.
      if error.contains({ $0 == .signInAgain }) { return }
      throw error.error
    }
  }

  /// The session as the client has it now.
  ///
  /// - Throws: `Refusal` with `.signInAgain` where it is over.
  private func readSession(
    _ id: String,
    memory: inout ProviderMemory
  ) async throws(Refusal) -> Session {
    guard memory.clientToken != nil,
      let session = try await client(purpose: .session, memory: &memory)?.session(id)
    else { throw Refusal(AuthError(Problem(.signInAgain, code: "sign_in_again"))) }
    return session
  }

  /// The session after a task was met; touched once no task is left (section 3.11).
  func updated(
    _ session: Session,
    in client: ClientResource?,
    memory: inout ProviderMemory
  ) async throws(Refusal) -> Session {
    var now = client?.session(session.id)
    if now == nil { now = try await readSession(session.id, memory: &memory) }
    guard let now else { return session }
    guard now.tasks.isEmpty else { return now }
    return await touched(now, memory: &memory)
  }

  /// Makes the session the active one.
  ///
  /// The task is met already: a touch that fails takes nothing back, so its refusal is dropped.
  private func touched(_ session: Session, memory: inout ProviderMemory) async -> Session {
    var form: Form = ["intent": "select_session"]
    if let organization = session.organization {
      form.append("active_organization_id", organization.id)
    }
    let call = Call(.post, "client", "sessions", session.id, "touch", form: form, purpose: .session)
    let answer = try? await ask(call, for: SessionResource.self, memory: &memory)
    return answer.flatMap { Session($0.resource) } ?? session
  }
}

extension Bool {
  /// A boolean of a form body (section 1.4).
  var wireWord: String { self ? "true" : "false" }
}
