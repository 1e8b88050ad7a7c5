public import AuthFlow
internal import HTTPExchange
internal import HTTPTypes

/// Choosing an organization.
///
/// Source: <doc:ClerkOrganizationCalls#Calls>.
extension ClerkProvider: ChooseOrganizationTaskProvider {
  public func organizations(
    for session: Session,
    memory: inout ProviderMemory
  ) async throws(AuthError) -> OrganizationOptions {
    let rules = try await describeInstance().organizations
    do {
      let (memberships, client) = try await memberships(of: session, memory: &memory)
      let user = client?.sessions.first { $0.id == session.id }?.user
      return OrganizationOptions(
        memberships: memberships.map(OrganizationOptions.Membership.init),
        invitations: try await offers(.invitations(to: session), memory: &memory)
          .compactMap(OrganizationOptions.Invitation.init),
        suggestions: try await offers(.suggestions(to: session), memory: &memory)
          .compactMap(OrganizationOptions.Suggestion.init),
        offersPersonalAccount: rules.allowsPersonalAccounts,
        mayCreate: rules.allowsCreation && user?.mayCreateOrganizations ?? true,
        hasSlugs: rules.hasSlugs
      )
    } catch let refusal {
      throw refusal.error
    }
  }

  public func choose(
    _ choice: OrganizationChoice,
    for session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<Session> {
    do {
      let chosen = try await activate(choice, in: session, memory: &memory)
      guard choice != .personalAccount || chosen.tasks.first != .chooseOrganization else {
        return .refused(.personalAccountsNotAllowed, at: chosen)
      }
      return .moved(to: chosen)
    } catch {
      return .refused(error.error, at: nil)
    }
  }

  public func createOrganization(
    named name: String,
    slug: String?,
    for session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<Session> {
    do {
      let made = try await ask(
        .createOrganization(named: name, slug: slug, by: session),
        for: UserResource.Organization.self,
        memory: &memory
      )
      let choice = OrganizationChoice.organization(id: made.resource.id)
      return .moved(to: try await activate(choice, in: session, memory: &memory))
    } catch {
      return .refused(error.error, at: nil)
    }
  }

  public func acceptInvitation(
    _ id: String,
    for session: Session,
    memory: inout ProviderMemory
  ) async throws(AuthError) {
    let call = Call.accept("organization_invitations", id, by: session)
    try await settle(call, unless: "organization_invitation_already_accepted", memory: &memory)
  }

  public func requestMembership(
    suggestedBy id: String,
    for session: Session,
    memory: inout ProviderMemory
  ) async throws(AuthError) {
    let call = Call.accept("organization_suggestions", id, by: session)
    try await settle(call, unless: "organization_suggestion_already_accepted", memory: &memory)
  }

  /// Makes a call whose answer does not matter; having been made before counts as success.
  private func settle(
    _ call: Call,
    unless doneBefore: String,
    memory: inout ProviderMemory
  ) async throws(AuthError) {
    do {
      _ = try await ask(call, for: AnyResource.self, memory: &memory)
    } catch {
      if error.error.problems.map(\.code) == [doneBefore] { return }
      throw error.error
    }
  }

  private func activate(
    _ choice: OrganizationChoice,
    in session: Session,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> Session {
    let answer = try await ask(
      .activate(choice, in: session),
      for: SessionResource.self,
      memory: &memory
    )
    guard let chosen = Session(answer.resource) else {
      throw RefusedCall(AuthError(Problem(.signInAgain, code: "sign_in_again")))
    }
    return chosen
  }

  /// The memberships, read page by page; at most `mostPages` are read.
  private func memberships(
    of session: Session,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> (memberships: [MembershipResource], client: ClientResource?) {
    var memberships: [MembershipResource] = []
    var client: ClientResource?
    for page in 0..<Self.mostPages {
      let answer = try await ask(
        .memberships(of: session, after: page * Call.pageLength),
        for: ListResource<MembershipResource>.self,
        memory: &memory
      )
      memberships += answer.resource.elements
      client = answer.client
      let isLast = (page + 1) * Call.pageLength >= answer.resource.totalCount ?? 0
      if isLast || answer.resource.elements.isEmpty { break }
    }
    return (memberships, client)
  }

  private static let mostPages = 20

  /// The invitations or suggestions of a person.
  ///
  /// An instance without them refuses the call; that must not hide what can be chosen, so the
  /// refusal is dropped. A refusal for another reason, such as an ended session, is thrown.
  private func offers(
    _ call: Call,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> [OrganizationOfferResource] {
    do throws(RefusedCall) {
      let list = ListResource<OrganizationOfferResource>.self
      return try await ask(call, for: list, memory: &memory).resource.elements
    } catch {
      if error.contains({ $0 == .signInAgain || $0.isOfTheMoment }) { throw error }
      return []
    }
  }
}

extension Call {
  fileprivate static let pageLength = 100

  fileprivate static func memberships(of session: Session, after offset: Int) -> Call {
    var query: FormData = ["paginated": "true", "limit": String(pageLength)]
    if offset > 0 { query.append("offset", String(offset)) }
    return list("organization_memberships", of: session, query)
  }

  fileprivate static func invitations(to session: Session) -> Call {
    list(
      "organization_invitations",
      of: session,
      ["status": "pending", "limit": String(pageLength)]
    )
  }

  fileprivate static func suggestions(to session: Session) -> Call {
    var query: FormData = ["status": "pending"]
    query.append("status", "accepted")
    query.append("limit", String(pageLength))
    return list("organization_suggestions", of: session, query)
  }

  private static func list(_ name: String, of session: Session, _ query: FormData) -> Call {
    var call = Call(.get, "me", name, sessionID: session.id, purpose: .task)
    call.query = query
    return call
  }

  fileprivate static func accept(_ name: String, _ id: String, by session: Session) -> Call {
    Call(.post, "me", name, id, "accept", sessionID: session.id, purpose: .task)
  }

  fileprivate static func createOrganization(
    named name: String,
    slug: String?,
    by session: Session
  ) -> Call {
    var form: FormData = ["name": name]
    if let slug { form.append("slug", slug) }
    return Call(.post, "organizations", sessionID: session.id, form: form, purpose: .task)
  }

  fileprivate static func activate(_ choice: OrganizationChoice, in session: Session) -> Call {
    let organization =
      switch choice {
      case .organization(let id): id
      case .personalAccount: ""
      }
    return Call(
      .post,
      "client",
      "sessions",
      session.id,
      "touch",
      form: ["active_organization_id": organization, "intent": "select_org"],
      purpose: .task
    )
  }
}

extension OrganizationOptions.Membership {
  fileprivate init(_ resource: MembershipResource) {
    self.init(
      organization: Session.Organization(
        id: resource.organization.id,
        name: resource.organization.name,
        slug: resource.organization.slug
      ),
      role: resource.roleName
    )
  }
}

extension OrganizationOptions.Invitation {
  fileprivate init?(_ resource: OrganizationOfferResource) {
    guard let name = resource.organizationName, resource.status ?? "pending" == "pending" else {
      return nil
    }
    self.init(id: resource.id, organizationName: name)
  }
}

extension OrganizationOptions.Suggestion {
  fileprivate init?(_ resource: OrganizationOfferResource) {
    guard let name = resource.organizationName,
      ["pending", "accepted"].contains(resource.status ?? "pending")
    else { return nil }
    self.init(
      id: resource.id,
      organizationName: name,
      isRequested: resource.status == "accepted"
    )
  }
}

extension AuthError {
  /// The API reports no error and keeps the previous choice
  /// (<doc:ClerkSessionsAndTasks#Session-calls>).
  fileprivate static let personalAccountsNotAllowed = AuthError(
    Problem(.noneChosen, at: .organization, code: "personal_accounts_not_allowed")
  )
}
