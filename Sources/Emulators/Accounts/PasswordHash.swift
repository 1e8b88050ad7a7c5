internal import CryptoExtras
internal import Foundation

/// A password as it is stored: what scrypt makes of it, and how.
///
/// Source: RFC 7914; S22.
struct PasswordHash: Codable, Sendable, Hashable {
  /// How much work one derivation is; stored beside every hash, so that it can be raised later.
  struct Cost: Codable, Sendable, Hashable {
    var rounds: Int
    var blockSize = 8
    var parallelism = 1

    init(rounds: Int) {
      self.rounds = rounds
    }

    /// - Throws: `DecodingError` for a cost that no hash of ours ever had, and deriving could not
    ///   bear.
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      rounds = try container.decode(Int.self, forKey: .rounds)
      blockSize = try container.decode(Int.self, forKey: .blockSize)
      parallelism = try container.decode(Int.self, forKey: .parallelism)
      guard (2...1 << 17).contains(rounds), rounds.nonzeroBitCount == 1, blockSize == 8,
        parallelism == 1
      else {
        throw DecodingError.dataCorruptedError(
          forKey: .rounds,
          in: container,
          debugDescription: "no cost of ours"
        )
      }
    }

    /// For the database on disk: about 110 ms.
    static let disk = Self(rounds: 1 << 15)
    /// For worlds that live only in memory, where it protects nothing: the least that scrypt knows.
    static let memory = Self(rounds: 2)

    /// Whether deriving takes microseconds, so that it may be done within a transaction.
    var isQuick: Bool { rounds <= 16 }
  }

  var cost: Cost
  var salt: Data
  var key: Data

  static func == (left: Self, right: Self) -> Bool {
    left.cost == right.cost && left.salt == right.salt
      && isEqualInConstantTime(Array(left.key), Array(right.key))
  }

  /// Derives the hash; it takes long, so it belongs on a `PasswordHasher`'s queue.
  static func derive(from password: String, salt: Data, cost: Cost) throws -> Self {
    let key = try KDF.Scrypt.deriveKey(
      from: Data(password.utf8),
      salt: salt,
      outputByteCount: 32,
      rounds: cost.rounds,
      blockSize: cost.blockSize,
      parallelism: cost.parallelism
    )
    return Self(cost: cost, salt: salt, key: key.withUnsafeBytes { Data($0) })
  }
}
