internal import GRDB

extension AccountDescription {
  /// The account of that id.
  static func of(_ id: String, at now: EpochMilliseconds, _ db: Database) throws -> Self? {
    try Account.fetchOne(db, key: id).map { try of($0, at: now, db) }
  }

  /// The description of one account.
  static func of(_ account: Account, at now: EpochMilliseconds, _ db: Database) throws -> Self {
    try Related(to: [account], db).description(of: account, at: now)
  }

  /// The descriptions of several accounts, with a few queries for all of them.
  static func all(of accounts: [Account], at now: EpochMilliseconds, _ db: Database) throws
    -> [Self]
  {
    let related = try Related(to: accounts, db)
    return accounts.map { related.description(of: $0, at: now) }
  }

  /// The rows of other tables that belong to some accounts.
  private struct Related {
    var contacts: [String: [Contact]]
    var lockouts: [String: [Lockout]]
    var organizations: [String: [DescribedOrganization]]

    init(to accounts: [Account], _ db: Database) throws {
      let ids = JSON.strings(accounts.map(\.id)).text
      func rows<Record: FetchableRecord>(_ type: Record.Type, _ sql: String) throws -> [Record] {
        try Record.fetchAll(db.cachedStatement(sql: sql), arguments: [ids])
      }
      contacts = Dictionary(
        grouping: try rows(Contact.self, AccountDescription.contacts),
        by: \.accountID
      )
      lockouts = Dictionary(
        grouping: try rows(Lockout.self, AccountDescription.lockouts),
        by: \.subject
      )
      organizations = Dictionary(
        grouping: try rows(DescribedOrganization.self, AccountDescription.organizations),
        by: \.accountID
      )
    }

    func description(of account: Account, at now: EpochMilliseconds) -> AccountDescription {
      AccountDescription(
        account,
        contacts: contacts[account.id] ?? [],
        lockout: lockouts[account.id]?.first?.current(at: now),
        organizations: organizations[account.id] ?? [],
        at: now
      )
    }
  }

  private static let contacts = """
    SELECT * FROM contact WHERE accountID IN (SELECT value FROM json_each(?)) ORDER BY position
    """
  private static let lockouts = """
    SELECT * FROM lockout WHERE subject IN (SELECT value FROM json_each(?))
    """
  private static let organizations = """
    WITH given AS (SELECT value FROM json_each(?))
    SELECT accountID, 'member' AS relation, name, slug, role, link.createdAt, link.rowid AS position
      FROM membership AS link JOIN organization ON organization.id = link.organizationID
      WHERE accountID IN given
    UNION ALL
    SELECT accountID, kind, name, slug, role, link.createdAt, link.rowid
      FROM organizationOffer AS link JOIN organization ON organization.id = link.organizationID
      WHERE accountID IN given AND status = 'pending'
    ORDER BY 6, 7
    """

  private init(
    _ account: Account,
    contacts: [Contact],
    lockout: Lockout?,
    organizations related: [DescribedOrganization],
    at now: EpochMilliseconds
  ) {
    func values(_ kind: Contact.Kind, isSecondFactor: Bool = false) -> [String] {
      contacts.filter { $0.kind == kind && $0.isSecondFactor == isSecondFactor }.map(\.value)
    }
    func organizations(_ relation: DescribedOrganization.Relation) -> [Organization] {
      related.filter { $0.relation == relation }
        .map { Organization(name: $0.name, slug: $0.slug, role: $0.role) }
    }
    self.init()
    id = account.id
    emailAddresses = values(.emailAddress)
    phoneNumbers = values(.phoneNumber)
    secondFactorPhoneNumbers = values(.phoneNumber, isSecondFactor: true)
    username = values(.username).first
    firstName = account.firstName
    lastName = account.lastName
    passwordState = account.passwordState
    totpSecret = account.totpSecret
    backupCodes = account.unusedBackupCodes
    emailSecondFactor = account.hasEmailSecondFactor
    clientTrust = account.needsClientTrust
    banned = account.isBanned
    enterprise = account.isEnterprise
    emailLink = account.usesEmailLink
    locked = lockout.flatMap { $0.isLocked ? Lock(seconds: $0.secondsLeft(at: now)) : nil }
    failedAttempts = lockout?.failureCount ?? 0
    self.organizations = organizations(.member)
    organizationInvitations = organizations(.invitation)
    organizationSuggestions = organizations(.suggestion)
    tasks = account.tasks
    entra = account.entra
    unsafeMetadata = account.unsafeMetadataJSON
  }
}

/// An organization, and how an account is related to it.
private struct DescribedOrganization: Decodable, FetchableRecord {
  enum Relation: String, Decodable, DatabaseValueConvertible {
    case member, invitation, suggestion
  }

  var accountID: String
  var relation: Relation
  var name: String
  var slug: String
  var role: String
}
