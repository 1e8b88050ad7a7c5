internal import Foundation
internal import GRDB
internal import Locking

/// The accounts that a fresh world begins with.
///
/// The demo users share one published password. It is derived once, with one salt for the whole
/// seed: a salt each would cost a fresh data folder two seconds and hide nothing that the README
/// does not say. Passwords that people set get a salt of their own.
final class Seed: Sendable {
  let users: [AccountDescription]
  let cost: PasswordHash.Cost
  /// Nil where nobody knows the accounts again: a world in memory begins with each process.
  private let markCost: PasswordHash.Cost?
  private let salt: Data
  private let hashes = Locked<[String: PasswordHash]>([:])
  private let mark = Locked<PasswordHash?>(nil)

  /// - Parameters:
  ///   - users: The accounts.
  ///   - arePublished: Whether everybody knows them and their passwords, as the demo users are known.
  ///   - cost: How much work a password is.
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

  /// Derives what is not derived yet of the passwords, so that nothing which is written has to wait for it.
  ///
  /// One after the other: the hasher's other thread is left to those who sign in meanwhile.
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

  /// Writes the accounts, and the mark by which they are known again.
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
  /// The mark of the accounts with which a world began; nil where the program that began it left none.
  ///
  /// - Throws: What SQLite reports.
  static func mark(in db: Database) throws -> PasswordHash? {
    let text = try String.fetchOne(db, sql: "SELECT seed FROM heartbeat")
    // What no program of this kind has left there tells nothing.
    return text.flatMap { JSON(decoding: Array($0.utf8)) }.flatMap { try? PasswordHash($0) }
  }

  /// Whether a mark is that of other accounts; to find out takes as long as one password.
  func isOther(than mark: PasswordHash) throws -> Bool {
    try PasswordHash.derive(from: text, salt: mark.salt, cost: mark.cost) != mark
  }

  /// Of passwords as well, so it is derived as slowly as one: nobody shall try them faster by it.
  private func ownMark() throws -> PasswordHash? {
    guard let markCost else { return nil }
    return try mark.withLock { mark in
      if let mark { return mark }
      let derived = try PasswordHash.derive(from: text, salt: salt, cost: markCost)
      mark = derived
      return derived
    }
  }

  /// The same for the same accounts, in whichever order: of each what it does not have by default, so that a
  /// key that is new in a program changes nothing.
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
  /// What of it is other than usual, of an object the members that are, by their names; nil where nothing is.
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
