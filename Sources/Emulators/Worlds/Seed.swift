internal import Foundation
internal import GRDB
internal import Locking

/// The accounts that a fresh world begins with.
///
/// The demo users share one published password. It is hashed once, with one salt for the whole
/// seed: a salt each would cost a fresh data folder two seconds and protect nothing that the README
/// does not publish. Passwords that people set have a salt of their own.
final class Seed: Sendable {
  let users: [AccountDescription]
  let cost: PasswordHash.Cost
  /// The cost of the mark; nil for worlds in memory, which begin with each process and need no
  /// mark.
  private let markCost: PasswordHash.Cost?
  private let salt: Data
  private let hashes = Locked<[String: PasswordHash]>([:])
  private let mark = Locked<PasswordHash?>(nil)

  /// - Parameters:
  ///   - users: The accounts.
  ///   - arePublished: Whether the accounts and their passwords are public, as the demo users' are.
  ///   - cost: The cost of hashing a password.
  ///   - random: The source of the salt.
  init(
    users: [AccountDescription],
    arePublished: Bool,
    cost: PasswordHash.Cost,
    random: RandomSource
  ) {
    self.users = users
    self.cost = cost
    markCost = cost == .memory ? nil : arePublished ? .memory : cost
    salt = Data(random.bytes(count: 16))
  }

  /// Derives the password hashes that are missing, so that no transaction has to wait for them.
  ///
  /// One after the other, which leaves the hasher's other thread to sign-ins.
  ///
  /// - Throws: `CancellationError` if the task was cancelled meanwhile.
  func deriveHashes(by hasher: PasswordHasher) async throws {
    for password in users.compactMap(\.password)
    where hashes.withLock({ $0[password] == nil }) {
      let hash = try await hasher.derive(from: password, salt: salt, cost: cost)
      hashes.withLock { $0[password] = hash }
    }
    if let markCost, mark.withLock({ $0 == nil }) {
      let derived = try await hasher.derive(from: text, salt: salt, cost: markCost)
      mark.withLock { $0 = derived }
    }
  }

  /// Writes the accounts, and the mark by which they are recognised.
  ///
  /// - Throws: `WorldsError.seedRefused` if two accounts claim the same identifier.
  func plant(at now: EpochMilliseconds, random: RandomSource, _ db: Database) throws {
    for (index, user) in users.enumerated() {
      do {
        let password = try user.password.map(hash)
        try user.insert(password: password, at: now, random: random, db)
      } catch let error as DocumentError {
        throw WorldsError.seedRefused(error.inElement(index).description)
      }
    }
    if let mark = try ownMark() {
      try db.execute(sql: "UPDATE heartbeat SET seed = ?", arguments: [mark.json.text])
    }
  }

  private func hash(_ password: String) throws -> PasswordHash {
    try hashes.withLock { hashes in
      if let hash = hashes[password] { return hash }
      let hash = try PasswordHash.derive(from: password, salt: salt, cost: cost)
      hashes[password] = hash
      return hash
    }
  }
}

// MARK: - The mark

extension Seed {
  /// The mark of the accounts with which a world began; nil if the version that began it left none.
  ///
  /// - Throws: What SQLite reports.
  static func mark(in db: Database) throws -> PasswordHash? {
    let text = try String.fetchOne(db, sql: "SELECT seed FROM heartbeat")
    // A value that is not such a mark counts as none.
    return text.flatMap { JSON(decoding: Array($0.utf8)) }.flatMap { try? PasswordHash($0) }
  }

  /// Whether a mark is that of other accounts; this takes as long as deriving one hash.
  func isOther(than mark: PasswordHash) throws -> Bool {
    try PasswordHash.derive(from: text, salt: mark.salt, cost: mark.cost) != mark
  }

  /// The mark of these accounts; it covers their passwords, so it is derived as slowly as a hash,
  /// or it would help to guess them faster.
  private func ownMark() throws -> PasswordHash? {
    guard let markCost else { return nil }
    return try mark.withLock { mark in
      if let mark { return mark }
      let derived = try PasswordHash.derive(from: text, salt: salt, cost: markCost)
      mark = derived
      return derived
    }
  }

  /// The accounts as text, independent of their order and without default values, so that a key
  /// that is new in a version changes nothing.
  private var text: String {
    let usual = AccountDescription().json
    return users.map { user in
      var json = user.json
      if let password = user.password { json["password"] = .string(password) }
      return (json.differing(from: usual) ?? [:]).text
    }.sorted().joined(separator: "\n")
  }
}

extension JSON {
  /// The part that differs from the usual value: of an object the members that differ, sorted by
  /// name; nil if nothing does.
  fileprivate func differing(from usual: JSON?) -> JSON? {
    guard self != usual else { return nil }
    guard case .object(let members) = self, case .object? = usual else { return self }
    return .object(
      members.compactMap { member in
        member.value.differing(from: usual?[member.name]).map { Member(member.name, $0) }
      }.sorted { $0.name < $1.name }
    )
  }
}
