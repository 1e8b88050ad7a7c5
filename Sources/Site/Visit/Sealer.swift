internal import Crypto
internal import Foundation

/// Seals bytes so that only a holder of the key ring can read, make or change them.
///
/// AES-256-GCM under a key derived for each seal with a random 128-bit salt, so that no number of
/// seals wears a key out. The cookie's name, the format's version and the purpose are bound as
/// associated data (S12).
struct Sealer: Sendable {
  private static let version: UInt8 = 2
  private static let saltLength = 16
  private let ring: KeyRing
  private let context: [UInt8]

  init(ring: KeyRing, cookieName: String) {
    self.ring = ring
    context = Array("vestibule/visit/\(Self.version)/\(cookieName)".utf8)
  }

  func seal(_ plain: Data) -> Data {
    var salt = [UInt8]()
    var random = SystemRandomNumberGenerator()
    for _ in 0..<Self.saltLength { salt.append(.random(in: .min ... .max, using: &random)) }
    let key = key(from: ring.keys[0], salt: salt)
    // A fresh key seals one message only, and no message here nears the limit of GCM.
    guard let box = try? AES.GCM.seal(plain, using: key, authenticating: context),
      let combined = box.combined
    else { preconditionFailure("AES-GCM refused a message far below its limit") }
    return Data([Self.version]) + Data(salt) + combined
  }

  /// The bytes that were sealed, or nil where any bit is not as it was.
  func open(_ sealed: Data) -> Data? {
    let sealed = Array(sealed)
    guard sealed.first == Self.version, sealed.count > 1 + Self.saltLength else { return nil }
    let salt = Array(sealed[1..<(1 + Self.saltLength)])
    guard let box = try? AES.GCM.SealedBox(combined: sealed[(1 + Self.saltLength)...]) else {
      return nil
    }
    for candidate in ring.keys {
      // A failure only says that this key did not make the seal; another one may have.
      if let plain = try? AES.GCM.open(
        box,
        using: key(from: candidate, salt: salt),
        authenticating: context
      ) {
        return plain
      }
    }
    return nil
  }

  private func key(from master: SymmetricKey, salt: [UInt8]) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: master,
      salt: salt,
      info: context,
      outputByteCount: 32
    )
  }
}
