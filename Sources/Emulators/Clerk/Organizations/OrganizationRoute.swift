internal import HTTPTypes

/// The calls about organizations that are emulated.
///
/// Source: clerk-frontend-api.md section 3.11.
enum OrganizationRoute: Hashable, Sendable {
  case create
  case memberships
  case invitations, acceptInvitation(String)
  case suggestions, acceptSuggestion(String)
  case creationDefaults

  init?(_ call: ClerkCall) {
    let path = call.path
    if path == ["organizations"], call.method == .post {
      self = .create
      return
    }
    guard path.first == "me", path.count >= 2 else { return nil }
    switch (call.method, path[1], path.count) {
    case (.get, "organization_memberships", 2): self = .memberships
    case (.get, "organization_invitations", 2): self = .invitations
    case (.get, "organization_suggestions", 2): self = .suggestions
    case (.get, "organization_creation_defaults", 2): self = .creationDefaults
    case (.post, "organization_invitations", 4) where path[3] == "accept":
      self = .acceptInvitation(String(path[2]))
    case (.post, "organization_suggestions", 4) where path[3] == "accept":
      self = .acceptSuggestion(String(path[2]))
    default: return nil
    }
  }
}

extension ClerkTransaction {
  func carryOut(_ route: OrganizationRoute) throws -> ClerkReply {
    switch route {
    case .create: try createOrganization()
    case .memberships: try readMemberships()
    case .invitations: try readInvitations()
    case .acceptInvitation(let id): try acceptInvitation(id)
    case .suggestions: try readSuggestions()
    case .acceptSuggestion(let id): try acceptSuggestion(id)
    case .creationDefaults: try readCreationDefaults()
    }
  }
}
