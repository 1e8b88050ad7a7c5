@_spi(Provider) public import AuthFlow
internal import HTTPExchange
internal import HTTPTypes

/// The sessions of a person, and the browser that calls.
///
/// Source: <doc:ClerkSessionsAndTasks#Session-calls>.
extension ClerkProvider: ActiveSessionProvider, CallingBrowserProvider {
  public func activeSessions(
    besides session: Session,
    memory: inout ProviderMemory
  ) async throws(AuthError) -> [ActiveSession] {
    do throws(RefusedCall) {
      let active = try await sessions("active", of: session, memory: &memory)
      // A session that cannot be read might still be active.
      guard active.isWhole else { throw RefusedCall(.nonsense("sessions-unreadable")) }
      let listed = Set(active.elements.map(\.id))
      let pending = try await pendingSessions(of: session, memory: &memory)
        .filter { !listed.contains($0.id) }
      return (active.elements + pending).map { ActiveSession($0, at: session.id) }
    } catch {
      throw error.error
    }
  }

  public func endActiveSession(
    _ id: String,
    besides session: Session,
    memory: inout ProviderMemory
  ) async throws(AuthError) {
    let call = Call(
      .post,
      "me",
      "sessions",
      id,
      "revoke",
      sessionID: session.id,
      purpose: .session
    )
    do throws(RefusedCall) {
      let answer = try await api.ask(call, for: SessionResource.self, memory: &memory)
      guard let ended = answer.response, ended.id == id, !ended.isSignedIn
      else { throw RefusedCall(.nonsense("session-not-ended")) }
    } catch {
      guard !error.has("resource_not_found") else { return }
      throw error.error
    }
  }

  public func calling(for userAgent: String) -> any AuthProvider {
    var provider = self
    provider.api = api.calling(for: userAgent)
    return provider
  }

  /// The sessions that become active once their tasks are done, which the list of active ones need
  /// not have.
  ///
  /// They are in the list of all sessions, including those that are over. An API that refuses that
  /// list, or whose list cannot be read, such as one that has grown too long, counts as having none.
  private func pendingSessions(
    of session: Session,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> [SessionResource] {
    do throws(RefusedCall) {
      return try await sessions(of: session, memory: &memory).elements
        .filter { $0.status == .known(.pending) }
    } catch {
      let isLasting =
        ["resource_not_found", "resource_forbidden"].contains(where: error.has)
        || error.contains { $0 == .forbidden || $0 == .serviceAnsweredNonsense }
      guard isLasting else { throw error }
      return []
    }
  }

  /// The sessions of that person on every client, or those of a part such as `active`.
  private func sessions(
    _ part: String...,
    of session: Session,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> ListResource<SessionResource> {
    var call = Call(.get, "me", "sessions", sessionID: session.id, purpose: .session)
    call.path += part
    return try await api.list(call, of: SessionResource.self, memory: &memory)
  }
}

extension ActiveSession {
  fileprivate init(_ resource: SessionResource, at currentID: String) {
    let activity = resource.latestActivity
    self.init(
      id: resource.id,
      isCurrent: resource.id == currentID,
      device: Device(
        browser: activity?.browserName,
        system: activity?.deviceType,
        address: activity?.ipAddress
      ),
      lastActiveAt: resource.lastActiveAt
    )
  }
}
