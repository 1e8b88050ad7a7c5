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
    /// How long it lasts from now, in seconds; nil until someone unlocks the account.
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

  /// How the emulated Entra treats this account.
  public struct Entra: Sendable, Hashable {
    public enum Silent: String, Sendable, Codable, CaseIterable {
      case interactionRequired = "interaction_required"
    }

    /// A contact that was registered for the second factor and is not the account's own: another
    /// email address, or a phone number that was a contact already.
    ///
    /// Several accounts may share one.
    public struct Method: Sendable, Codable, Hashable {
      public var channel: Message.Channel
      /// An email address or a phone number, as the channel requires, in its normal form.
      public var target: String

      public init(channel: Message.Channel, target: String) {
        self.channel = channel
        self.target = target
      }
    }

    public var declinedScopes: [String] = []
    public var silent: Silent?
    public var protectionPolicy = false
    public var registrationRequired = false
    /// In the order in which they were registered.
    public var methods: [Method] = []
    /// The attributes that the tenant has collected, by their API names, without the person's
    /// names.
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
  /// How many wrong passwords and codes in a row count towards a lock.
  public var failedAttempts = 0
  public var organizations: [Organization] = []
  /// Organizations whose invitations are still pending.
  public var organizationInvitations: [Organization] = []
  /// Organizations that the account may ask to join.
  public var organizationSuggestions: [Organization] = []
  public var tasks: [Task] = []
  public var entra = Entra()
  /// The metadata that the client app stores on the account; an object.
  public var unsafeMetadata: JSON = [:]

  public init() {}
}
