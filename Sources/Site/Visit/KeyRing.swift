public import Crypto

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
