/// An account as it is written in a users file and in backstage's JSON.
///
/// Every key may be left out; the password is never read back (<doc:AccountKeys>).
public struct AccountDescription: Sendable, Hashable {
  public enum PasswordState: String, Sendable, Codable, CaseIterable {
    case ok
    /// Marked as compromised by an administrator.
    case compromised
    /// Found in breach data.
    case leaked
  }

  public struct Lock: Sendable, Hashable {
    /// How long it lasts from now; nil until someone unlocks.
    public var seconds: Int?

    public init(seconds: Int? = nil) { self.seconds = seconds }
  }

  public struct Organization: Sendable, Hashable {
    public var name: String
    public var slug: String
    public var role: String

    public init(name: String, slug: String, role: String = "org:member") {
      self.name = name
      self.slug = slug
      self.role = role
    }
  }

  public enum Task: String, Sendable, Codable, CaseIterable {
    case resetPassword = "reset-password"
    case chooseOrganization = "choose-organization"
    case setUpSecondFactor = "setup-mfa"
  }

  /// What the emulated Entra does with this account.
  public struct Entra: Sendable, Hashable {
    public enum Silent: String, Sendable, Codable, CaseIterable {
      case interactionRequired = "interaction_required"
    }

    public var declinedScopes: [String] = []
    public var silent: Silent?
    public var protectionPolicy = false
    public var registrationRequired = false
    /// What the tenant has collected, by the names of the API; names of the person are not among them.
    public var attributes: [String: String] = [:]

    public init() {}
  }

  public var id: String?
  public var emailAddresses: [String] = []
  public var phoneNumbers: [String] = []
  public var secondFactorPhoneNumbers: [String] = []
  public var username: String?
  public var firstName: String?
  public var lastName: String?
  public var password: String?
  public var passwordState = PasswordState.ok
  /// Base32, as authenticator apps take it.
  public var totpSecret: String?
  public var backupCodes: [String] = []
  public var emailSecondFactor = false
  public var clientTrust = false
  public var banned = false
  public var enterprise = false
  public var emailLink = false
  public var locked: Lock?
  public var organizations: [Organization] = []
  /// What the account was invited to and has not answered.
  public var organizationInvitations: [Organization] = []
  /// What the account may ask to join.
  public var organizationSuggestions: [Organization] = []
  public var tasks: [Task] = []
  public var entra = Entra()
  /// What the account's own app keeps on it; an object.
  public var unsafeMetadata: JSON = [:]

  public init() {}
}
