internal import CryptoExtras
internal import Foundation
internal import GRDB
internal import HTTPExchange

/// A JWT that lacks its signature.
struct UnsignedToken: Sendable, Hashable {
  /// What RFC 7515 calls the JWS signing input: it stands for the token until it is signed.
  var signingInput: String
  var payload: JSON
}

/// Signs JWTs with RS256, and publishes the key that they verify with.
///
/// Source: RFC 7519, RFC 7515, RFC 7517.
struct SigningKey: Sendable {
  let id: String
  /// Parsed once: checking a key takes longer than signing with it.
  let privateKey: _RSA.Signing.PrivateKey

  func unsigned(_ payload: JSON) -> UnsignedToken {
    UnsignedToken(signingInput: signingInput(payload), payload: payload)
  }

  func signed(_ payload: JSON) throws -> String {
    let input = signingInput(payload)
    let signature = try privateKey.signature(for: Data(input.utf8), padding: .insecurePKCS1v1_5)
    return input + "." + Base64URL.text(of: signature.rawRepresentation)
  }

  private func signingInput(_ payload: JSON) -> String {
    let header: JSON = ["alg": "RS256", "kid": .string(id), "typ": "JWT"]
    return Base64URL.text(of: header.encoded) + "." + Base64URL.text(of: payload.encoded)
  }

  /// The payload of a token that this key has signed; nil for any other text.
  func payload(ofToken token: String) throws -> JSON? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let payload = Base64URL.bytes(of: parts[1]),
      let signature = Base64URL.bytes(of: parts[2])
    else { return nil }
    let isOwn = privateKey.publicKey.isValidSignature(
      _RSA.Signing.RSASignature(rawRepresentation: signature),
      for: Data("\(parts[0]).\(parts[1])".utf8),
      padding: .insecurePKCS1v1_5
    )
    return isOwn ? JSON(decoding: payload) : nil
  }

  /// The key set that the tokens verify with.
  func publicKeys() throws -> JSON {
    let primitives = try privateKey.publicKey.getKeyPrimitives()
    return [
      "keys": [
        [
          "use": "sig", "kty": "RSA", "kid": .string(id), "alg": "RS256",
          "n": .string(Base64URL.text(of: primitives.modulus)),
          "e": .string(Base64URL.text(of: primitives.publicExponent)),
        ]
      ]
    ]
  }

  static func stored(_ db: Database) throws -> Self? {
    try Row.fetchOne(db, sql: "SELECT id, pem FROM signingKey").map {
      Self(id: $0["id"], privateKey: try _RSA.Signing.PrivateKey(pemRepresentation: $0["pem"]))
    }
  }

  func insert(_ db: Database) throws {
    try db.execute(
      sql: "INSERT INTO signingKey (id, pem) VALUES (?, ?)",
      arguments: [id, privateKey.pemRepresentation]
    )
  }
}
