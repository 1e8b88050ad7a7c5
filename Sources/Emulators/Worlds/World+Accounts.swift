public import Foundation
internal import GRDB

/// What an authenticator app shows now.
public struct AuthenticatorReading: Sendable, Hashable {
  public var code: String
  public var validUntil: Date
}

/// Some accounts of a world, in the order in which they were made.
public struct AccountPage: Sendable, Hashable {
  public var accounts: [AccountDescription]
  /// Whether more accounts follow.
  public var hasMore: Bool
}

/// The accounts of a world, as backstage shows and makes them.
extension World {
  /// How many accounts are read at most.
  public static let accountPageLimit = 100

  /// The accounts, in the order in which they were made.
  ///
  /// - Parameters:
  ///   - search: What is to be found in them; nil for all accounts.
  ///   - limit: How many at most; never more than `accountPageLimit`.
  ///   - id: The account after which they begin; nil for the first ones.
  /// - Returns: Nil if there is no account of that id.
  /// - Throws: What SQLite reports.
  public func accounts(
    matching search: AccountSearch? = nil,
    limit: Int = accountPageLimit,
    after id: String? = nil
  ) async throws -> AccountPage? {
    let now = EpochMilliseconds(clock.now)
    let limit = min(max(limit, 1), Self.accountPageLimit)
    return try await database.read { db -> AccountPage? in
      var begin: Int64 = 0
      if let id {
        let sql = "SELECT rowid FROM account WHERE id = ?"
        guard let row = try Int64.fetchOne(db, sql: sql, arguments: [id]) else { return nil }
        begin = row
      }
      let condition = search?.condition ?? "TRUE"
      var arguments: StatementArguments = [begin]
      if let search { arguments += search.arguments }
      arguments += [limit + 1]
      let accounts = try Account.fetchAll(
        db,
        sql: "SELECT * FROM account WHERE rowid > ? AND (\(condition)) ORDER BY rowid LIMIT ?",
        arguments: arguments
      )
      return AccountPage(
        accounts: try AccountDescription.all(of: Array(accounts.prefix(limit)), at: now, db),
        hasMore: accounts.count > limit
      )
    }
  }

  /// How many accounts there are.
  ///
  /// - Throws: What SQLite reports.
  public func accountCount() async throws -> Int {
    try await database.read { db in try Account.fetchCount(db) }
  }

  /// How many accounts a search finds.
  ///
  /// - Throws: What SQLite reports.
  public func accountCount(matching search: AccountSearch) async throws -> Int {
    try await database.read { db in
      let sql = "SELECT count(*) FROM account WHERE \(search.condition)"
      return try Int.fetchOne(db, sql: sql, arguments: search.arguments) ?? 0
    }
  }

  /// The ids, of those given, whose accounts have a password.
  ///
  /// - Throws: What SQLite reports.
  public func accountsWithPassword(_ ids: [String]) async throws -> Set<String> {
    let given = JSON.strings(ids).text
    return try await database.read { db in
      let sql = """
        SELECT id FROM account
        WHERE password IS NOT NULL AND id IN (SELECT value FROM json_each(?))
        """
      return Set(try String.fetchAll(db, sql: sql, arguments: [given]))
    }
  }

  /// The account with that identifier; nil if there is none.
  ///
  /// - Throws: What SQLite reports.
  public func account(identifiedBy identifier: String) async throws -> AccountDescription? {
    let now = EpochMilliseconds(clock.now)
    return try await database.read { db -> AccountDescription? in
      let kind = Contact.Kind(ofTyped: identifier)
      guard let value = kind.normalized(identifier),
        let contact = try Account.contact(kind, value, db)
      else { return nil }
      return try AccountDescription.of(contact.accountID, at: now, db)
    }
  }

  /// The account of that id.
  ///
  /// - Throws: What SQLite reports.
  public func account(_ id: String) async throws -> AccountDescription? {
    let now = EpochMilliseconds(clock.now)
    return try await database.read { db in try AccountDescription.of(id, at: now, db) }
  }

  /// The id of the account with that object id in Entra's tokens (`oid`), in either case; nil if
  /// there is none.
  ///
  /// An account with exactly that id takes precedence.
  ///
  /// - Throws: What SQLite reports.
  public func accountID(ofObject text: String) async throws -> String? {
    guard let objectID = GUID.parsed(text) else { return nil }
    return try await database.read { db -> String? in
      var found: String?
      let ids = try String.fetchCursor(db, sql: "SELECT id FROM account")
      while let id = try ids.next() {
        if id == text { return id }
        if found == nil, GUID.ofObject(id) == objectID { found = id }
      }
      return found
    }
  }

  /// The organizations with those names; for an unknown name, the organization as it would be
  /// created.
  ///
  /// - Throws: What SQLite reports.
  public func organizations(
    named names: [String]
  ) async throws -> [AccountDescription.Organization] {
    try await database.read { db in
      var slugs: Set<String> = []
      return try names.map { name in
        let known = try String.fetchOne(
          db,
          sql: "SELECT slug FROM organization WHERE name = ? ORDER BY rowid",
          arguments: [name]
        )
        let slug = try known ?? Organization.freeSlug(for: name, besides: slugs, db)
        slugs.insert(slug)
        return AccountDescription.Organization(name: name, slug: slug)
      }
    }
  }

  /// Makes an account.
  ///
  /// - Throws: `DocumentError` naming what belongs to another account, or what SQLite reports.
  public func add(_ user: AccountDescription) async throws -> AccountDescription {
    let password = try await hash(user.password)
    return try await write { [random] db, now in
      try Self.refuseSameObject(as: user.id, db)
      let account = try user.insert(password: password, at: now, random: random, db)
      return try AccountDescription.of(account, at: now, db)
    }
  }

  /// Changes exactly those keys of an account that the JSON object has.
  ///
  /// - Returns: The account as it is then; nil if there is none of that id.
  /// - Throws: `DocumentError` naming the key at fault, or what SQLite reports; then nothing has changed.
  public func change(_ id: String, _ changes: JSON) async throws -> AccountDescription? {
    // Derived before the transaction, which it would prolong; null removes the password.
    let password = try await hash(changes["password"]?.string)
    return try await write { [random] db, now -> AccountDescription? in
      guard let account = try Account.fetchOne(db, key: id),
        let before = try AccountDescription.of(id, at: now, db)
      else { return nil }
      let after = try before.merging(changes)
      guard after.id == id else { throw DocumentError("'id' cannot be changed") }
      try after.update(
        account,
        keys: changes.memberNames,
        password: password,
        at: now,
        random: random,
        db
      )
      if changes.memberNames.contains("password") {
        try ClerkSignIn.forgetProvenByPassword(of: id, db)
      }
      return try AccountDescription.of(id, at: now, db)
    }
  }

  /// Deletes an account with its sessions.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: What SQLite reports.
  public func remove(_ id: String) async throws -> Bool {
    try await database.write { db in
      try Lockout.clear(id, db)
      return try Account.deleteOne(db, key: id)
    }
  }

  /// What the authenticator app of an account shows.
  ///
  /// An app that is still being set up is read only if the account has no other.
  ///
  /// - Parameters:
  ///   - id: The account.
  ///   - date: The time of the reading; nil is now.
  /// - Returns: Nil if there is no such account or app.
  /// - Throws: What SQLite reports.
  public func authenticatorReading(
    of id: String,
    at date: Date? = nil
  ) async throws -> AuthenticatorReading? {
    let now = EpochMilliseconds(date ?? clock.now)
    let secret = try await database.read { db in
      let account = try Account.fetchOne(db, key: id)
      return account?.totpSecret ?? account?.pendingTOTPSecret
    }
    return secret.flatMap { AuthenticatorReading(secret: $0, at: now) }
  }

  /// What authenticator apps show, for the first `accountPageLimit` accounts that have one.
  ///
  /// - Throws: What SQLite reports.
  public func authenticatorReadings() async throws -> [(AccountDescription, AuthenticatorReading)] {
    let now = EpochMilliseconds(clock.now)
    let accounts = try await database.read { db in
      let accounts = try Account.fetchAll(
        db,
        sql: "SELECT * FROM account WHERE totpSecret IS NOT NULL ORDER BY rowid LIMIT ?",
        arguments: [Self.accountPageLimit]
      )
      return try AccountDescription.all(of: accounts, at: now, db)
    }
    return accounts.compactMap { account in
      account.totpSecret.flatMap { AuthenticatorReading(secret: $0, at: now) }
        .map { (account, $0) }
    }
  }

  /// Refuses a GUID that an account has as its id, in small letters or capitals: both would have the
  /// same object id.
  ///
  /// - Throws: `DocumentError` if there is such an account.
  private static func refuseSameObject(as id: String?, _ db: Database) throws {
    guard let id, GUID.parsed(id) != nil else { return }
    // Each is looked up by the primary key, which no comparison that ignores case can use.
    let sql = "SELECT EXISTS (SELECT 1 FROM account WHERE id IN (?, ?, ?))"
    let spellings = StatementArguments([id, id.lowercased(), id.uppercased()])
    guard try Bool.fetchOne(db, sql: sql, arguments: spellings) != true else {
      throw DocumentError.taken(id, by: "id")
    }
  }

  private func hash(_ password: String?) async throws -> PasswordHash? {
    guard let password else { return nil }
    return try await hash(HashQuestion.fresh(password: password))
  }
}

extension AuthenticatorReading {
  fileprivate init?(secret: String, at now: EpochMilliseconds) {
    guard let app = AuthenticatorCode(base32Secret: secret) else { return nil }
    let step = AuthenticatorCode.step(at: now)
    code = app.code(step: step)
    validUntil = Date(timeIntervalSince1970: Double((step + 1) * AuthenticatorCode.stepSeconds))
  }
}
