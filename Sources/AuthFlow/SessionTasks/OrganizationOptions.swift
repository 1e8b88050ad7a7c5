/// What a person can choose from when their session needs an organization.
///
/// Rules: P-org.
public struct OrganizationOptions: Hashable, Codable, Sendable {
  public struct Membership: Hashable, Codable, Sendable {
    public var organization: Session.Organization
    /// The role in words, as the auth API calls it; nil where it does not say.
    public var role: String?

    public init(organization: Session.Organization, role: String? = nil) {
      self.organization = organization
      self.role = role
    }
  }

  /// Someone has asked the person to join.
  public struct Invitation: Hashable, Codable, Sendable {
    public var id: String
    public var organizationName: String

    public init(id: String, organizationName: String) {
      self.id = id
      self.organizationName = organizationName
    }
  }

  /// An organization that the person may ask to join.
  public struct Suggestion: Hashable, Codable, Sendable {
    public var id: String
    public var organizationName: String
    /// Whether the person has asked already, so that an administrator has to decide.
    public var isRequested: Bool

    public init(id: String, organizationName: String, isRequested: Bool) {
      self.id = id
      self.organizationName = organizationName
      self.isRequested = isRequested
    }
  }

  public var memberships: [Membership]
  public var invitations: [Invitation]
  public var suggestions: [Suggestion]
  /// Whether the person may go on without an organization.
  public var offersPersonalAccount: Bool
  public var mayCreate: Bool
  /// Whether a new organization may have a slug, a short name for addresses.
  public var hasSlugs: Bool

  public init(
    memberships: [Membership] = [],
    invitations: [Invitation] = [],
    suggestions: [Suggestion] = [],
    offersPersonalAccount: Bool = false,
    mayCreate: Bool = false,
    hasSlugs: Bool = true
  ) {
    self.memberships = memberships
    self.invitations = invitations
    self.suggestions = suggestions
    self.offersPersonalAccount = offersPersonalAccount
    self.mayCreate = mayCreate
    self.hasSlugs = hasSlugs
  }

  /// The number of memberships, invitations and suggestions.
  public var count: Int { memberships.count + invitations.count + suggestions.count }

  /// Whether there is nothing to choose from; an organization may still be created.
  public var isEmpty: Bool {
    count == 0 && !offersPersonalAccount
  }
}

/// The organization in which a session goes on, or none.
public enum OrganizationChoice: Hashable, Sendable {
  case organization(id: String)
  case personalAccount
}
