public import Crypto
internal import HTTPExchange

/// The keys that seal visits: the first one seals and all of them open, so that keys can be changed
/// (S12).
public struct KeyRing: Sendable {
  let keys: [SymmetricKey]

  /// A single new key, which is lost when the process ends.
  public init() {
    keys = [SymmetricKey(size: .bits256)]
  }

  /// Returns nil where there is no key, or one has fewer than 256 bits.
  public init?(_ keys: [SymmetricKey]) {
    guard !keys.isEmpty, keys.allSatisfy({ $0.bitCount >= 256 }) else { return nil }
    self.keys = keys
  }

  /// A short fingerprint of each key in order, the sealing one's first: it tells keys apart and
  /// reveals nothing about them.
  public var marks: [String] {
    derivedKeys(for: "mark/1").map { key in
      key.withUnsafeBytes { Hexadecimal.text(of: $0.prefix(4)) }
    }
  }

  /// Derives a key for one purpose from each key of the ring, in order.
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
