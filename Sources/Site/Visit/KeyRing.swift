public import Crypto
internal import HTTPExchange

/// The keys that seal visits: the first seals, every one opens, so that keys can be changed (S12).
public struct KeyRing: Sendable {
  let keys: [SymmetricKey]

  /// A fresh key, which ends with the process.
  public init() {
    keys = [SymmetricKey(size: .bits256)]
  }

  /// Returns nil where there is no key, or one has fewer than 256 bits.
  public init?(_ keys: [SymmetricKey]) {
    guard !keys.isEmpty, keys.allSatisfy({ $0.bitCount >= 256 }) else { return nil }
    self.keys = keys
  }

  /// A short mark of each key in its order, the sealing one's first: by it two can be told apart, and nothing is
  /// told of the key.
  public var marks: [String] {
    derivedKeys(for: "mark/1").map { key in
      key.withUnsafeBytes { Hexadecimal.text(of: $0.prefix(4)) }
    }
  }

  /// A key of its own for each purpose, from every key of the ring in its order.
  func derivedKeys(for purpose: String) -> [SymmetricKey] {
    keys.map { key in
      HKDF<SHA256>.deriveKey(
        inputKeyMaterial: key,
        info: Array("vestibule/\(purpose)".utf8),
        outputByteCount: 32
      )
    }
  }
}
