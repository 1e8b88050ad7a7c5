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
  private let salt: Data
  private let hashes = Locked<[String: PasswordHash]>([:])

  init(users: [AccountDescription], cost: PasswordHash.Cost, random: RandomSource) {
    self.users = users
    self.cost = cost
    salt = Data(random.bytes(count: 16))
  }

  /// Writes the accounts.
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
