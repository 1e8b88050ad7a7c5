internal import CryptoExtras
internal import Foundation
internal import HTTPExchange

/// A stored password: its scrypt hash, with salt and cost.
///
/// Source: RFC 7914; S22.
struct PasswordHash: Codable, Sendable, Hashable {
  /// The scrypt parameters; stored with every hash, so that they can be raised later.
  struct Cost: Codable, Sendable, Hashable {
    var rounds: Int
    var blockSize = 8
    var parallelism = 1

    init(rounds: Int) {
      self.rounds = rounds
    }

    /// Nil for a cost that no hash of ours ever had; deriving with it could be too expensive.
    init?(rounds: Int?, blockSize: Int?, parallelism: Int?) {
      guard let rounds, (2...1 << 17).contains(rounds), rounds.nonzeroBitCount == 1,
        blockSize == 8, parallelism == 1
      else { return nil }
      self.rounds = rounds
    }

    /// - Throws: `DecodingError` for a cost that no hash of ours ever had.
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let cost = Self(
        rounds: try container.decode(Int.self, forKey: .rounds),
        blockSize: try container.decode(Int.self, forKey: .blockSize),
        parallelism: try container.decode(Int.self, forKey: .parallelism)
      )
      guard let cost else {
        throw DecodingError.dataCorruptedError(
          forKey: .rounds,
          in: container,
          debugDescription: "no cost of ours"
        )
      }
      self = cost
    }

    /// For the database on disk: about 110 ms.
    static let disk = Self(rounds: 1 << 15)
    /// For worlds that live only in memory, where hashing protects nothing: the least that scrypt
    /// accepts.
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

  /// Derives the hash; this is slow, so it belongs on a `PasswordHasher`'s queue.
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

extension PasswordHash {
  /// The hash as its decoder reads it.
  var json: JSON {
    [
      "cost": [
        "rounds": .integer(Int64(cost.rounds)), "blockSize": .integer(Int64(cost.blockSize)),
        "parallelism": .integer(Int64(cost.parallelism)),
      ],
      "salt": .string(salt.base64EncodedString()),
      "key": .string(key.base64EncodedString()),
    ]
  }

  /// - Throws: `DocumentError` if the JSON is not a hash of ours.
  init(_ json: JSON) throws(DocumentError) {
    func number(_ name: String) -> Int? { json["cost"]?[name]?.integer.map { Int(clamping: $0) } }
    func data(_ name: String) -> Data? { json[name]?.string.flatMap { Data(base64Encoded: $0) } }
    let cost = Cost(
      rounds: number("rounds"),
      blockSize: number("blockSize"),
      parallelism: number("parallelism")
    )
    guard let cost, let salt = data("salt"), let key = data("key") else { throw .wrongType }
    self.init(cost: cost, salt: salt, key: key)
  }
}
