@_spi(Provider) public import AuthFlow
internal import HTTPExchange
internal import HTTPTypes

extension ClerkProvider: StandingSessionProvider, ResetPasswordTaskProvider {
  public func currentSession(
    _ session: Session,
    memory: inout ProviderMemory
  ) async throws(AuthError) -> Session {
    do {
      let session = try await readSession(session.id, memory: &memory)
      return await activated(session, memory: &memory)
    } catch {
      throw error.error
    }
  }

  public func standingSession(
    _ certain: SessionInTheWay?,
    memory: inout ProviderMemory
  ) async throws(AuthError) -> Session? {
    guard memory.clientToken != nil else { return nil }
    do {
      guard let client = try await client(purpose: .session, memory: &memory) else { return nil }
      let found: Session? =
        switch certain {
        case .named(let id): client.session(id)
        case .unnamed: nil
        case nil: client.standingSession
        }
      guard let session = found else { return nil }
      // Now it becomes the session that was used last, which may have been another person's.
      if certain != nil, client.lastActiveSessionID != session.id {
        return await touched(session, memory: &memory) ?? session
      }
      return await activated(session, memory: &memory)
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
      // Perhaps it was changed before and the answer was lost; then the task is done.
      if error.has("form_new_password_matches_current"),
        let now = try? await updated(session, in: nil, memory: &memory),
        now.tasks.first != .resetPassword
      {
        return .moved(to: now)
      }
      return .refused(error.error, at: nil)
    }
  }

  /// Ends every session; the client stays, and with it the trust in this device.
  ///
  /// - Throws: `AuthError` unless the API says that nobody is signed in any more.
  public func signOut(memory: inout ProviderMemory) async throws(AuthError) {
    guard memory.clientToken != nil else { return }
    let call = Call(.delete, "client", "sessions", purpose: .session)
    do throws(RefusedCall) {
      let client = try await api.ask(call, for: ClientResource.self, memory: &memory).response
      guard let client else { return }
      guard client.namesEverySession, client.standingSession == nil else {
        throw RefusedCall(.nonsense("sessions-after-sign-out"))
      }
    } catch {
      if error.error.saysThatNobodyIsIn { return }
      throw error.error.keepingTheSession
    }
  }

  /// The session as the client has it now.
  ///
  /// - Throws: `RefusedCall`, with `.signInAgain` only if the session is certainly over.
  private func readSession(
    _ id: String,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> Session {
    let over = RefusedCall(AuthError(Problem(.signInAgain, code: "sign_in_again")))
    guard memory.clientToken != nil,
      let client = try await client(purpose: .session, memory: &memory)
    else { throw over }
    if let session = client.session(id) { return session }
    throw client.namesEverySession ? over : RefusedCall(.nonsense("sessions-unreadable"))
  }

  /// The session after a task is done; touched once no task is left
  /// (<doc:ClerkSessionsAndTasks#Tasks>).
  func updated(
    _ session: Session,
    in client: ClientResource?,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> Session {
    var now = client?.session(session.id)
    if now == nil { now = try await readSession(session.id, memory: &memory) }
    guard var now else { return session }
    guard now.tasks.isEmpty || now.awaitsTouch else { return now }
    if let touched = await touched(now, memory: &memory) { return touched }
    // The task is done: a failed touch does not undo that.
    now.tasks = []
    return now
  }

  /// The session, touched if it waits for nothing else; unchanged if that fails.
  func activated(_ session: Session, memory: inout ProviderMemory) async -> Session {
    guard session.awaitsTouch else { return session }
    return await touched(session, memory: &memory) ?? session
  }

  /// Makes the session the active one; nil if that fails, for whatever reason.
  private func touched(_ session: Session, memory: inout ProviderMemory) async -> Session? {
    var form: FormData = ["intent": "select_session"]
    if let organization = session.organization {
      form.append("active_organization_id", organization.id)
    }
    let call = Call(.post, "client", "sessions", session.id, "touch", form: form, purpose: .session)
    let answer = try? await ask(call, for: SessionResource.self, memory: &memory)
    return answer.flatMap { Session($0.resource) }
  }
}

extension AuthError {
  /// Whether a refused sign-out says that nobody is signed in anyway.
  fileprivate var saysThatNobodyIsIn: Bool {
    problems.contains {
      ["authentication_invalid", "signed_out", "resource_not_found", "client_not_found"]
        .contains($0.code)
    }
  }

  /// The same refusal of a sign-out, without a reason that would end the session or an attempt.
  fileprivate var keepingTheSession: AuthError {
    mapProblems { problem in
      switch problem.code {
      case "resource_forbidden", "session_reverification_required",
        "authorization_header_format_invalid", "dev_browser_unauthenticated":
        problem.reason = .forbidden
      case _ where problem.reason == .attemptEnded || problem.reason == .alreadySignedIn:
        problem.reason = .unrecognised
      default: break
      }
    }
  }
}

extension Bool {
  /// A boolean of a form body (<doc:ClerkTransport#Bodies>).
  var wireWord: String { self ? "true" : "false" }
}
