extension SessionTaskFlow {
  /// Advances the choice of an organization by one input.
  ///
  /// Joining an organization does not choose it: a person may be in several.
  func advance(
    organizationOf session: Session,
    with input: OrganizationInput,
    memory: inout ProviderMemory
  ) async -> Advance<SessionTaskState> {
    guard let provider = provider.chooseOrganizationTask else { return .misplaced }
    let state = SessionTaskState.chooseOrganizationTask(session)
    switch input {
    case .choose(let choice):
      let outcome = await provider.choose(choice, for: session, memory: &memory)
      return after(outcome, from: state)
    case .create(let name, let slug):
      let outcome = await provider.createOrganization(
        named: name,
        slug: slug,
        for: session,
        memory: &memory
      )
      return after(outcome, from: state)
    case .acceptInvitation(let id):
      do {
        try await provider.acceptInvitation(id, for: session, memory: &memory)
        return .moved(to: state, notices: [])
      } catch {
        return .refused(error, at: state)
      }
    case .askToJoin(let id):
      do {
        try await provider.requestMembership(suggestedBy: id, for: session, memory: &memory)
        return .moved(to: state, notices: [])
      } catch {
        return .refused(error, at: state)
      }
    }
  }
}
