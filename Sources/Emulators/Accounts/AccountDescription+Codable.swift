extension AccountDescription.PasswordState: NamedValue {}
extension AccountDescription.Task: NamedValue {}

extension AccountDescription: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case id
    case emailAddresses = "email_addresses"
    case phoneNumbers = "phone_numbers"
    case secondFactorPhoneNumbers = "second_factor_phone_numbers"
    case username
    case firstName = "first_name"
    case lastName = "last_name"
    case password
    case passwordState = "password_state"
    case totpSecret = "totp_secret"
    case backupCodes = "backup_codes"
    case emailSecondFactor = "email_second_factor"
    case clientTrust = "client_trust"
    case banned, enterprise
    case emailLink = "email_link"
    case locked, organizations, tasks, entra
    case organizationInvitations = "organization_invitations"
    case organizationSuggestions = "organization_suggestions"
  }

  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: Key.self)
    let container = try decoder.container(keyedBy: Key.self)
    self.init()
    id = try container.decodeIfPresent(String.self, forKey: .id)
    username = try container.decodeIfPresent(String.self, forKey: .username)
    firstName = try container.decodeIfPresent(String.self, forKey: .firstName)
    lastName = try container.decodeIfPresent(String.self, forKey: .lastName)
    password = try container.decodeIfPresent(String.self, forKey: .password)
    passwordState = try container.decode(.passwordState, default: passwordState)
    backupCodes = try container.decode(.backupCodes, default: backupCodes)
    emailSecondFactor = try container.decode(.emailSecondFactor, default: emailSecondFactor)
    clientTrust = try container.decode(.clientTrust, default: clientTrust)
    banned = try container.decode(.banned, default: banned)
    enterprise = try container.decode(.enterprise, default: enterprise)
    emailLink = try container.decode(.emailLink, default: emailLink)
    locked = try container.decodeIfPresent(Lock.self, forKey: .locked)
    organizations = try container.decode(.organizations, default: organizations)
    organizationInvitations = try container.decode(.organizationInvitations, default: [])
    organizationSuggestions = try container.decode(.organizationSuggestions, default: [])
    tasks = try container.decode(.tasks, default: tasks)
    entra = try container.decode(.entra, default: entra)
    try decodeContacts(from: container)
    totpSecret = try container.decodeIfPresent(String.self, forKey: .totpSecret)
    if let totpSecret, AuthenticatorCode(base32Secret: totpSecret) == nil {
      throw container.refusal(.totpSecret, "not base32")
    }
  }

  private mutating func decodeContacts(from container: KeyedDecodingContainer<Key>) throws {
    func contacts(_ key: Key, _ kind: Contact.Kind) throws -> [String] {
      try container.decode(key, default: [String]()).map { text in
        guard let value = kind.normalized(text) else {
          throw container.refusal(key, "'\(text)' is not \(kind.description)")
        }
        return value
      }
    }
    emailAddresses = try contacts(.emailAddresses, .emailAddress)
    phoneNumbers = try contacts(.phoneNumbers, .phoneNumber)
    secondFactorPhoneNumbers = try contacts(.secondFactorPhoneNumbers, .phoneNumber)
    if let text = username {
      guard let value = Contact.Kind.username.normalized(text) else {
        throw container.refusal(.username, "'\(text)' is not \(Contact.Kind.username.description)")
      }
      username = value
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var document = json
    if let password { document["password"] = .string(password) }
    try document.encode(to: encoder)
  }
}

extension AccountDescription.Lock: Codable {
  private enum Key: String, CodingKey, CaseIterable { case seconds }

  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: Key.self)
    let container = try decoder.container(keyedBy: Key.self)
    self.init(seconds: try container.decodeIfPresent(Int.self, forKey: .seconds))
    guard let seconds else { return }
    let tenYears = 315_360_000
    guard (0...tenYears).contains(seconds) else {
      throw container.refusal(.seconds, "not within 0 to \(tenYears)")
    }
  }

  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension AccountDescription.Organization: Codable {
  private enum Key: String, CodingKey, CaseIterable { case name, slug, role }

  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: Key.self)
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      name: try container.decode(String.self, forKey: .name),
      slug: try container.decode(String.self, forKey: .slug),
      role: try container.decode(.role, default: "org:member")
    )
  }

  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension AccountDescription.Entra: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case declinedScopes = "declined_scopes"
    case silent
    case protectionPolicy = "protection_policy"
    case registrationRequired = "registration_required"
  }

  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: Key.self)
    let container = try decoder.container(keyedBy: Key.self)
    self.init()
    declinedScopes = try container.decode(.declinedScopes, default: declinedScopes)
    silent = try container.decodeIfPresent(Silent.self, forKey: .silent)
    protectionPolicy = try container.decode(.protectionPolicy, default: protectionPolicy)
    registrationRequired = try container.decode(
      .registrationRequired,
      default: registrationRequired
    )
  }

  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
