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
    let call = Call(.get, "me", "sessions", "active", sessionID: session.id, purpose: .session)
    do throws(RefusedCall) {
      let list = try await api.list(call, of: SessionResource.self, memory: &memory)
      // A session that cannot be read might still be active.
      guard list.isWhole else { throw RefusedCall(.nonsense("sessions-unreadable")) }
      return list.elements.map { ActiveSession($0, at: session.id) }
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
      guard let ended = answer.response, ended.id == id,
        ![.known(.active), .known(.pending)].contains(ended.status)
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
}

extension ActiveSession {
  init(_ resource: SessionResource, at currentID: String) {
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
