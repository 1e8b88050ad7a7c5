public import Foundation
internal import HTTPExchange

extension AccountDescription {
  /// An account as members of a document.
  ///
  /// The password is read, never told; invitations and suggestions are told where there are any.
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

  /// What every key takes.
  public static var shape: ValueShape { format.shape }

  /// Every key with its value but the password.
  public var json: JSON { Self.format.json(of: self) }

  /// Reads a JSON array of accounts.
  ///
  /// - Throws: `DocumentError` naming the account's place and the key at fault; so for what an account
  ///   before has already.
  public static func list(json: Data) throws(DocumentError) -> [Self] {
    let users = try ValueFormat<[Self]>.list(format.values(over: Self()))
      .read(JSON(writtenDocument: json))
    var taken: Set<[String]> = []
    for (index, user) in users.enumerated() {
      let contacts = user.describedContacts.map { ($0.key, [$0.kind.rawValue, $0.value]) }
      for (key, name) in contacts + (user.id.map { [("id", ["id", $0])] } ?? [])
      where !taken.insert(name).inserted {
        throw DocumentError.taken(name[1], by: key).inElement(index)
      }
    }
    try refuseTwoNames(in: users)
    return users
  }

  /// - Throws: `DocumentError` for an organization that another account calls otherwise: the last name would be all's.
  private static func refuseTwoNames(in users: [Self]) throws(DocumentError) {
    var names: [String: String] = [:]
    for (index, user) in users.enumerated() {
      for (key, organizations) in user.describedOrganizations {
        for (place, organization) in organizations.enumerated() {
          let name = names[organization.slug, default: organization.name]
          names[organization.slug] = name
          guard name == organization.name else {
            throw DocumentError("'\(organization.slug)' is called '\(name)' before")
              .inMember("name").inElement(place).inMember(key).inElement(index)
          }
        }
      }
    }
  }

  /// By the keys that they stand at.
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
    .init("attributes", \.attributes, .attributes),
  ])

  /// The attributes for which an account has keys of its own.
  static let nameKeys = ["givenName": "first_name", "surname": "last_name"]
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

  /// A text that is not empty: an account without one has null.
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

  /// A role's key, also where it is written as in a session token, without `org:`.
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
  /// An object, as large as the API takes one.
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
  /// An object of texts, but for those that have another key.
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
  /// Contacts, each once, in whichever spellings it is named again.
  fileprivate static func contacts(_ kind: Contact.Kind) -> Self {
    let all = list(.contact(kind), .texts)
    return Self(all.shape, write: all.write) { json throws(DocumentError) in
      var known: Set<String> = []
      return try all.read(json).filter { known.insert($0).inserted }
    }
  }
}

extension ValueFormat<[AccountDescription.Organization]> {
  /// Organizations, each once: of two roles in one, the later would be the only one.
  fileprivate static let organizations = list(
    AccountDescription.Organization.format
      .values(over: AccountDescription.Organization(name: "", slug: "")),
    eachOnceBy: "slug"
  ) { $0.slug }
}
