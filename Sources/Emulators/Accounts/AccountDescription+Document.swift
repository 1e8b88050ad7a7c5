public import Foundation
internal import HTTPExchange

extension AccountDescription {
  /// The members of an account in a document.
  ///
  /// The password is read but never written; invitations and suggestions are written only if there
  /// are any.
  static let format = ObjectFormat<Self>([
    .init("id", \.id, .orNull(.filled)),
    .init("email_addresses", \.emailAddresses, .contacts(.emailAddress)),
    .init("phone_numbers", \.phoneNumbers, .contacts(.phoneNumber)),
    .init("second_factor_phone_numbers", \.secondFactorPhoneNumbers, .contacts(.phoneNumber)),
    .init("username", \.username, .orNull(.contact(.username))),
    .init("first_name", \.firstName, .orNull(.text)),
    .init("last_name", \.lastName, .orNull(.text)),
    .secret("password", \.password, .orNull(.filled)),
    .init("password_state", \.passwordState, .choice),
    .init("totp_secret", \.totpSecret, .orNull(.authenticatorSecret)),
    .init("backup_codes", \.backupCodes, .texts),
    .init("email_second_factor", \.emailSecondFactor, .flag),
    .init("client_trust", \.clientTrust, .flag),
    .init("banned", \.banned, .flag),
    .init("enterprise", \.enterprise, .flag),
    .init("email_link", \.emailLink, .flag),
    .init("locked", \.locked, .orNull(Lock.format.values(over: Lock()))),
    .init("failed_attempts", \.failedAttempts, .number(0...1_000_000)),
    .init("organizations", \.organizations, .organizations),
    .init("tasks", \.tasks, .choices()),
    .init("entra", \.entra, Entra.format.values(over: Entra())),
    .init("unsafe_metadata", \.unsafeMetadata, .metadata),
    .init(
      "organization_invitations",
      \.organizationInvitations,
      .organizations,
      isWritten: { !$0.isEmpty }
    ),
    .init(
      "organization_suggestions",
      \.organizationSuggestions,
      .organizations,
      isWritten: { !$0.isEmpty }
    ),
  ])

  /// The values that the keys accept.
  public static var shape: ValueShape { format.shape }

  /// Every key with its value, except the password.
  public var json: JSON { Self.format.json(of: self) }

  /// Reads a JSON array of accounts.
  ///
  /// - Throws: `DocumentError` naming the account's index and the key at fault, also if an earlier
  ///   account already has the value.
  public static func list(json: Data) throws(DocumentError) -> [Self] {
    let users = try ValueFormat<[Self]>.list(format.values(over: Self()))
      .read(JSON(writtenDocument: json))
    var taken: Set<[String]> = []
    for (index, user) in users.enumerated() {
      let contacts = user.describedContacts.map { ($0.key, [$0.kind.rawValue, $0.value]) }
      // The case of a GUID does not matter.
      let ids = user.id.map { [("id", ["id", GUID.parsed($0) ?? $0])] } ?? []
      for (key, name) in contacts + ids where !taken.insert(name).inserted {
        throw DocumentError.taken(name[1], by: key).inElement(index)
      }
    }
    try refuseTwoNames(in: users)
    return users
  }

  /// - Throws: `DocumentError` if two accounts give an organization different names: the last one
  ///   would apply to both.
  private static func refuseTwoNames(in users: [Self]) throws(DocumentError) {
    var names: [String: String] = [:]
    for (index, user) in users.enumerated() {
      for (key, organizations) in user.describedOrganizations {
        for (place, organization) in organizations.enumerated() {
          let name = names[organization.slug, default: organization.name]
          names[organization.slug] = name
          guard name == organization.name else {
            throw DocumentError("'\(organization.slug)' is already called '\(name)'")
              .inMember("name").inElement(place).inMember(key).inElement(index)
          }
        }
      }
    }
  }

  /// The lists of organizations by their keys.
  private var describedOrganizations: KeyValuePairs<String, [Organization]> {
    [
      "organizations": organizations,
      "organization_invitations": organizationInvitations,
      "organization_suggestions": organizationSuggestions,
    ]
  }

  /// Reads one account from a JSON object.
  ///
  /// - Throws: `DocumentError` naming the key at fault.
  public init(json: JSON) throws(DocumentError) {
    self = try Self().merging(json)
  }

  /// This account with the keys of a JSON object changed.
  ///
  /// - Throws: `DocumentError` naming the key that is unknown or has a value it cannot have.
  public func merging(_ changes: JSON) throws(DocumentError) -> Self {
    try Self.format.read(changes, over: self)
  }
}

extension AccountDescription.Lock {
  static let format = ObjectFormat<Self>([
    // At most ten years.
    .init("seconds", \.seconds, .orNull(.number(0...315_360_000)), isWritten: { $0 != nil })
  ])
}

extension AccountDescription.Organization {
  static let format = ObjectFormat<Self>([
    .init("name", \.name, .text).required,
    .init("slug", \.slug, .slug).required,
    .init("role", \.role, .role),
  ])
}

extension AccountDescription.Entra {
  static let format = ObjectFormat<Self>([
    .init("declined_scopes", \.declinedScopes, .texts),
    .init("silent", \.silent, .orNull(.choice)),
    .init("protection_policy", \.protectionPolicy, .flag),
    .init("registration_required", \.registrationRequired, .flag),
    .init("methods", \.methods, .methods),
    .init("attributes", \.attributes, .attributes),
  ])

  /// The attributes that have a key of their own on the account.
  static let nameKeys = ["givenName": "first_name", "surname": "last_name"]
}

extension AccountDescription.Entra.Method {
  fileprivate static let format = ObjectFormat<Self>([
    .init("channel", \.channel, .choice).required,
    .init("target", \.target, .text).required,
  ])

  /// The kind of contact that the channel reaches.
  fileprivate var kind: Contact.Kind {
    switch channel {
    case .email: .emailAddress
    case .sms: .phoneNumber
    }
  }

  /// The same with its contact in its normal form; nil if the contact does not fit the channel.
  var normalized: Self? {
    kind.normalized(target).map { Self(channel: channel, target: $0) }
  }
}

extension ValueFormat<String> {
  /// A contact in its normal form.
  static func contact(_ kind: Contact.Kind) -> Self {
    text { text throws(DocumentError) in
      guard let value = kind.normalized(text) else {
        throw DocumentError("'\(text)' is not \(kind.description)")
      }
      return value
    }
  }

  /// A non-empty text; an account without one has null.
  fileprivate static let filled = text { text throws(DocumentError) in
    guard !text.isEmpty else { throw DocumentError("empty: leave it out, or send null") }
    return text
  }

  fileprivate static let slug = text { text throws(DocumentError) in
    guard OrganizationRules.isSlug(text) else {
      throw DocumentError(
        "not letters a to z and digits, with single dashes or underscores between"
      )
    }
    return text
  }

  /// A role key; it may lack the `org:` prefix, as in session tokens.
  fileprivate static let role = text { text throws(DocumentError) in
    let name = text.hasPrefix("org:") ? text.dropFirst(4) : text[...]
    guard !name.isEmpty,
      name.utf8.allSatisfy({ $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "_") })
    else { throw DocumentError("not a role's key, such as org:admin or org:member") }
    return "org:\(name)"
  }

  fileprivate static let authenticatorSecret = text { text throws(DocumentError) in
    guard AuthenticatorCode(base32Secret: text) != nil else { throw DocumentError("not base32") }
    return text
  }
}

extension ValueFormat<JSON> {
  /// An object within the API's size limit.
  fileprivate static let metadata = Self(.json) {
    $0
  } read: { json throws(DocumentError) in
    guard case .object = json else { throw DocumentError("not an object") }
    guard json.encoded.count <= AccountMetadata.limitBytes else {
      throw DocumentError("more than \(AccountMetadata.limitBytes) bytes")
    }
    return json
  }
}

extension ValueFormat<[String: String]> {
  /// An object of texts; attributes that have a key of their own are refused.
  fileprivate static let attributes = Self(.json) { values in
    .object(values.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .string($0.value)) })
  } read: { json throws(DocumentError) in
    guard case .object(let members) = json else { throw DocumentError("not an object") }
    var values: [String: String] = [:]
    for member in members {
      do throws(DocumentError) {
        if let key = AccountDescription.Entra.nameKeys[member.name] {
          throw DocumentError("this is the account's '\(key)'")
        }
        guard case .string(let text) = member.value else { throw DocumentError("not a text") }
        guard !text.isEmpty else { throw DocumentError("empty: leave it out") }
        values[member.name] = text
      } catch {
        throw error.inMember(member.name)
      }
    }
    return values
  }
}

extension ValueFormat<[String]> {
  /// Contacts without duplicates, even if they are spelled differently.
  fileprivate static func contacts(_ kind: Contact.Kind) -> Self {
    let all = list(.contact(kind), .texts)
    return Self(all.shape, write: all.write) { json throws(DocumentError) in
      var known: Set<String> = []
      return try all.read(json).filter { known.insert($0).inserted }
    }
  }
}

extension ValueFormat<[AccountDescription.Organization]> {
  /// Organizations, each at most once: of two roles in one, the later would replace the earlier.
  fileprivate static let organizations = list(
    AccountDescription.Organization.format
      .values(over: AccountDescription.Organization(name: "", slug: "")),
    eachOnceBy: "slug"
  ) { $0.slug }
}

extension ValueFormat<[AccountDescription.Entra.Method]> {
  /// Contacts that fit their channels, without duplicates.
  fileprivate static var methods: Self {
    let all = list(
      AccountDescription.Entra.Method.format
        .values(over: AccountDescription.Entra.Method(channel: .email, target: ""))
    )
    return Self(all.shape, write: all.write) { json throws(DocumentError) in
      var methods: [AccountDescription.Entra.Method] = []
      for (index, given) in try all.read(json).enumerated() {
        guard let method = given.normalized else {
          throw DocumentError("'\(given.target)' is not \(given.kind.description)")
            .inMember("target").inElement(index)
        }
        if !methods.contains(method) { methods.append(method) }
      }
      return methods
    }
  }
}
