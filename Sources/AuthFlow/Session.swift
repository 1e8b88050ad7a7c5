public import Foundation

/// The result of a finished sign-in: somebody is signed in, or will be once all tasks are done.
public struct Session: Hashable, Codable, Sendable {
  public struct User: Hashable, Codable, Sendable {
    public var id: String
    /// The name by which the page shows the person: address, number or username.
    public var identifier: String
    public var firstName: String?
    public var lastName: String?

    public init(id: String, identifier: String, firstName: String? = nil, lastName: String? = nil) {
      self.id = id
      self.identifier = identifier
      self.firstName = firstName
      self.lastName = lastName
    }
  }

  public struct Organization: Hashable, Codable, Sendable {
    public var id: String
    public var name: String
    public var slug: String?

    public init(id: String, name: String, slug: String? = nil) {
      self.id = id
      self.name = name
      self.slug = slug
    }
  }

  public var id: String
  public var user: User
  /// What is to be done before the session counts as signed in, in the auth API's order.
  public var tasks: [SessionTask]
  public var expiresAt: Date
  public var organization: Organization?
  /// What it permits at other services; nil where the auth API gives no tokens for them.
  public var access: Access?
  /// Whether backup codes are left; nil where the auth API does not say.
  public var hasBackupCodes: Bool?

  public init(
    id: String,
    user: User,
    tasks: [SessionTask] = [],
    expiresAt: Date,
    organization: Organization? = nil,
    access: Access? = nil
  ) {
    self.id = id
    self.user = user
    self.tasks = tasks
    self.expiresAt = expiresAt
    self.organization = organization
    self.access = access
  }

  public enum Status: String, Hashable, Codable, Sendable {
    case active, pending
  }

  /// Pending while tasks are open: not signed in yet.
  public var status: Status { tasks.isEmpty ? .active : .pending }
}

/// A requirement that a new session still has to meet.
public enum SessionTask: Hashable, Codable, Sendable {
  case resetPassword
  case chooseOrganization
  case setUpSecondFactor
  /// A task that the provider does not know, by the auth API's own key.
  case unknown(String)
}
