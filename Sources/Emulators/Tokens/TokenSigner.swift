internal import CryptoExtras
internal import Foundation
internal import GRDB
internal import HTTPExchange

/// Signs JWTs with RS256, and publishes the key that they verify with.
///
/// The key is made when it is first needed, so that starting stays quick, and kept in the database
/// of `main`, so that on disk it outlives the process.
/// Source: RFC 7519, RFC 7517.
final class TokenSigner: Sendable {
  /// Parsed once: checking a key takes longer than signing with it.
  private struct Key: Sendable {
    var id: String
    var signing: _RSA.Signing.PrivateKey
  }

  private let worlds: Worlds
  private let key = Locked<Key?>(nil)

  init(worlds: Worlds) {
    self.worlds = worlds
  }

  /// The signer, once it has its key.
  ///
  /// - Throws: What SQLite reports.
  func prepared() async throws -> TokenSigner {
    if key.withLock({ $0 }) != nil { return self }
    let main = try await worlds.world(.main)
    let stored = try await main.database.read { db in try Self.storedKey(db) }
    if let stored {
      key.withLock { $0 = stored }
      return self
    }
    let made = Key(id: main.random.identifier("ins"), signing: try await Self.freshKey.value)
    let kept = try await main.database.write { db in
      if let stored = try Self.storedKey(db) { return stored }
      try db.execute(
        sql: "INSERT INTO signingKey (id, pem) VALUES (?, ?)",
        arguments: [made.id, made.signing.pemRepresentation]
      )
      return made
    }
    key.withLock { $0 = kept }
    return self
  }

  /// A signed token; only after `prepared()`.
  func token(_ payload: JSON) throws -> String {
    guard let key = key.withLock({ $0 }) else { preconditionFailure("no key yet") }
    let header: JSON = ["alg": "RS256", "kid": .string(key.id), "typ": "JWT"]
    let signed = Base64URL.text(of: header.encoded) + "." + Base64URL.text(of: payload.encoded)
    let signature = try key.signing
      .signature(for: Data(signed.utf8), padding: .insecurePKCS1v1_5)
    return signed + "." + Base64URL.text(of: signature.rawRepresentation)
  }

  /// The payload of a token that this signer has signed; nil for any other text.
  func payload(ofToken token: String) throws -> JSON? {
    guard let key = key.withLock({ $0 }) else { preconditionFailure("no key yet") }
    let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let payload = Base64URL.bytes(of: parts[1]),
      let signature = Base64URL.bytes(of: parts[2])
    else { return nil }
    let isOwn = key.signing.publicKey.isValidSignature(
      _RSA.Signing.RSASignature(rawRepresentation: signature),
      for: Data("\(parts[0]).\(parts[1])".utf8),
      padding: .insecurePKCS1v1_5
    )
    return isOwn ? try JSONDecoder().decode(JSON.self, from: payload) : nil
  }

  /// The key set that the tokens verify with.
  func publicKeys() async throws -> JSON {
    guard let key = try await prepared().key.withLock({ $0 }) else {
      preconditionFailure("no key after it was prepared")
    }
    let primitives = try key.signing.publicKey.getKeyPrimitives()
    return [
      "keys": [
        [
          "use": "sig", "kty": "RSA", "kid": .string(key.id), "alg": "RS256",
          "n": .string(Base64URL.text(of: primitives.modulus)),
          "e": .string(Base64URL.text(of: primitives.publicExponent)),
        ]
      ]
    ]
  }

  private static func storedKey(_ db: Database) throws -> Key? {
    try Row.fetchOne(db, sql: "SELECT id, pem FROM signingKey").map {
      Key(id: $0["id"], signing: try _RSA.Signing.PrivateKey(pemRepresentation: $0["pem"]))
    }
  }

  /// Made once a process, since it takes some hundred milliseconds on a thread of its own; emulators
  /// that live in one process and keep no key of their own share it.
  private static let freshKey = Task.detached {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) })
      }
    }
  }
}
