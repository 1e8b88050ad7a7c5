public import Foundation

/// An account as it is written in a users file and in backstage's JSON.
///
/// Every key may be left out; the password is written only, never read back.
/// Source: README, "Worlds and backstage".
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

  public init() {}

  /// Reads a JSON array of accounts.
  ///
  /// - Throws: `DocumentError` naming the account's place and the key at fault.
  public static func list(json: Data) throws(DocumentError) -> [Self] {
    try decodeDocument([Self].self, from: json)
  }

  /// Reads one account from a JSON object.
  ///
  /// - Throws: `DocumentError` naming the key at fault.
  public init(json: JSON) throws(DocumentError) {
    self = try decodeDocument(Self.self, from: Data(json.encoded))
  }

  /// This account with the keys of a JSON object changed.
  ///
  /// - Throws: `DocumentError` naming the key that is unknown or has a value it cannot have.
  public func merging(_ changes: JSON) throws(DocumentError) -> Self {
    guard case .object(let members) = changes else {
      throw DocumentError("the account is not an object")
    }
    var merged = json
    for member in members { merged[member.name] = member.value }
    return try Self(json: merged)
  }

  /// Every key with its value but the password.
  ///
  /// Invitations and suggestions are told of only where there are any.
  public var json: JSON {
    var json: JSON = [
      "id": .optional(id),
      "email_addresses": .strings(emailAddresses),
      "phone_numbers": .strings(phoneNumbers),
      "second_factor_phone_numbers": .strings(secondFactorPhoneNumbers),
      "username": .optional(username),
      "first_name": .optional(firstName),
      "last_name": .optional(lastName),
      "password_state": .string(passwordState.rawValue),
      "totp_secret": .optional(totpSecret),
      "backup_codes": .strings(backupCodes),
      "email_second_factor": .bool(emailSecondFactor),
      "client_trust": .bool(clientTrust),
      "banned": .bool(banned),
      "enterprise": .bool(enterprise),
      "email_link": .bool(emailLink),
      "locked": locked?.json ?? .null,
      "organizations": .array(organizations.map(\.json)),
      "tasks": .strings(tasks.map(\.rawValue)),
      "entra": entra.json,
    ]
    for (name, offers) in [
      ("organization_invitations", organizationInvitations),
      ("organization_suggestions", organizationSuggestions),
    ] where !offers.isEmpty { json[name] = .array(offers.map(\.json)) }
    return json
  }
}

extension AccountDescription.Lock {
  var json: JSON { seconds.map { ["seconds": .integer(Int64($0))] } ?? .object([]) }
}

extension AccountDescription.Organization {
  var json: JSON { ["name": .string(name), "slug": .string(slug), "role": .string(role)] }
}

extension AccountDescription.Entra {
  var json: JSON {
    [
      "declined_scopes": .strings(declinedScopes),
      "silent": .optional(silent?.rawValue),
      "protection_policy": .bool(protectionPolicy),
      "registration_required": .bool(registrationRequired),
    ]
  }
}
