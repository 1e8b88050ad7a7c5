internal import Crypto
internal import Foundation
internal import HTTPExchange
internal import Locking

/// Seals bytes so that only a holder of the key ring can read, create or change them.
///
/// AES-256-GCM. The key is derived from the ring's with a random 128-bit salt and replaced after
/// 2^16 seals, far below the 2^32 random nonces that one key is good for (NIST SP 800-38D, section
/// 8.3). The cookie's name, the format's version and the purpose are bound as associated data (S12).
final class Sealer: Sendable {
  private static let version: UInt8 = 4
  private static let saltLength = 16
  private static let nonceLength = 12
  private static let tagLength = 16
  private static let openedLimit = 64

  private struct SealingKey {
    var salt: [UInt8]
    var key: SymmetricKey
    var sealsLeft: Int
  }

  private let ring: KeyRing
  private let random: @Sendable (Int) -> [UInt8]
  private let sealsPerKey: Int
  private let context: [UInt8]
  private let sealing: Locked<SealingKey>
  /// Keys that have opened a seal, by their salt: invented salts do not get in here.
  private let opened = Locked<[[UInt8]: SymmetricKey]>([:])

  /// - Parameters:
  ///   - ring: The first key seals, every one opens.
  ///   - cookieName: The cookie that keeps the seals; the value of any other cookie does not open
  ///     here.
  ///   - random: So many random bytes, for the salts.
  ///   - sealsPerKey: How many seals a derived key makes before another one is derived.
  init(
    ring: KeyRing,
    cookieName: String,
    random: @escaping @Sendable (Int) -> [UInt8],
    sealsPerKey: Int = 1 << 16
  ) {
    self.ring = ring
    self.random = random
    self.sealsPerKey = sealsPerKey
    context = Array("vestibule/visit/\(Self.version)/\(cookieName)".utf8)
    let salt = random(Self.saltLength)
    sealing = Locked(
      SealingKey(
        salt: salt,
        key: Self.key(from: ring.keys[0], salt: salt, context),
        sealsLeft: sealsPerKey
      )
    )
  }

  /// The sealed bytes; nil where AES-GCM refuses, as it does for a message of gigabytes.
  func seal(_ plain: [UInt8]) -> [UInt8]? {
    let (salt, key) = currentKey()
    // Always from the system, since a repeated nonce breaks a key; its pool saves a system call.
    let nonce = try? AES.GCM.Nonce(data: systemRandomBytes(Self.nonceLength))
    let box = try? AES.GCM.seal(plain, using: key, nonce: nonce, authenticating: context)
    guard let combined = box?.combined else { return nil }
    var sealed = [Self.version] + salt
    sealed.reserveCapacity(sealed.count + combined.count)
    combined.withUnsafeBytes { sealed += $0 }
    return sealed
  }

  /// Whether the bytes are long enough for a seal.
  static func isLongEnough(_ sealed: [UInt8]) -> Bool {
    sealed.count >= 1 + saltLength + nonceLength + tagLength
  }

  /// Whether it claims to be of this version, as invented bytes may, too.
  static func isOfThisVersion(_ sealed: [UInt8]) -> Bool { sealed.first == version }

  /// The bytes that were sealed; nil where no key opens them, or any bit was changed.
  func open(_ sealed: [UInt8]) -> Data? {
    guard sealed.first == Self.version, sealed.count > 1 + Self.saltLength else { return nil }
    let salt = Array(sealed[1...Self.saltLength])
    guard let box = try? AES.GCM.SealedBox(combined: sealed[(1 + Self.saltLength)...]) else {
      return nil
    }
    if let key = opened.withLock({ $0[salt] }),
      let plain = try? AES.GCM.open(box, using: key, authenticating: context)
    {
      return plain
    }
    for master in ring.keys {
      let key = Self.key(from: master, salt: salt, context)
      // A failure only says that this key did not make the seal; another one may have.
      if let plain = try? AES.GCM.open(box, using: key, authenticating: context) {
        keep(key, for: salt)
        return plain
      }
    }
    return nil
  }

  private func keep(_ key: SymmetricKey, for salt: [UInt8]) {
    opened.withLock { opened in
      if opened.count >= Self.openedLimit { opened.removeAll(keepingCapacity: true) }
      opened[salt] = key
    }
  }

  private func currentKey() -> (salt: [UInt8], key: SymmetricKey) {
    sealing.withLock { sealing in
      if sealing.sealsLeft == 0 {
        sealing.salt = random(Self.saltLength)
        sealing.key = Self.key(from: ring.keys[0], salt: sealing.salt, context)
        sealing.sealsLeft = sealsPerKey
      }
      sealing.sealsLeft -= 1
      return (sealing.salt, sealing.key)
    }
  }

  private static func key(
    from master: SymmetricKey,
    salt: [UInt8],
    _ context: [UInt8]
  ) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: master,
      salt: salt,
      info: context,
      outputByteCount: 32
    )
  }
}
