/// What the instance lets people do with organizations.
public struct OrganizationRules: Hashable, Codable, Sendable {
  public var allowsCreation: Bool
  /// Whether an organization may have a slug, a short name for addresses.
  public var hasSlugs: Bool
  /// Whether a session may go on without an organization.
  public var allowsPersonalAccounts: Bool

  public init(
    allowsCreation: Bool = true,
    hasSlugs: Bool = true,
    allowsPersonalAccounts: Bool = false
  ) {
    self.allowsCreation = allowsCreation
    self.hasSlugs = hasSlugs
    self.allowsPersonalAccounts = allowsPersonalAccounts
  }
}
