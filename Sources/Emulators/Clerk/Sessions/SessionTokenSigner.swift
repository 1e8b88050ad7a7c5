internal import CryptoExtras
internal import Foundation
internal import GRDB
internal import HTTPExchange

/// Makes the short-lived JWTs of sessions, and publishes the key that they verify with.
///
/// The key is made when it is first needed, so that starting stays quick, and kept in the database
/// of `main`, so that on disk it outlives the process.
/// Source: clerk-frontend-api.md section 3.9; RFC 7519, RFC 7517.
final class SessionTokenSigner: Sendable {
  struct Claims: Sendable {
    var userID: String
    var sessionID: String
    var status: String
    /// Minutes, -1 for never.
    var factorAges: [Int]
    var tokenID: String
    var issuedAt: Instant
  }

  static let lifetimeSeconds = 60

  private struct Key: Sendable {
    var id: String
    var pem: String
  }

  private let issuer: String
  private let worlds: Worlds
  private let key = Locked<Key?>(nil)

  init(issuer: String, worlds: Worlds) {
    self.issuer = issuer
    self.worlds = worlds
  }

  /// The signer, once it has its key.
  ///
  /// - Throws: What SQLite reports.
  func prepared() async throws -> SessionTokenSigner {
    if key.withLock({ $0 }) != nil { return self }
    let main = try worlds.world(.main)
    let stored = try await main.database.read { db in try Self.storedKey(db) }
    if let stored {
      key.withLock { $0 = stored }
      return self
    }
    let made = try await Self.makeKey(id: main.random.identifier("ins"))
    let kept = try await main.database.write { db in
      if let stored = try Self.storedKey(db) { return stored }
      try db.execute(
        sql: "INSERT INTO signingKey (id, pem) VALUES (?, ?)",
        arguments: [made.id, made.pem]
      )
      return made
    }
    key.withLock { $0 = kept }
    return self
  }

  /// A signed token; only after `prepared()`.
  func token(_ claims: Claims) throws -> String {
    guard let key = key.withLock({ $0 }) else { preconditionFailure("no key yet") }
    let header: JSON = ["alg": "RS256", "kid": .string(key.id), "typ": "JWT"]
    let seconds = claims.issuedAt.rawValue / 1000
    let payload: JSON = [
      "exp": .integer(seconds + Int64(Self.lifetimeSeconds)),
      "fva": .array(claims.factorAges.map { .integer(Int64($0)) }),
      "iat": .integer(seconds),
      "iss": .string(issuer),
      "jti": .string(claims.tokenID),
      "nbf": .integer(seconds - 10),
      "sid": .string(claims.sessionID),
      "sts": .string(claims.status),
      "sub": .string(claims.userID),
      "v": 2,
    ]
    let signed = Self.base64URL(header.encoded) + "." + Self.base64URL(payload.encoded)
    let signature = try _RSA.Signing.PrivateKey(pemRepresentation: key.pem)
      .signature(for: Data(signed.utf8), padding: .insecurePKCS1v1_5)
    return signed + "." + Self.base64URL(signature.rawRepresentation)
  }

  /// The key set that the tokens verify with.
  func publicKeys() async throws -> JSON {
    guard let key = try await prepared().key.withLock({ $0 }) else {
      preconditionFailure("no key after it was prepared")
    }
    let primitives = try _RSA.Signing.PrivateKey(pemRepresentation: key.pem).publicKey
      .getKeyPrimitives()
    return [
      "keys": [
        [
          "use": "sig", "kty": "RSA", "kid": .string(key.id), "alg": "RS256",
          "n": .string(Self.base64URL(primitives.modulus)),
          "e": .string(Self.base64URL(primitives.publicExponent)),
        ]
      ]
    ]
  }

  private static func storedKey(_ db: Database) throws -> Key? {
    try Row.fetchOne(db, sql: "SELECT id, pem FROM signingKey").map {
      Key(id: $0["id"], pem: $0["pem"])
    }
  }

  /// Takes some hundred milliseconds, so it happens on a thread of its own.
  private static func makeKey(id: String) async throws -> Key {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result {
            Key(id: id, pem: try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation)
          }
        )
      }
    }
  }

  private static func base64URL(_ bytes: some DataProtocol) -> String {
    Data(bytes).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}

extension ClerkRoute {
  var needsSigning: Bool {
    if case .sessionToken = self { return true }
    return false
  }
}
