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
