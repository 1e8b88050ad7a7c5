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
      // Only the list of active sessions describes the devices. It is not documented whether it has
      // the pending ones, which become active once their tasks are done.
      let active = try await sessions("active", of: session, memory: &memory).elements
      let devices: [String: SessionResource.Activity] = active.reduce(into: [:]) {
        $0[$1.id] = $1.latestActivity
      }
      let list = try await sessions(of: session, memory: &memory)
      // A session that cannot be read might still be active.
      guard list.isWhole else { throw RefusedCall(.nonsense("sessions-unreadable")) }
      return list.elements.filter(\.isSignedIn).map { resource in
        let activity = resource.latestActivity ?? devices[resource.id]
        return ActiveSession(resource, usedIn: activity, at: session.id)
      }
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
  fileprivate init(
    _ resource: SessionResource,
    usedIn activity: SessionResource.Activity?,
    at currentID: String
  ) {
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
